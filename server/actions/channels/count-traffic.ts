import type { Ctx } from '../../ctx.js'
import { logFailure } from '../../failures/log-failure.js'
import { isTrafficDue } from '../../store/channel-facts.js'
import { countChannelTraffic } from '../../store/channel-traffic.js'
import type { ISql } from '../../store/db.js'

/** Updates the channels' message counts in the background if the last update is more than an hour old; later requests see the result. */
export async function countTrafficWhenDue(ctx: Ctx, sql: ISql): Promise<void> {
  const now = new Date(ctx.clock.now())
  if (!(await isTrafficDue(sql, now))) return
  countChannelTraffic(ctx.sql, now).catch(error => logFailure(ctx, error, 'the traffic of channels was not counted'))
}
