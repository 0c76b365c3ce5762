import { decideNotifications } from '../actions/notify/decide.js'
import { decideNotifications as type } from '../job-types/notify.js'
import { SettledIds } from '../memory/settled-ids.js'
import { type JobKind, standingKind } from './job-kind.js'

// While a transaction is open that may hold an earlier message, the job looks again, each time after twice the pause.
const firstPauseMs = 50
const longestPauseMs = 1_000

/** Decides who is notified of new messages, a moment after they were sent. */
export function decideNotificationsKind(): JobKind {
  const settled = new SettledIds()
  let pauseMs = firstPauseMs
  return standingKind(type, {
    seconds: 60,
    async run(ctx, _, { signal }) {
      let left = await decideNotifications(ctx, settled)
      while (left === 'more' && !signal.aborted) left = await decideNotifications(ctx, settled)
      if (left === 'open') ctx.jobs.wake(type, pauseMs)
      pauseMs = left === 'open' ? Math.min(2 * pauseMs, longestPauseMs) : firstPauseMs
    },
  })
}
