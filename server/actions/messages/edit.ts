import type { Attachment } from '../../../shared/resources/attachment.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { addNotices } from '../../job-types/notice.js'
import { thumbnails } from '../../job-types/thumbnails.js'
import { websites } from '../../job-types/websites.js'
import type { Tx } from '../../store/driver/db.js'
import { hastenPictures } from '../../store/files/thumbnails.js'
import { addWebsiteWork } from '../../store/files/websites.js'
import { type StoredEdit, storeEdit, storeMentions } from '../../store/messages/message-edits.js'
import { flagBit } from '../../store/messages/message-flags.js'
import type { SeenMessage } from '../../store/messages/message-rows.js'
import { markGainedRead } from '../../store/reading/read-state.js'
import type { UserRow } from '../../store/users/users.js'
import { RENDERER_VERSION } from '../../text/markdown.js'
import { changeUses } from '../files/uses.js'
import { type AccessGroup, messageAccess, usersOf } from './audience.js'
import { carryPolicies } from './carry-policies.js'
import { holdMessage } from './hold-message.js'
import { findMentioned } from './mentions.js'
import { moveNotices } from './move-notices.js'
import { notifyEdit } from './notify-edit.js'
import { type EditPlan, type MessageEdit, planEdit } from './plan-edit.js'
import type { PreparedMessage } from './prepare.js'
import { renderFor } from './render.js'

/**
 * Edits a message, or moves it and others of its topic, in one transaction.
 * @returns `detached`: the author's files that no message uses any more
 * @throws {ApiError}
 */
export async function editMessage(
  ctx: Ctx,
  actor: Actor,
  messageId: number,
  edit: MessageEdit,
): Promise<{ detached: Attachment[] }> {
  const done = await ctx.write(async (tx, emit, { after }) => {
    const targets = edit.channelId === undefined ? [] : [edit.channelId]
    const { message, user } = await holdMessage(ctx, tx, actor, { messageId, channelIds: targets })
    const plan = await planEdit(ctx, tx, { actor, user, message, edit })
    if (!plan.content && !plan.move) return null
    const at = new Date(ctx.clock.now())
    const ids = plan.move?.ids ?? [messageId]
    const before = await messageAccess(tx, ctx.directory, message, ids)
    const content =
      plan.content === null ? null : await contentOf(ctx, tx, user, { message, content: plan.content, access: before })
    const detached = content ? await changeUses(tx, emit, message, content.attachmentIds) : []
    if (content?.awaitsWebsites) {
      await addWebsiteWork(tx, messageId)
      after(websites, {})
    }
    if (content && content.awaitedPictures.length > 0) {
      await hastenPictures(tx, content.awaitedPictures)
      after(thumbnails, {})
    }
    await storeEdit(tx, storedEdit(user, { at, ids, plan, content }))
    if (plan.move && plan.move.from !== plan.move.to) await markGainedRead(tx, plan.move.from.id, plan.move.to.id, ids)
    if (plan.move) await carryPolicies(ctx, tx, emit, { message, user, move: plan.move, mode: edit.propagateMode })
    await notifyEdit(ctx, tx, emit, { message, user, plan, at, content, before, propagateMode: edit.propagateMode })
    addNotices(after, await moveNotices(tx, { message, user, plan, edit }))
    return { message, plan, detached }
  })
  // The message has this content already.
  if (!done) return { detached: [] }
  if (done.plan.move)
    ctx.memory.knownTopics.forgetTopic({ channelId: done.plan.move.from.id, topic: done.message.topic })
  return { detached: done.detached }
}

function storedEdit(
  user: UserRow,
  {
    at,
    ids,
    plan: { move },
    content,
  }: {
    readonly at: Date
    readonly ids: readonly number[]
    readonly plan: EditPlan
    readonly content: StoredEdit['content']
  },
): StoredEdit {
  const channelId = move && move.to !== move.from ? move.to.id : null
  return { userId: user.id, at, ids, channelId, topic: move?.topic ?? null, content }
}

const flagsOfContent = flagBit.mentioned | flagBit.topic_wildcard_mentioned | flagBit.has_alert_word

type NewContent = NonNullable<StoredEdit['content']> &
  Pick<PreparedMessage, 'attachmentIds' | 'awaitedPictures' | 'awaitsWebsites'>

/** The new content, rendered. Stores the mentions and alert words in it with the message. */
async function contentOf(
  ctx: Ctx,
  tx: Tx,
  user: UserRow,
  {
    message,
    content,
    access,
  }: { readonly message: SeenMessage; readonly content: string; readonly access: readonly AccessGroup[] },
): Promise<NewContent> {
  const rendered = await renderFor(ctx, tx, { authorId: user.id, content, channelId: message.channel_id })
  const place = message.channel_id === null ? null : { channelId: message.channel_id, topic: message.topic }
  const audience = usersOf(access.filter(group => group.messageIds.includes(message.id)))
  const mentioned = await findMentioned(ctx, tx, user, { rendered, place, audience, content })
  await storeMentions(tx, message.id, flagsOfContent, mentioned.bits)
  return {
    attachmentIds: rendered.attachmentIds,
    awaitedPictures: rendered.awaitedPictures,
    awaitsWebsites: rendered.unreadWebsites.length > 0,
    id: message.id,
    content,
    rendered_content: rendered.html,
    renderer_version: RENDERER_VERSION,
    has_link: rendered.hasLink,
    has_image: rendered.hasImage,
    has_attachment: rendered.hasAttachment,
    is_me_message: rendered.isMeMessage,
    wildcard_mentions: mentioned.wildcards,
  }
}
