import type { Ctx } from '../../ctx.js'
import { logFailure } from '../../failures/log-failure.js'
import { pushDevicesOf } from '../../store/push/devices.js'
import { type Pushed, takeWithdrawn } from '../../store/push/pushed-messages.js'
import { gather } from '../gather.js'
import { addPushes } from './push-jobs.js'

// A push names so many messages at most.
const messagesPerPush = 100
// Rows of a transaction.
const messagesAtOnce = 5_000

/**
 * Closes the notifications of the user's pushed messages that are read by now. No answer waits for this, and an account that has no device costs
 * nothing. What a failure leaves, the job `withdraw-pushes` finds within an hour.
 * @param messages those that were just read; absent: all
 */
export function withdrawRead(ctx: Ctx, userId: number, messages?: readonly number[]): void {
  if (!ctx.memory.pushAccounts.mayHaveDevices(userId)) return
  withdraw(ctx, { users: [userId], ...(messages && { messages }) }).catch(error =>
    logFailure(ctx, error, 'notifications were not withdrawn'),
  )
}

/** Closes notifications of messages that are read or gone. */
export async function withdraw(ctx: Ctx, where: Pushed, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await withdrawSome(ctx, where)) === messagesAtOnce);
}

/** @returns the number of messages */
function withdrawSome(ctx: Ctx, where: Pushed): Promise<number> {
  return ctx.write(async (tx, _emit, { after }) => {
    const rows = await takeWithdrawn(tx, where, messagesAtOnce)
    if (rows.length === 0) return 0
    const byUser = gather(rows, row => row.user_id)
    const devices = new Map(
      gather(
        await pushDevicesOf(
          tx,
          byUser.map(([user]) => user),
        ),
        device => device.user_id,
      ),
    )
    for (const [user, messages] of byUser) {
      const ids = messages.map(row => row.message_id).sort((a, b) => a - b)
      for (let at = 0; at < ids.length; at += messagesPerPush) {
        const named = ids.slice(at, at + messagesPerPush)
        addPushes(ctx, after, { kind: 'remove', user, messages: named }, devices.get(user) ?? [])
      }
    }
    return rows.length
  })
}
