import type { WorkerCtx } from '../../ctx.js'
import { showGrowth as showGrowthType, streamedMessageKey } from '../../job-types/streamed-message.js'
import { hasJob } from '../../store/jobs/jobs.js'
import { type Editable, editable } from '../../store/messages/editable-message.js'
import { openMessage } from '../../store/messages/open-message.js'
import { checkContent } from '../../text/content.js'
import { holdMessage } from './hold-message.js'
import { emitUpdate } from './notify-edit.js'
import { audienceOf } from './open-message.js'
import { flagsAfterEdit } from './reader-flags.js'
import { renderFor } from './render.js'

/** Shows the whole text of messages that have grown through this worker, each once a second at most, to readers who get no pieces. */
export async function showGrowth(ctx: WorkerCtx, signal: AbortSignal): Promise<void> {
  let waitMs = Number.POSITIVE_INFINITY
  for (const messageId of ctx.memory.grownMessages.take()) {
    const shown = signal.aborted ? 0 : await ctx.streamedTexts.show(messageId, ctx.clock.now())
    if (typeof shown === 'string') await show(ctx, messageId, shown)
    if (typeof shown !== 'number') continue
    ctx.memory.grownMessages.note(messageId)
    waitMs = Math.min(waitMs, shown)
  }
  if (Number.isFinite(waitMs)) ctx.jobs.wake(showGrowthType, waitMs)
}

/** The event is stored, and the message held, so that it comes before those of the end, whichever worker emits them. */
async function show(ctx: WorkerCtx, messageId: number, text: string): Promise<void> {
  const given = checkContent(text)
  if (!given.ok) return
  await ctx.write(async (tx, emit) => {
    await holdMessage(ctx, tx, { messageId, lock: 'share' })
    if (!(await hasJob(tx, streamedMessageKey(messageId)))) return
    const message = await openMessage<Editable>(tx, 0, messageId, editable(tx))
    if (!message || message.was_edited) return
    const { sender_id, channel_id } = message
    const rendered = await renderFor(ctx, tx, {
      authorId: sender_id,
      content: given.text,
      channelId: channel_id,
      isStored: false,
    })
    const audience = await audienceOf(ctx, tx, message)
    const content = { content: given.text, rendered_content: rendered.html, is_me_message: rendered.isMeMessage }
    const plan = { content: given.text, move: null }
    const at = new Date(ctx.clock.now())
    const update = { message, user: null, plan, at, content, propagateMode: 'change_one', isGrowing: true } as const
    const perUser = flagsAfterEdit(audience, message, null)
    emitUpdate(ctx, emit, update, { userIds: audience, messageIds: [messageId], perUser })
  })
}
