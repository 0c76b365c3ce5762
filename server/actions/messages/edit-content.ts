import { ApiError } from '../../../shared/errors.js'
import type { Attachment } from '../../../shared/resources/attachment.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import type { After } from '../../job-types/job-type.js'
import { decideNotifications } from '../../job-types/notify.js'
import { thumbnails } from '../../job-types/thumbnails.js'
import { websites } from '../../job-types/websites.js'
import { wordStems } from '../../lookups/word-stems.js'
import type { Emit } from '../../realtime/emission.js'
import type { ISql, Tx } from '../../store/driver/db.js'
import { hastenPictures } from '../../store/files/thumbnails.js'
import { addWebsiteWork } from '../../store/files/websites.js'
import { type Editable, type EditableMessage, editable } from '../../store/messages/editable-message.js'
import { stillSame } from '../../store/messages/open-message.js'
import { type NewContent, newMentionsOf, storeEdit } from '../../store/messages/store-edit.js'
import type { UserRow } from '../../store/users/users.js'
import { RENDERER_VERSION } from '../../text/markdown.js'
import { searchVector } from '../../text/search/vector.js'
import { changeUses } from '../files/uses.js'
import { writeAtOnce } from '../write-at-once.js'
import { holdMessage } from './hold-message.js'
import { findMentioned } from './mentions.js'
import { emitUpdate } from './notify-edit.js'
import { audienceOf, openForChange } from './open-message.js'
import { planContent } from './plan-edit.js'
import type { PreparedMessage } from './prepare.js'
import { flagsAfterEdit } from './reader-flags.js'
import { renderFor } from './render.js'

/** New content, and what else follows from it. */
export type RenderedContent = NewContent & Pick<PreparedMessage, 'attachmentIds' | 'awaitedPictures' | 'awaitsWebsites'>

/**
 * Gives a message new content.
 * @returns the author's files that no message uses any more
 * @throws {ApiError}
 */
export async function editContent(
  ctx: Ctx,
  actor: Actor,
  messageId: number,
  edit: { readonly content: string; readonly prevContentSha256: string | undefined },
): Promise<Attachment[]> {
  let detached: Attachment[] = []
  let hasNewMentions = false
  await writeAtOnce(ctx, {
    hold: tx => holdMessage(ctx, tx, { messageId, lock: 'update' }),
    async prepare(sql, emit, tx, after) {
      const { message, user } = await openForChange<Editable>(ctx, sql, actor, { messageId, more: editable(sql) })
      const given = planContent(ctx, user, message, edit)
      if (given === null) return null
      const audience = await audienceOf(ctx, sql, message)
      const content = await renderContent(ctx, sql, user, {
        message,
        content: given,
        audience,
        topic: message.topic,
      })
      // Files and websites have events and jobs of their own, and few edits change them.
      if (hasMore(message, content) && !tx) return 'locks'
      detached = tx && after ? await storeMore(tx, emit, after, { message, content }) : []
      hasNewMentions = newMentionsOf(message, content) !== null
      const at = new Date(ctx.clock.now())
      const perUser = flagsAfterEdit(audience, message, content)
      const plan = { content: given, move: null }
      const edited = { message, user, plan, at, content, propagateMode: 'change_one' } as const
      emitUpdate(ctx, emit, edited, { userIds: audience, messageIds: [messageId], perUser })
      const stored = { message, userId: user.id, at, content, move: null }
      return (within, version) => within`${stillSame(within, message, version)}, ${storeEdit(within, stored)}`
    },
  })
  if (hasNewMentions) ctx.jobs.wake(decideNotifications)
  return detached
}

/** The new content with the mentions and alert words in it. @throws {ApiError} */
export async function renderContent(
  ctx: Ctx,
  sql: ISql,
  user: UserRow,
  {
    message,
    content,
    audience,
    topic,
    refuses = true,
  }: {
    readonly message: EditableMessage
    readonly content: string
    readonly audience: readonly number[]
    /** After the edit. */
    readonly topic: string
    /** False: if the author may not use one of the mentions, none counts. */
    readonly refuses?: boolean
  },
): Promise<RenderedContent> {
  const rendered = await renderFor(ctx, sql, { authorId: user.id, content, channelId: message.channel_id })
  const place = message.channel_id === null ? null : { channelId: message.channel_id, topic: message.topic }
  const mentioned = await findMentioned(ctx, sql, user, { rendered, place, audience, content }).catch(error => {
    if (refuses || !(error instanceof ApiError)) throw error
    return { wildcards: 0, bits: new Map<number, number>() }
  })
  return {
    attachmentIds: rendered.attachmentIds,
    awaitedPictures: rendered.awaitedPictures,
    awaitsWebsites: rendered.unreadWebsites.length > 0,
    content,
    rendered_content: rendered.html,
    renderer_version: RENDERER_VERSION,
    search: searchVector(rendered.html, topic, wordStems(ctx)),
    has_link: rendered.hasLink,
    has_image: rendered.hasImage,
    has_attachment: rendered.hasAttachment,
    is_me_message: rendered.isMeMessage,
    wildcard_mentions: mentioned.wildcards,
    bits: mentioned.bits,
  }
}

interface Rerendered {
  readonly message: EditableMessage
  readonly content: RenderedContent
}

/** Whether `storeMore` has something to do. */
export function hasMore(
  message: EditableMessage,
  { attachmentIds, awaitedPictures, awaitsWebsites }: RenderedContent,
): boolean {
  const used = new Set(message.attachment_ids)
  const isSame = used.size === new Set(attachmentIds).size && attachmentIds.every(id => used.has(id))
  return !isSame || awaitedPictures.length > 0 || awaitsWebsites
}

/**
 * Stores the files that the new content uses, and the work on its pictures and websites.
 * @returns the author's files that no message uses any more
 */
export async function storeMore(
  tx: Tx,
  emit: Emit,
  after: After,
  { message, content }: Rerendered,
): Promise<Attachment[]> {
  const detached = await changeUses(tx, emit, message, content.attachmentIds)
  if (content.awaitsWebsites) {
    await addWebsiteWork(tx, message.id)
    after(websites, {})
  }
  if (content.awaitedPictures.length > 0) {
    await hastenPictures(tx, content.awaitedPictures)
    after(thumbnails, {})
  }
  return detached
}
