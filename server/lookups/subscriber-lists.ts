import { limits } from '../../shared/limits.js'
import type { SubscriberLists } from '../../shared/resources/subscription.js'
import type { Ctx } from '../ctx.js'
import type { ISql } from '../store/driver/db.js'
import { firstMessageIdSince } from '../store/messages/message-ids.js'
import { sendersSince } from '../store/messages/senders.js'

// See docs/protocol/register.md#forms-of-the-answer.
const activeDays = 14

/** The active subscribers of a channel, ascending, from memory; as current as the directory after `fresh`. */
export async function subscribersOf({ sql, directory, memory }: Ctx, channelId: number): Promise<readonly number[]> {
  const [facts] = await memory.channelLists.factsOf(sql, directory.listsVersion, [channelId])
  if (!facts) return []
  const lists = await memory.subscribers.read(sql, new Map([[channelId, facts.subscribers_version]]))
  return lists.get(channelId)?.list() ?? []
}

/** A test for the subscribers of large channels that clients in partial mode receive (docs/protocol/register.md#forms-of-the-answer). */
export async function partOfLarge(ctx: Ctx, sql: ISql, sizes: Iterable<number>): Promise<(userId: number) => boolean> {
  const needsActive = [...sizes].some(isLarge)
  const active = needsActive ? await recentlyActive(ctx, sql) : new Set<number>()
  return id => active.has(id) || ctx.directory.users.get(id)?.is_bot === true
}

export const isLarge = (subscribers: number): boolean => subscribers >= limits.partial_subscribers_full_below

/** The channels' subscribers in all forms that a view may need. */
export async function listsOf(
  ctx: Ctx,
  sql: ISql,
  subscribers: ReadonlyMap<number, readonly number[]>,
): Promise<Map<number, SubscriberLists>> {
  const lists = [...subscribers]
  const isShown = await partOfLarge(
    ctx,
    sql,
    lists.map(([, all]) => all.length),
  )
  return new Map(
    lists.map(([channelId, all]) => {
      const partial = isLarge(all.length) ? { partial_subscribers: all.filter(isShown) } : {}
      return [channelId, { subscribers: all, ...partial }]
    }),
  )
}

/** Ids of users who were online or sent a message in the last `activeDays` days. */
async function recentlyActive(ctx: Ctx, sql: ISql): Promise<Set<number>> {
  const since = ctx.clock.now() - activeDays * 24 * 60 * 60 * 1000
  const [seen, senders] = await Promise.all([
    ctx.presence.exchange(null, { since: since / 1000 }, ctx.clock.now()),
    firstMessageIdSince(sql, new Date(since)).then(id => sendersSince(sql, id)),
  ])
  return new Set([...seen.users.keys(), ...senders])
}
