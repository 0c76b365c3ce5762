import { limits } from '../../../shared/limits.js'
import type { WorkerCtx } from '../../ctx.js'

/**
 * The users who look at no client: none of their queues receives messages, or they have not been active for the offline threshold. Two
 * round trips to Redis, however many users there are.
 */
export async function idleAmong(ctx: WorkerCtx, userIds: ReadonlySet<number>): Promise<ReadonlySet<number>> {
  if (userIds.size === 0) return userIds
  const since = ctx.clock.now() / 1000 - limits.presence_offline_threshold_secs
  const looking = await ctx.presence.lookingSince([...userIds], since)
  return new Set([...userIds].filter(id => !looking.has(id)))
}
