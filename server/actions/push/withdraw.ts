import type { Ctx } from '../../ctx.js'
import { logFailure } from '../../failures/log-failure.js'
import { push } from '../../job-types/push.js'
import { takeWithdrawn } from '../../store/push/pushed-messages.js'
import { gather } from '../gather.js'

// A push names so many messages at most.
const messagesPerPush = 100
// Rows of a transaction.
const messagesAtOnce = 5_000

/**
 * Closes the notifications of the user's pushed messages that are read by now. No answer waits for this, and an account that has no device costs
 * nothing. What a failure leaves, the job `withdraw-pushes` finds within a minute.
 */
export function withdrawRead(ctx: Ctx, userId: number): void {
  if (!ctx.memory.pushAccounts.mayHaveDevices(userId)) return
  withdraw(ctx, userId).catch(error => logFailure(ctx, error, 'notifications were not withdrawn'))
}

/** Closes notifications of messages that are read or gone, of one user or of all. @returns whether there may be more */
export function withdraw(ctx: Ctx, userId: number | null): Promise<boolean> {
  return ctx.write(async (tx, _emit, { after }) => {
    const rows = await takeWithdrawn(tx, userId, messagesAtOnce)
    for (const [user, messages] of gather(rows, row => row.user_id)) {
      const ids = messages.map(row => row.message_id).sort((a, b) => a - b)
      for (let at = 0; at < ids.length; at += messagesPerPush) {
        after(push, { kind: 'remove', user, messages: ids.slice(at, at + messagesPerPush) })
      }
    }
    return rows.length === messagesAtOnce
  })
}
