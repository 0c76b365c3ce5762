import type { Ctx } from '../../ctx.js'
import { logFailure } from '../../failures/log-failure.js'
import type { Directory } from '../../memory/directory.js'
import { countChannelTraffic } from '../../store/channels/channel-traffic.js'

const hourMs = 3_600_000

// Directories of workers that count at the moment: requests meanwhile must not wait for the same rows on other connections.
const counting = new WeakSet<Directory>()

/**
 * Updates the channels' message counts in the background if the last update, in ms since the epoch, is more than an hour old; later requests
 * see the result.
 */
export function countTrafficWhenDue(ctx: Ctx, countedAt: number): void {
  // A request counts its statements on a view of the pool of its own, so the pool does not identify the worker.
  const { sql, directory } = ctx
  const now = ctx.clock.now()
  if (now - countedAt <= hourMs || counting.has(directory)) return
  counting.add(directory)
  countChannelTraffic(sql, new Date(now))
    .catch(error => logFailure(ctx, error, 'the traffic of channels was not counted'))
    .finally(() => counting.delete(directory))
}
