import type { Actor } from '../auth/actor.js'
import type { Ctx } from '../ctx.js'
import { mayReadChannel } from '../policies/channel-permissions.js'
import type { Reader } from '../policies/reading.js'
import type { ISql } from '../store/db.js'
import { type OwnSubscriptions, ownSubscriptions } from '../store/received.js'

/**
 * The caller as a reader of messages; null: a spectator. Reads the subscriptions from the database and not from a cache, so that a former
 * subscriber loses access at once.
 */
export async function loadReader(ctx: Ctx, sql: ISql, actor: Actor | null): Promise<Reader> {
  const [subscriptions] = await Promise.all([
    actor ? subscriptionsOf(ctx, sql, actor.user.id) : none,
    sql === ctx.sql ? ctx.directory.fresh() : undefined,
  ])
  const { active, muted, former } = subscriptions
  const user = actor ? (ctx.directory.users.get(actor.user.id) ?? actor.user) : null
  const mayRead = (ids: readonly number[], isActive: boolean) =>
    ids.filter(id => {
      const channel = ctx.directory.channels.get(id)
      return channel && mayReadChannel(ctx.directory, user, channel, isActive)
    })
  return {
    user,
    userId: user?.id ?? 0,
    subscribed: new Set(active),
    muted: new Set(muted),
    receivable: [...mayRead(active, true), ...mayRead(former, false)],
  }
}

const none: OwnSubscriptions = { active: [], muted: [], former: [] }

async function subscriptionsOf(ctx: Ctx, sql: ISql, userId: number): Promise<OwnSubscriptions> {
  if (sql === ctx.sql) return (await ctx.ownSubscriptions.of(userId)) ?? none
  return (await ownSubscriptions(sql, [userId])).get(userId) ?? none
}
