import type { Ctx } from '../../ctx.js'
import { logFailure } from '../../failures/log-failure.js'
import { countChannelTraffic } from '../../store/channel-traffic.js'

const hourMs = 3_600_000

/**
 * Updates the channels' message counts in the background if the last update, in ms since the epoch, is more than an hour old; later requests
 * see the result.
 */
export function countTrafficWhenDue(ctx: Ctx, countedAt: number): void {
  const now = ctx.clock.now()
  if (now - countedAt <= hourMs) return
  countChannelTraffic(ctx.sql, new Date(now)).catch(error =>
    logFailure(ctx, error, 'the traffic of channels was not counted'),
  )
}
