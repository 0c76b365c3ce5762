import { type Command, Option } from 'commander'
import { type TopicsPolicy, topicsPolicies } from '../../../shared/resources/channel.js'
import { updateChannel } from '../../actions/channels/update-channel.js'
import { channelDescription, channelName, retentionDays } from '../../api/channels/params.js'
import { actorOf } from '../actor.js'
import { AdminError } from '../admin-error.js'
import { asJson, checked } from '../checked.js'
import { actsAs, type Json, leaf } from '../leaf.js'
import { onOrganization } from '../on-organization.js'
import { print } from '../output.js'
import { channelOf, described } from './describe.js'

interface Change {
  readonly name?: string
  readonly description?: string
  readonly kind?: 'public' | 'private' | 'web-public'
  readonly default?: boolean
  readonly retention?: string
  readonly topics?: TopicsPolicy
  readonly as?: string
}

const kinds = {
  public: { is_private: false, is_web_public: false },
  private: { is_private: true, is_web_public: false },
  'web-public': { is_private: false, is_web_public: true },
} as const

/** The command `channel change`. */
export function addChange(channel: Command): void {
  leaf(channel, 'change', 'Changes a channel: everything that is given, or nothing.', [
    'channel change design --name looks --description "How it looks"',
    'channel change board --kind private --retention 365',
  ])
    .argument('<channel>', 'its name, or # and its id')
    .option('--name <name>', 'its new name')
    .option('--description <text>', 'what it is for; Markdown')
    .addOption(new Option('--kind <kind>', 'who may know it').choices(Object.keys(kinds)))
    .option('--default', 'new accounts are subscribed to it')
    .option('--no-default', 'new accounts are not')
    .option('--retention <days>', 'days, unlimited, or realm_default')
    .addOption(new Option('--topics <policy>', 'whether messages need a topic').choices(topicsPolicies))
    .addOption(actsAs())
    .action(async (name: string, { json, as, ...options }: Change & Json) => {
      if (Object.keys(options).length === 0) throw new AdminError('Nothing to change.', 'NOTHING_TO_CHANGE')
      const changed = await onOrganization(async ctx => {
        const { id } = channelOf(ctx, name)
        await updateChannel(ctx, actorOf(ctx, as), id, {
          ...(options.name !== undefined && { name: checked(channelName, 'name', options.name) }),
          ...(options.description !== undefined && {
            description: checked(channelDescription, 'description', options.description),
          }),
          ...(options.kind && kinds[options.kind]),
          ...(options.default !== undefined && { is_default: options.default }),
          ...(options.retention && {
            message_retention_days: retentionDays(asJson(options.retention) as number | string),
          }),
          ...(options.topics && { topics_policy: options.topics }),
          unarchive: false,
          groups: {},
        })
        await ctx.directory.fresh()
        return described(channelOf(ctx, `#${id}`))
      })
      const { subscribers: _, messages: __, ...shown } = changed
      print(json, shown, [`changed #${changed.stream_id} ${changed.name}`])
    })
}
