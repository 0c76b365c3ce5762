import { type UpdateMessagePayload, updateMessageEvent } from '../../../shared/events/update-message.js'
import type { Ctx } from '../../ctx.js'
import { knowsChannel } from '../../policies/channel-permissions.js'
import { realmSetting } from '../../policies/settings.js'
import type { Emission, Emit } from '../../realtime/emission.js'
import type { Tx } from '../../store/driver/db.js'
import type { EditableMessage } from '../../store/messages/editable-message.js'
import { flagsOfUsers, type MessageText } from '../../store/messages/message-edits.js'
import { wildcardBit } from '../../store/messages/message-flags.js'
import type { NewContent } from '../../store/messages/store-edit.js'
import type { UserRow } from '../../store/users/users.js'
import { type AccessGroup, messageAccess, usersOf } from './audience.js'
import { notifyFirstMessage } from './first-message.js'
import { followers, notifyLoss, notifyRead } from './notify-move.js'
import type { EditPlan, PropagateMode } from './plan-edit.js'
import { FlagGroups, flagsAfterEdit } from './reader-flags.js'

interface UpdatedMessage {
  /** The message before. */
  readonly message: MessageText
  /** Null: only the rendering changed. */
  readonly user: UserRow | null
  readonly plan: EditPlan
  readonly at: Date
  readonly content: Pick<NewContent, 'content' | 'rendered_content' | 'is_me_message'> | null
  readonly propagateMode: PropagateMode
  readonly isGrowing?: true
}

interface DoneEdit extends UpdatedMessage {
  readonly message: EditableMessage
  readonly user: UserRow
  readonly content: NewContent | null
  /** The users who could see the messages before the edit. */
  readonly before: readonly AccessGroup[]
}

/** Emits the edit to users who can see the messages now, and a deletion to users who no longer can. */
export async function notifyEdit(ctx: Ctx, tx: Tx, emit: Emit, edit: DoneEdit): Promise<void> {
  const { move } = edit.plan
  if (!move || move.from === move.to) return notifyInPlace(ctx, tx, emit, edit)
  for (const id of [move.from.id, move.to.id].sort((a, b) => a - b)) await notifyFirstMessage(ctx, tx, emit, id)
  const there = await messageAccess(tx, ctx.directory, { channel_id: move.to.id, conversation_id: null }, move.ids)
  const after = [...there, ...followers(ctx, move.to, edit.before, usersOf(there))]
  await notifyLoss(ctx, tx, emit, { message: edit.message, before: edit.before, after })
  await notifyUpdate(ctx, tx, emit, { edit, groups: await withoutStrangers(ctx, edit, after) })
  await notifyRead(tx, emit, move, after)
}

/** The audience and the flags stay, but for what the new content changes; so the edit need not be stored yet. */
async function notifyInPlace(ctx: Ctx, tx: Tx, emit: Emit, edit: DoneEdit): Promise<void> {
  const { message, content, before } = edit
  const sees = (group: AccessGroup) => group.messageIds.includes(message.id)
  for (const group of before.filter(sees)) {
    emitUpdate(ctx, emit, edit, { ...group, perUser: flagsAfterEdit(group.userIds, message, content) })
  }
  // Users of a channel with protected history who received only others of the messages.
  const others = before.filter(group => !sees(group))
  if (others.length > 0) await notifyUpdate(ctx, tx, emit, { edit, groups: others })
}

/** Leaves out users who may not know the former channel: the event would reveal it to them. They see the messages in later requests. */
async function withoutStrangers(
  ctx: Ctx,
  { plan, before }: DoneEdit,
  after: readonly AccessGroup[],
): Promise<AccessGroup[]> {
  const from = plan.move?.from
  if (!from) return [...after]
  const insiders = new Set(before.flatMap(group => group.userIds))
  const knows = (id: number): boolean => {
    const user = ctx.directory.users.get(id)
    return insiders.has(id) || (user !== undefined && knowsChannel(ctx.directory, user, from, false))
  }
  return after.map(group => ({ ...group, userIds: group.userIds.filter(knows) }))
}

/** Emits a new rendering of the same text to the users who can see the message. */
export function notifyRendering(
  ctx: Ctx,
  tx: Tx,
  emit: Emit,
  {
    message,
    rendered_content,
    access,
    at,
  }: { message: MessageText; rendered_content: string; access: readonly AccessGroup[]; at: Date },
): Promise<void> {
  const plan = { content: null, move: null }
  const content = { ...message, rendered_content }
  return notifyUpdate(ctx, tx, emit, {
    edit: { message, user: null, plan, at, content, propagateMode: 'change_one' },
    groups: access,
  })
}

async function notifyUpdate(
  ctx: Ctx,
  tx: Tx,
  emit: Emit,
  { edit, groups }: { readonly edit: UpdatedMessage; readonly groups: readonly AccessGroup[] },
): Promise<void> {
  for (const { userIds, messageIds } of groups) {
    if (userIds.length === 0 || messageIds.length === 0) continue
    const messageId = messageIds.includes(edit.message.id) ? edit.message.id : (messageIds[0] as number)
    const perUser = await flagGroups(tx, messageId, userIds)
    emitUpdate(ctx, emit, edit, { userIds, messageIds, perUser })
  }
}

/** Emits an edit to users who see the same of its messages. `perUser`: their flags on the edited message, or on the first one that they see. */
export function emitUpdate(
  ctx: Ctx,
  emit: Emit,
  edit: UpdatedMessage,
  { userIds, messageIds, perUser }: AccessGroup & { readonly perUser: NonNullable<Emission['perUser']> },
): void {
  const sees = messageIds.includes(edit.message.id)
  const messageId = sees ? edit.message.id : (messageIds[0] as number)
  emit(updateMessageEvent, payloadOf(ctx, edit, { messageId, messageIds, sees }), userIds, { perUser })
}

function payloadOf(
  ctx: Ctx,
  { message, user, plan, at, content, propagateMode, isGrowing }: UpdatedMessage,
  {
    messageId,
    messageIds,
    sees,
  }: { readonly messageId: number; readonly messageIds: readonly number[]; readonly sees: boolean },
): UpdateMessagePayload {
  const { move } = plan
  const channel = ctx.directory.channels.get(message.channel_id ?? 0)
  return {
    user_id: user?.id ?? null,
    rendering_only: user === null,
    edit_timestamp: Math.floor(at.getTime() / 1000),
    message_id: messageId,
    message_ids: messageIds,
    flags: [],
    ...(channel && { channel: { stream_id: channel.id, stream_name: channel.name } }),
    ...(content &&
      sees && {
        content: {
          orig_content: message.content,
          orig_rendered_content: message.rendered_content,
          content: content.content,
          rendered_content: content.rendered_content,
          is_me_message: content.is_me_message,
        },
      }),
    ...(move && {
      move: {
        propagate_mode: propagateMode,
        orig_subject: message.topic,
        ...(move.to !== move.from && { new_stream_id: move.to.id }),
        ...(move.topic !== null && {
          subject: move.topic,
          topic_links: ctx.directory.linkifiers.topicLinks(move.topic),
        }),
      },
    }),
    empty_topic_display_name: realmSetting(ctx.directory, 'empty_topic_display_name'),
    ...(isGrowing && { isGrowing }),
  }
}

/** The present flags of each user on the message, in groups of users with the same flags. */
async function flagGroups(
  tx: Tx,
  messageId: number,
  userIds: readonly number[],
): Promise<NonNullable<Emission['perUser']>> {
  const groups = new FlagGroups()
  for (const row of await flagsOfUsers(tx, messageId, userIds)) {
    const mentionsChannel = (row.wildcard_mentions & wildcardBit.channel) !== 0
    groups.add(row.user_ids, { bits: row.bits, isRead: row.is_read, isReceived: row.is_received, mentionsChannel })
  }
  return groups.list()
}
