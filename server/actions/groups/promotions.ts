import type { Ctx } from '../../ctx.js'
import { logFailure } from '../../failures/log-failure.js'
import { nextPromotion, promoteFullMembers } from './promote-full-members.js'

// Upper bound of the delay between checks, which read only memory. New members and a shorter waiting period take effect within it.
const longestPauseMs = 60_000
// Lower bound of the delay: after a failure, and where the timer fires shortly before the due date, the next check must not follow at once.
const shortestPauseMs = 1000

/**
 * Promotes members when their waiting period ends, at most a minute late, in the worker that checks first.
 * @returns a function that stops the checks; it resolves when none runs any more
 */
export function keepPromoting(ctx: Ctx): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  let stopped = false
  const schedule = () => {
    if (stopped) return
    const due = nextPromotion(ctx.directory) - ctx.clock.now()
    timer = setTimeout(run, Math.max(shortestPauseMs, Math.min(due, longestPauseMs)))
    timer.unref()
  }
  const run = () => {
    running = promoteFullMembers(ctx)
      .catch(error => logFailure(ctx, error, 'full members were not promoted'))
      .then(schedule)
  }
  schedule()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await running
  }
}
