import { limits } from '../../../shared/limits.js'
import { channelReference } from '../../../shared/resources/channel-reference.js'
import type { Ctx } from '../../ctx.js'
import type { Notice } from '../../job-types/notice.js'
import type { CreatedChannel } from '../../policies/channel-rules.js'
import { realmSetting } from '../../policies/settings.js'
import type { SubscriptionRow } from '../../store/channels/subscriptions.js'
import type { UserRow } from '../../store/users/users.js'
import { gather } from '../gather.js'
import { mention, silently } from '../messages/notice-mentions.js'
import { channelEvents } from './channel-events.js'

/** What a transaction has created and subscribed. */
interface Subscribed {
  readonly created: readonly CreatedChannel[]
  readonly added: readonly SubscriptionRow[]
  readonly channels: readonly { readonly id: number; readonly name: string }[]
}

/** Which of the notification bot's messages a request asks for, beside the first message of each new channel. */
export interface WantedNotices {
  /** In the organization's announcement channel. */
  readonly announce: boolean
  /** To users that the caller subscribes to existing channels. */
  readonly toSubscribers: boolean
}

/** Whether users that the caller subscribed get messages; none beyond max_bulk_new_subscription_messages users do. */
export const tellsSubscribers = ({ added }: Pick<Subscribed, 'added'>, wanted: WantedNotices): boolean =>
  wanted.toSubscribers && new Set(added.map(row => row.user_id)).size <= limits.max_bulk_new_subscription_messages

/** The notification bot's messages about new channels and subscriptions. */
export function subscriptionNotices(ctx: Ctx, caller: UserRow, done: Subscribed, wanted: WantedNotices): Notice[] {
  return [
    ...channelNotices(ctx, caller, done.created),
    ...(wanted.announce ? announcements(ctx, caller, done.created) : []),
    ...(tellsSubscribers(done, wanted) ? subscriberNotices(ctx, caller, done) : []),
  ]
}

function kindOf(channel: CreatedChannel): string {
  if (channel.is_web_public) return 'web-public'
  return channel.invite_only ? 'private' : 'public'
}

/** The first message of a new channel. */
function channelNotices(ctx: Ctx, creator: UserRow, created: readonly CreatedChannel[]): Notice[] {
  return created.flatMap(channel =>
    channelEvents(ctx.directory, channel, [`${silently(creator)} created this ${kindOf(channel)} channel.`]),
  )
}

/** Messages in the organization's announcement channel; private channels are left out. */
function announcements(ctx: Ctx, creator: UserRow, created: readonly CreatedChannel[]): Notice[] {
  const place = realmSetting(ctx.directory, 'new_stream_announcements_stream_id')
  const open = created.filter(channel => !channel.invite_only)
  if (ctx.directory.channels.get(place)?.is_archived !== false || open.length === 0) return []
  const names = open.map(({ id, name }) => channelReference({ stream_id: id, name })).join(', ')
  const what = open.length === 1 ? 'a new channel' : 'new channels'
  return [{ to: { channel: place, topic: 'new channels' }, content: `${silently(creator)} created ${what}: ${names}.` }]
}

/** Direct messages to users that the caller subscribed to existing channels. */
function subscriberNotices(ctx: Ctx, caller: UserRow, { added, created, channels }: Subscribed): Notice[] {
  const isNew = new Set(created.map(channel => channel.id))
  const names = new Map(channels.map(channel => [channel.id, channel.name]))
  const notified = added.filter(({ user_id, channel_id }) => {
    return !isNew.has(channel_id) && user_id !== caller.id && !ctx.directory.users.get(user_id)?.is_bot
  })
  return gather(notified, row => row.user_id).map(([userId, rows]) => {
    const links = rows.map(({ channel_id: id }) => channelReference({ stream_id: id, name: names.get(id) ?? '' }))
    const what =
      links.length === 1
        ? `the channel ${links[0]}.`
        : `the following channels:\n\n${links.map(link => `* ${link}`).join('\n')}`
    return { to: { people: [userId] }, content: `${mention(caller)} subscribed you to ${what}` }
  })
}
