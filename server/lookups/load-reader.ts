import type { Actor } from '../auth/actor.js'
import type { Ctx } from '../ctx.js'
import { mayReadChannel } from '../policies/channel-permissions.js'
import type { Reader } from '../policies/reading.js'
import type { ISql } from '../store/db.js'
import { ownSubscriptions } from '../store/received.js'

/**
 * The caller as a reader of messages; null: a spectator. Reads the subscriptions from the database and not from a cache, so that a former
 * subscriber loses access at once.
 */
export async function loadReader(ctx: Ctx, sql: ISql, actor: Actor | null): Promise<Reader> {
  const [subscriptions] = await Promise.all([
    actor ? ownSubscriptions(sql, actor.user.id) : [],
    sql === ctx.sql ? ctx.directory.fresh() : undefined,
  ])
  const user = actor ? (ctx.directory.users.get(actor.user.id) ?? actor.user) : null
  const receivable = subscriptions.filter(({ channel_id, is_active }) => {
    const channel = ctx.directory.channels.get(channel_id)
    return channel && mayReadChannel(ctx.directory, user, channel, is_active)
  })
  const active = subscriptions.filter(one => one.is_active)
  return {
    user,
    userId: user?.id ?? 0,
    subscribed: new Set(active.map(one => one.channel_id)),
    muted: new Set(active.filter(one => one.is_muted).map(one => one.channel_id)),
    receivable: receivable.map(one => one.channel_id),
  }
}
