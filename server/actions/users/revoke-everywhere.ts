import type { Ctx } from '../../ctx.js'

// A worker that hangs, or whose database is away, must not hold up the answer for longer.
const mostMs = 1000

/**
 * Waits, after the commit of a revocation, until every worker refuses the former keys of these users and has ended their queues, at most a
 * second (docs/protocol/permissions.md#revocation).
 */
export async function revokeEverywhere({ directory, realtime }: Ctx, userIds: readonly number[]): Promise<void> {
  await directory.fresh()
  await realtime.revokeElsewhere(userIds, mostMs)
}
