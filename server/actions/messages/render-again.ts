import type { Ctx } from '../../ctx.js'
import { storeRendering, textOf } from '../../store/messages/message-edits.js'
import { RENDERER_VERSION } from '../../text/markdown.js'
import { messageAccess } from './audience.js'
import { holdMessage } from './hold-message.js'
import { notifyRendering } from './notify-edit.js'
import { renderFor } from './render.js'

/**
 * Renders a stored message again, because what it shows has changed, and emits `update_message` with `rendering_only` if its HTML differs. Text,
 * mentions and history stay as they are.
 */
export async function renderAgain(ctx: Ctx, messageId: number): Promise<void> {
  await ctx.write(async (tx, emit) => {
    await holdMessage(ctx, tx, { messageId, lock: 'update' })
    const message = await textOf(tx, messageId)
    // The message was deleted meanwhile.
    if (!message) return
    const { html, hasImage } = await renderFor(ctx, tx, {
      authorId: message.sender_id,
      content: message.content,
      channelId: message.channel_id,
    })
    if (html === message.rendered_content) return
    const rendering = { rendered_content: html, renderer_version: RENDERER_VERSION, has_image: hasImage }
    await storeRendering(tx, messageId, rendering)
    const access = await messageAccess(tx, ctx.directory, message, [messageId])
    await notifyRendering(ctx, tx, emit, { message, rendered_content: html, access, at: new Date(ctx.clock.now()) })
  })
}
