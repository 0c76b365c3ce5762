import type { WorkerCtx } from '../ctx.js'
import type { Notice } from '../job-types/notice.js'
import { quoted } from '../text/quote.js'

// A message that comes later than this may say what is no longer so.
const longestDelaySeconds = 600

/** Of jobs that send messages at a time. Attempts go on for longer than a message may be late. */
export const timed = { guarantee: 'exactly once', atOnce: 25, seconds: 30, attempts: 20 } as const

/** @param due UNIX seconds */
export const isTooLate = ({ clock }: WorkerCtx, due: number): boolean => clock.now() / 1000 - due > longestDelaySeconds

export const missedTime = 'The server could not send it at that time.'

interface Timed {
  readonly user_id: number
  /** UNIX seconds. */
  readonly due: number
}

/** Says to the owner that something was not sent. `what`: the beginning of the sentence. */
export const failureNotice = (what: string, { user_id, due }: Timed, reason: string): Notice => ({
  to: { people: [user_id] },
  content: [
    `${what} for <time:${new Date(due * 1000).toISOString().replace('.000Z', 'Z')}> could not be sent:`,
    '',
    quoted(reason),
    '',
    '[Scheduled messages](/#scheduled)',
  ].join('\n'),
})
