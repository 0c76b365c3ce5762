import type { Attachment } from '../../../shared/resources/attachment.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { editContent } from './edit-content.js'
import { moveMessages } from './move.js'
import type { MessageEdit } from './plan-edit.js'

/**
 * Edits a message, or moves it and others of its topic.
 * @returns `detached`: the author's files that no message uses any more
 * @throws {ApiError}
 */
export async function editMessage(
  ctx: Ctx,
  actor: Actor,
  messageId: number,
  edit: MessageEdit,
): Promise<{ detached: readonly Attachment[] }> {
  const { content, prevContentSha256, topic, channelId, propagateMode } = edit
  const isOnlyContent = topic === undefined && channelId === undefined && propagateMode === 'change_one'
  const detached =
    isOnlyContent && content !== undefined
      ? await editContent(ctx, actor, messageId, { content, prevContentSha256 })
      : await moveMessages(ctx, actor, messageId, edit)
  return { detached }
}
