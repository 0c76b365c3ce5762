import { ApiError, badRequest } from '../../../shared/errors.js'
import { streamedMessageStart } from '../../../shared/events/streamed-message.js'
import { codePoints, limits } from '../../../shared/limits.js'
import type { EndReason } from '../../../shared/resources/streamed-message.js'
import type { Ctx, WorkerCtx } from '../../ctx.js'
import { streamedMessage, streamedMessageKey } from '../../job-types/streamed-message.js'
import type { ISql } from '../../store/driver/db.js'
import { type OpenedMessage, openMessage } from '../../store/messages/open-message.js'
import { widgetOf } from '../../text/widgets.js'
import { withSender } from './message-entries.js'
import { audienceOf } from './open-message.js'
import type { Sending } from './prepare.js'

/** An author that has sent nothing for so long is silent. */
export const silenceMs = 60_000
/** A message grows for so long at most. */
export const longestGrowthMs = 3_600_000

/** How the text of the message begins to grow with the transaction that stores it. @throws {ApiError} the text cannot grow */
export function growing(
  ctx: WorkerCtx,
  { senderId, content: text }: Pick<Sending, 'senderId' | 'content'>,
): Pick<Sending, 'alongside'> {
  if (codePoints(text) > limits.max_message_length) throw badRequest(tooLong)
  if (widgetOf(text) !== undefined) throw badRequest('A poll or a to-do list cannot be streamed.')
  return {
    async alongside(tx, emit, { id, after }) {
      const now = ctx.clock.now()
      const message = await openMessage(tx, senderId, id)
      if (!message) throw new Error('the message was not stored')
      emit(streamedMessageStart, { message_id: id, text }, await growthAudience(ctx, tx, message))
      const job = { key: streamedMessageKey(id), at: new Date(now + silenceMs) }
      after(streamedMessage, { message_id: id, begun: now }, job)
      // Before the commit: when the author knows the id, it can append.
      await ctx.streamedTexts.begin(id, text, now)
    },
  }
}

export const tooLong = `The text would have more than ${limits.max_message_length} characters.`

/** Who sees the message grow: its readers, and its author. */
export async function growthAudience(ctx: Ctx, sql: ISql, message: OpenedMessage): Promise<readonly number[]> {
  return withSender(await audienceOf(ctx, sql, message), message.sender_id)
}

/** `reason`: why it has ended; `unknown`: it is not streamed, or has ended long ago. */
export const notGrowing = (reason: EndReason | 'unknown'): ApiError =>
  new ApiError('MESSAGE_NOT_GROWING', 'The message is not streamed, or has ended.', { reason })
