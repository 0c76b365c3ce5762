import { badRequest } from '../../shared/errors.js'
import type { Actor } from '../auth/actor.js'
import type { Ctx } from '../ctx.js'
import { knowsChannel, mayReadChannel } from '../policies/channel-permissions.js'
import type { ChannelRow } from '../store/channels/channels.js'
import { readSubscription, type SubscriptionRow } from '../store/channels/subscriptions.js'
import type { ISql } from '../store/driver/db.js'
import { currentUser } from './find-user.js'

const unknownChannel = () => badRequest('Invalid channel ID')

/**
 * A channel that the caller may know (`metadata`) or read (`content`), and the caller's subscription, possibly a former one.
 * @throws {ApiError} BAD_REQUEST, the same for a missing channel and for one that the caller may not see.
 */
export async function findChannel(
  ctx: Ctx,
  sql: ISql,
  actor: Actor | null,
  { channelId, need = 'content' }: { readonly channelId: number; readonly need?: 'content' | 'metadata' },
): Promise<{ channel: ChannelRow; subscription: SubscriptionRow | null }> {
  // Inside a transaction the caller refreshes the directory: fresh() would wait for a second connection.
  const [subscription] = await Promise.all([
    actor ? readSubscription(sql, actor.user.id, channelId) : null,
    sql === ctx.sql ? ctx.directory.fresh() : undefined,
  ])
  const channel = ctx.directory.channels.get(channelId)
  const user = actor && currentUser(ctx.directory, actor.user)
  const may = need === 'content' ? mayReadChannel : knowsChannel
  if (!channel || !may(ctx.directory, user, channel, subscription?.is_active ?? false)) {
    throw unknownChannel()
  }
  return { channel, subscription }
}

/**
 * A channel that the caller may read, from what the worker remembers, and whether the caller is subscribed.
 * @throws {ApiError} BAD_REQUEST, as `findChannel`
 */
export async function readableChannel(
  ctx: Ctx,
  actor: Actor,
  channelId: number,
): Promise<{ channel: ChannelRow; isSubscribed: boolean }> {
  const { directory } = ctx
  await directory.fresh()
  const user = currentUser(directory, actor.user)
  const channel = directory.channels.get(channelId)
  const isSubscribed = await isSubscribedTo(ctx, user.id, channelId)
  if (!channel || !mayReadChannel(directory, user, channel, isSubscribed)) throw unknownChannel()
  return { channel, isSubscribed }
}

/** Whether the user is subscribed to the channel, from memory; as current as the directory after `fresh`. */
export async function isSubscribedTo({ directory, memory }: Ctx, userId: number, channelId: number): Promise<boolean> {
  const own = await memory.channelLists.ownOf(directory.listsVersion, userId)
  return own?.active.includes(channelId) ?? false
}
