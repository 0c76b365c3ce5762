import { limits } from '../../../shared/limits.js'
import { channelReference } from '../../../shared/resources/channel-reference.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import type { CreatedChannel } from '../../policies/channel-rules.js'
import { realmSetting } from '../../policies/settings.js'
import type { UserRow } from '../../store/users/users.js'
import { gather } from '../gather.js'
import { mention, type Notice, sendNotices, silently } from '../messages/notification-bot.js'
import { channelEvents } from './channel-events.js'
import type { SubscribeResult } from './subscribe.js'

interface WantedNotices {
  readonly announce: boolean
  readonly toSubscribers: boolean
}

/** Sends the notification bot's messages about a request to subscribe. */
export async function sendSubscriptionNotices(
  ctx: Ctx,
  actor: Actor,
  result: SubscribeResult,
  wanted: WantedNotices,
): Promise<void> {
  await sendNotices(ctx, [
    ...channelNotices(ctx, actor.user, result.created),
    ...(wanted.announce ? announcements(ctx, actor.user, result.created) : []),
    ...(notifiesSubscribers(result, wanted) ? subscriberNotices(ctx, actor.user, result) : []),
  ])
}

/** Whether users that the caller subscribed get messages; none are sent beyond max_bulk_new_subscription_messages users. */
export function notifiesSubscribers(
  { added }: Pick<SubscribeResult, 'added'>,
  { toSubscribers }: WantedNotices,
): boolean {
  const people = new Set(added.map(row => row.user_id))
  return toSubscribers && people.size <= limits.max_bulk_new_subscription_messages
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
function subscriberNotices(ctx: Ctx, caller: UserRow, { added, created, channels }: SubscribeResult): Notice[] {
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
