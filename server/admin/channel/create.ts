import type { Command } from 'commander'
import { createChannel } from '../../actions/channels/create-channel.js'
import { channelDescription, channelName } from '../../api/channels/params.js'
import { accountOf, actorOf } from '../actor.js'
import { checked } from '../checked.js'
import { actsAs, collected, type Json, leaf } from '../leaf.js'
import { onOrganization } from '../on-organization.js'
import { print } from '../output.js'

interface NewChannel {
  readonly description: string
  readonly private: boolean
  readonly webPublic: boolean
  readonly default: boolean
  readonly subscriber: readonly string[]
  readonly announce: boolean
  readonly as?: string
}

/** The command `channel create`. */
export function addCreate(channel: Command): void {
  leaf(channel, 'create', 'Makes a channel. The account that acts is its creator and administers it.', [
    'channel create design --description "How it looks" --subscriber amir@example.com --subscriber 17',
    'channel create board --private --subscriber owner@example.com',
  ])
    .argument('<name>', 'its name')
    .option('--description <text>', 'what it is for; Markdown', '')
    .option('--private', 'only its subscribers know it', false)
    .option('--web-public', 'open to spectators', false)
    .option('--default', 'new accounts are subscribed to it', false)
    .option('--subscriber <account>', 'who is subscribed: address or id; once for each', collected, [])
    .option('--announce', 'the notification bot announces it', false)
    .addOption(actsAs())
    .action(async (given: string, { json, ...options }: NewChannel & Json) => {
      const name = checked(channelName, 'name', given)
      const made = await onOrganization(async ctx => {
        const actor = actorOf(ctx, options.as)
        const subscribers = options.subscriber.map(one => accountOf(ctx, one).id)
        const description = checked(channelDescription, 'description', options.description)
        const settings = {
          invite_only: options.private,
          is_web_public: options.webPublic,
          is_default_stream: options.default,
          message_retention_days: null,
          groups: {},
        }
        const { announce } = options
        const result = await createChannel(ctx, actor, { name, description, subscribers, settings, announce })
        return { stream_id: result.created[0]?.id, name, subscriber_ids: subscribers }
      })
      print(json, made, [`made #${made.stream_id} ${made.name}`])
    })
}
