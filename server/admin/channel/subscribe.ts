import type { Command } from 'commander'
import { subscribe } from '../../actions/channels/subscribe.js'
import { unsubscribe } from '../../actions/channels/unsubscribe.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { mayAddSubscribers } from '../../policies/channel-permissions.js'
import type { ChannelRow } from '../../store/channels/channels.js'
import { subscribersOfChannels } from '../../store/channels/subscriptions.js'
import { accountOf, actorOf } from '../actor.js'
import { actsAs, type Json, leaf } from '../leaf.js'
import { onOrganization } from '../on-organization.js'
import { print } from '../output.js'
import { channelOf } from './describe.js'

interface Options {
  readonly as?: string
  readonly notices: boolean
}

// Unused: the channel exists, so subscribing creates none.
const noSettings = {
  invite_only: false,
  is_web_public: false,
  is_default_stream: false,
  message_retention_days: null,
  groups: {},
} as const

/** The commands `channel subscribe` and `channel unsubscribe`. */
export function addSubscribe(channel: Command): void {
  leaf(channel, 'subscribe', 'Subscribes people and bots to a channel.', [
    'channel subscribe design amir@example.com 17',
    'channel subscribe board amir@example.com --as member-of-board@example.com',
  ])
    .argument('<channel>', 'its name, or # and its id')
    .argument('<accounts...>', 'addresses or ids')
    .option('--no-notices', 'the notification bot sends no messages about it')
    .addOption(actsAs())
    .action(async (name: string, accounts: string[], { json, as, notices }: Options & Json) => {
      const done = await onOrganization(async ctx => {
        const { id, name: spelled } = channelOf(ctx, name)
        const actor = as === undefined ? await whoMayAdd(ctx, id) : actorOf(ctx, as)
        const result = await subscribe(ctx, actor, {
          channels: [{ name: spelled, description: '', color: null }],
          principals: accounts.map(one => accountOf(ctx, one).id),
          authorizationErrorsFatal: true,
          settings: noSettings,
          ...(notices && { notices: { announce: false, toSubscribers: true } }),
        })
        return { stream_id: id, name: spelled, ...sorted(result.users, result.added) }
      })
      const { name: spelled, changed, unchanged } = done
      const body = { stream_id: done.stream_id, name: spelled, subscribed: changed, already_subscribed: unchanged }
      print(json, body, [`${changed.length} subscribed to ${spelled}, ${unchanged.length} already were`])
    })

  leaf(channel, 'unsubscribe', 'Unsubscribes people and bots from a channel.', ['channel unsubscribe design 17'])
    .argument('<channel>', 'its name, or # and its id')
    .argument('<accounts...>', 'addresses or ids')
    .addOption(actsAs())
    .action(async (name: string, accounts: string[], { json, as }: Options & Json) => {
      const done = await onOrganization(async ctx => {
        const { id, name: spelled } = channelOf(ctx, name)
        const ids = accounts.map(one => accountOf(ctx, one).id)
        const { users, removed, read } = await unsubscribe(ctx, actorOf(ctx, as), [spelled], ids)
        await read
        return { stream_id: id, name: spelled, ...sorted(users, removed) }
      })
      const { name: spelled, changed, unchanged } = done
      const body = { stream_id: done.stream_id, name: spelled, removed: changed, not_removed: unchanged }
      print(json, body, [`${changed.length} unsubscribed from ${spelled}, ${unchanged.length} were not subscribed`])
    })
}

/** The oldest owner if permitted, or else a subscriber who is: an owner may not subscribe users to every private channel. */
async function whoMayAdd(ctx: Ctx, channelId: number): Promise<Actor> {
  const { directory, sql } = ctx
  const owner = actorOf(ctx, undefined)
  const channel = directory.channels.get(channelId) as ChannelRow
  const subscribers = (await subscribersOfChannels(sql, [channelId])).get(channelId) ?? []
  const candidates = [owner.user, ...subscribers.flatMap(id => directory.users.get(id) ?? [])]
  const user = candidates.find(one => mayAddSubscribers(directory, one, channel, subscribers.includes(one.id)))
  return user ? { ...owner, user } : owner
}

/** User ids, separated into changed and unchanged ones. */
function sorted(users: readonly { id: number }[], rows: readonly { user_id: number }[]) {
  const changed = new Set(rows.map(row => row.user_id))
  const ids = users.map(user => user.id)
  return { changed: ids.filter(id => changed.has(id)), unchanged: ids.filter(id => !changed.has(id)) }
}
