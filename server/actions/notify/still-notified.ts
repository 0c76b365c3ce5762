import type { WorkerCtx } from '../../ctx.js'
import { isQuiet } from '../../policies/quiet.js'
import { messagesToDecide } from '../../store/notify/undecided-messages.js'
import { candidatesAmong } from './candidates.js'
import { notifiedAmong } from './decide.js'

/**
 * The part of the users that a message would notify by push now: since it was decided, they may have muted its sender or place, begun a quiet
 * time or lost access. `isEdited`: an edit may have added the reason.
 */
export async function stillNotified(
  ctx: WorkerCtx,
  messageId: number,
  isEdited: boolean,
  userIds: readonly number[],
): Promise<ReadonlySet<number>> {
  return ctx.write(async tx => {
    const [message] = await messagesToDecide(tx, [messageId])
    if (!message) return new Set()
    const forms = isEdited ? [message, { ...message, isEdit: true }] : [message]
    const now = ctx.clock.now()
    const candidates = forms
      .flatMap(form => candidatesAmong(ctx.directory, form, userIds))
      .filter(({ user }) => !isQuiet(user, now))
    const { push } = await notifiedAmong(ctx, tx, candidates)
    return new Set(push.map(one => one.userId))
  })
}
