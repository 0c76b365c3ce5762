import { codePoints, limits } from '../../../shared/limits.js'
import { changeUses } from '../../actions/files/uses.js'
import { messageAccess } from '../../actions/messages/audience.js'
import { holdMessage } from '../../actions/messages/hold-message.js'
import { notifyRendering } from '../../actions/messages/notify-edit.js'
import { renderFor } from '../../actions/messages/render.js'
import type { Ctx } from '../../ctx.js'
import type { After } from '../../job-types/job-type.js'
import { thumbnails } from '../../job-types/thumbnails.js'
import { wordStems } from '../../lookups/word-stems.js'
import type { Emit } from '../../realtime/emission.js'
import type { Tx } from '../../store/driver/db.js'
import { hastenPictures } from '../../store/files/thumbnails.js'
import type { ImportFile } from '../../store/imports/import-files.js'
import { storeImportedText } from '../../store/imports/imported-messages.js'
import { textOf } from '../../store/messages/message-edits.js'
import { RENDERER_VERSION } from '../../text/markdown.js'
import { searchVector } from '../../text/search/vector.js'

/** A running transaction of `write`. */
export interface Writing {
  readonly tx: Tx
  readonly emit: Emit
  readonly after: After
}

type Shown = Pick<ImportFile, 'message_id' | 'copy_id' | 'line'>

/** The messages that show the file, ascending. */
const messagesOf = ({ message_id, copy_id }: Shown): number[] => [message_id, copy_id].filter(id => id !== null)

/** Holds the messages that show the file until the transaction ends. */
export async function holdMessages(ctx: Ctx, tx: Tx, file: Shown): Promise<void> {
  for (const messageId of messagesOf(file)) await holdMessage(ctx, tx, { messageId, lock: 'update' })
}

/**
 * Replaces the line of a file in its messages, which the transaction holds. They get no mark of an edit, and clients a new rendering.
 * @returns false: no message has the line, or room for the new one
 */
export async function replaceLine(ctx: Ctx, writing: Writing, file: Shown, by: string): Promise<boolean> {
  let isReplaced = false
  for (const id of messagesOf(file)) {
    if (await replaceIn(ctx, writing, id, { line: file.line, by })) isReplaced = true
  }
  return isReplaced
}

async function replaceIn(
  ctx: Ctx,
  { tx, emit, after }: Writing,
  id: number,
  { line, by }: { readonly line: string; readonly by: string },
): Promise<boolean> {
  const before = await textOf(tx, id)
  // Files come behind the text, which may say the same.
  const at = before?.content.lastIndexOf(line) ?? -1
  if (!before || at < 0) return false
  const content = before.content.slice(0, at) + by + before.content.slice(at + line.length)
  if (codePoints(content) > limits.max_message_length) return false
  const rendered = await renderFor(ctx, tx, { authorId: before.sender_id, content, channelId: before.channel_id })
  await storeImportedText(tx, id, {
    content,
    rendered_content: rendered.html,
    renderer_version: RENDERER_VERSION,
    has_link: rendered.hasLink,
    has_image: rendered.hasImage,
    has_attachment: rendered.hasAttachment,
    search: searchVector(rendered.html, before.topic, wordStems(ctx)),
  })
  await changeUses(tx, emit, before, rendered.attachmentIds)
  if (rendered.awaitedPictures.length > 0) {
    await hastenPictures(tx, rendered.awaitedPictures)
    after(thumbnails, {})
  }
  const message = { ...before, content }
  const access = await messageAccess(tx, ctx.directory, before, [id])
  await notifyRendering(ctx, tx, emit, {
    message,
    rendered_content: rendered.html,
    access,
    at: new Date(ctx.clock.now()),
  })
  return true
}
