import type { View } from '../../shared/capabilities.js'
import { limits } from '../../shared/limits.js'
import type { SubscriberLists } from '../../shared/resources/subscription.js'
import type { Ctx } from '../ctx.js'
import { PresenceStore } from '../redis/presence.js'
import type { ISql } from '../store/db.js'
import { firstMessageIdSince } from '../store/message-ids.js'
import { sendersSince } from '../store/senders.js'

// api.md Limits "Partial subscribers".
const activeDays = 14

/** The channels' subscribers; for those that are not small also the part that clients in partial mode get. */
export async function listsOf(
  ctx: Ctx,
  sql: ISql,
  subscribers: ReadonlyMap<number, readonly number[]>,
  include: View['include_subscribers'] = 'partial',
): Promise<Map<number, SubscriberLists>> {
  const isLarge = (list: readonly number[]) => list.length >= limits.partial_subscribers_full_below
  const needsActive = include === 'partial' && [...subscribers.values()].some(isLarge)
  const active = needsActive ? await recentlyActive(ctx, sql) : new Set<number>()
  const isShown = (id: number) => active.has(id) || ctx.directory.users.get(id)?.is_bot === true
  const lists = new Map<number, SubscriberLists>()
  for (const [channelId, all] of subscribers) {
    const partial = needsActive && isLarge(all) ? { partial_subscribers: all.filter(isShown) } : {}
    lists.set(channelId, { subscribers: all, ...partial })
  }
  return lists
}

/** Users who were seen or wrote something lately. */
async function recentlyActive(ctx: Ctx, sql: ISql): Promise<Set<number>> {
  const since = ctx.clock.now() - activeDays * 24 * 60 * 60 * 1000
  const presence = new PresenceStore(ctx.redis, ctx.config.keyPrefix, ctx.directory.organization.uuid)
  const [seen, senders] = await Promise.all([
    presence.exchange(null, { since: since / 1000 }, ctx.clock.now() / 1000),
    firstMessageIdSince(sql, new Date(since)).then(id => sendersSince(sql, id)),
  ])
  return new Set([...seen.users.keys(), ...senders])
}
