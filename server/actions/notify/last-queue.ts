import type { Ctx, WorkerCtx } from '../../ctx.js'
import type { After } from '../../job-types/job-type.js'
import { lastQueue } from '../../job-types/notify.js'
import { wantsChannels } from '../../policies/notify-reason.js'
import type { Tx } from '../../store/driver/db.js'
import { firstMessageIdSince } from '../../store/messages/message-ids.js'
import { messagesFor } from '../../store/notify/messages-for.js'
import { holdProgress } from '../../store/notify/progress.js'
import { messagesToDecide } from '../../store/notify/undecided-messages.js'
import { candidatesAmong } from './candidates.js'
import { notifiedAmong } from './decide.js'
import { addMissedMails } from './missed-mails.js'

// By then the queue has ended, also for other workers.
const delayMs = 2_000
// The newest of the messages that came while a client had vanished.
const mostMessages = 500
// A message may have been sent before the client's last sign of life, and be in the queue after it.
const slackMs = 1_000

/** Has the messages in the last queue of a user, which is being collected, mailed: a client that vanished never showed them. */
export async function noteLastQueue(ctx: Ctx, userId: number, idleSince: number): Promise<void> {
  const user = ctx.directory.users.get(userId)
  if (!user || user.is_bot) return
  await ctx.write(async (_, __, { after }) => {
    after(lastQueue, { user: userId, since: idleSince }, { at: new Date(ctx.clock.now() + delayMs) })
  })
}

/**
 * Decides again on what came since the user's last client vanished, now that no queue of the user receives messages. Messages that were
 * mailed meanwhile are not mailed again. The directory is fresh.
 */
export async function mailFromLastQueue(
  ctx: WorkerCtx,
  tx: Tx,
  after: After,
  { user: userId, since }: { readonly user: number; readonly since: number },
): Promise<void> {
  const user = ctx.directory.users.get(userId)
  if (!user?.is_active || (await ctx.presence.lookingSince([userId], 0)).size > 0) return
  const { decided: upto } = await holdProgress(tx)
  const from = await firstMessageIdSince(tx, new Date(since - slackMs))
  const wanted = { from, upto, limit: mostMessages, wantsChannels: wantsChannels(user, 'email') }
  const messages = await messagesToDecide(tx, await messagesFor(tx, userId, wanted))
  const own = messages.flatMap(message => candidatesAmong(ctx.directory, message, [userId]))
  const { email } = await notifiedAmong(ctx, tx, own)
  await addMissedMails(ctx, tx, after, email)
}
