import { badRequest } from '../../shared/errors.js'
import type { Actor } from '../auth/actor.js'
import type { Ctx } from '../ctx.js'
import { knowsChannel, mayReadChannel } from '../policies/channel-permissions.js'
import type { ChannelRow } from '../store/channels/channels.js'
import { readSubscription, type SubscriptionRow } from '../store/channels/subscriptions.js'
import type { ISql } from '../store/driver/db.js'
import { currentUser } from './find-user.js'

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
    throw badRequest('Invalid channel ID')
  }
  return { channel, subscription }
}
