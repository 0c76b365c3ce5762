import type { Ctx } from '../../ctx.js'
import { logFailure } from '../../log-failure.js'
import { nextPromotion, promoteFullMembers } from './promote-full-members.js'

// A look into memory. Longer, and who joins or waits less than was thought at the last look would be late for long.
const longestPauseMilliseconds = 60_000
// After a failure, and so that a due date that was reached a moment too early does not make it spin.
const shortestPauseMilliseconds = 1000

/**
 * Promotes members when their time is over: at most a minute late, in whichever worker looks first.
 * @returns how to end it; resolves when nothing of it runs any more
 */
export function keepPromoting(ctx: Ctx): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  let stopped = false
  const schedule = () => {
    if (stopped) return
    const due = nextPromotion(ctx.directory) - ctx.clock.now()
    timer = setTimeout(run, Math.max(shortestPauseMilliseconds, Math.min(due, longestPauseMilliseconds)))
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
