import { badRequest } from '../../shared/errors.js'
import type { Actor } from '../auth/actor.js'
import type { Ctx } from '../ctx.js'
import { knowsChannel } from '../policies/channel-permissions.js'
import type { ChannelRow, HeldChannel } from '../store/channels/channels.js'
import type { SubscriptionRow } from '../store/channels/subscriptions.js'
import type { Tx } from '../store/driver/db.js'
import type { UserRow } from '../store/users/users.js'
import { currentUser } from './find-user.js'

/** Active subscribers of channels that a transaction holds, ascending, by channel id. */
export type Subscribers = ReadonlyMap<number, readonly number[]>

/**
 * Locks the organization and the channels that `idsOf` finds in the directory, usually in one statement: until the transaction ends, no
 * other one posts to the channels, subscribes or unsubscribes. Returns their subscribers.
 */
export async function holdSubscribers(
  ctx: Ctx,
  tx: Tx,
  mode: 'share' | 'change',
  idsOf: () => readonly number[],
): Promise<Subscribers> {
  const { directory } = ctx
  const expected = new Set(idsOf())
  let held = await directory.hold(tx, mode, [...expected])
  const ids = idsOf()
  // The directory was older than the lock: now it finds other channels.
  if (ids.some(id => !expected.has(id))) held = await directory.hold(tx, mode, ids)
  return subscribersOf(ctx, tx, held)
}

/** The subscribers of channels that the transaction has locked and not changed. */
export async function subscribersOf({ memory }: Ctx, tx: Tx, held: readonly HeldChannel[]): Promise<Subscribers> {
  const lists = await memory.subscribers.read(tx, new Map(held.map(one => [one.id, one.subscribers_version])))
  return new Map([...lists].map(([id, subscribers]) => [id, subscribers.list()]))
}

/**
 * As `holdSubscribers`, for a channel that the caller may know.
 * @throws {ApiError} BAD_REQUEST, the same for a missing channel and for one that the caller may not see.
 */
export async function holdChannel(
  ctx: Ctx,
  tx: Tx,
  actor: Actor,
  channelId: number,
): Promise<{ channel: ChannelRow; user: UserRow; subscribers: readonly number[] }> {
  const { directory } = ctx
  const held = await holdSubscribers(ctx, tx, 'change', () => [channelId])
  const user = currentUser(directory, actor.user)
  const channel = directory.channels.get(channelId)
  if (!channel || !knowsChannel(directory, user, channel, isSubscribed(held, channelId, user.id))) {
    throw badRequest('Invalid channel ID')
  }
  return { channel, user, subscribers: held.get(channelId) ?? [] }
}

export const isSubscribed = (held: Subscribers, channelId: number, userId: number): boolean =>
  held.get(channelId)?.includes(userId) ?? false

/** The subscribers after the transaction has subscribed others. */
export function withJoined(
  held: Subscribers,
  added: readonly Pick<SubscriptionRow, 'channel_id' | 'user_id'>[],
): Subscribers {
  const after = new Map(held)
  for (const id of new Set(added.map(row => row.channel_id))) {
    const joined = added.filter(row => row.channel_id === id).map(row => row.user_id)
    after.set(
      id,
      [...(held.get(id) ?? []), ...joined].sort((a, b) => a - b),
    )
  }
  return after
}

/** The subscribers after the transaction has ended subscriptions. */
export function withoutLeft(
  held: Subscribers,
  ended: readonly { readonly channel_id: number; readonly user_id: number }[],
): Subscribers {
  const after = new Map(held)
  for (const id of new Set(ended.map(row => row.channel_id))) {
    const left = new Set(ended.filter(row => row.channel_id === id).map(row => row.user_id))
    after.set(
      id,
      (held.get(id) ?? []).filter(userId => !left.has(userId)),
    )
  }
  return after
}
