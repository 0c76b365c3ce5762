import { type UpdateMessagePayload, updateMessageEvent } from '../../../shared/events/update-message.js'
import type { MessageFlag } from '../../../shared/resources/message.js'
import type { Ctx } from '../../ctx.js'
import { knowsChannel } from '../../policies/channel-permissions.js'
import { realmSetting } from '../../policies/settings.js'
import type { Emission, Emit } from '../../realtime/emission.js'
import type { Tx } from '../../store/driver/db.js'
import { flagsOfUsers, type MessageText, type StoredEdit } from '../../store/messages/message-edits.js'
import { flagNames, wildcardBit } from '../../store/messages/message-flags.js'
import type { SeenMessage } from '../../store/messages/message-rows.js'
import type { UserRow } from '../../store/users/users.js'
import { type AccessGroup, messageAccess, usersOf } from './audience.js'
import { notifyFirstMessage } from './first-message.js'
import { followers, notifyLoss, notifyRead } from './notify-move.js'
import type { EditPlan, PropagateMode } from './plan-edit.js'

interface UpdatedMessage {
  /** The message before. */
  readonly message: MessageText
  /** Null: only the rendering changed. */
  readonly user: UserRow | null
  readonly plan: EditPlan
  readonly at: Date
  readonly content: Pick<NonNullable<StoredEdit['content']>, 'content' | 'rendered_content' | 'is_me_message'> | null
  readonly propagateMode: PropagateMode
}

interface DoneEdit extends UpdatedMessage {
  readonly message: SeenMessage
  readonly user: UserRow
  readonly content: StoredEdit['content']
  /** The users who could see the messages before the edit. */
  readonly before: readonly AccessGroup[]
}

/** Emits the edit to users who can see the messages now, and a deletion to users who no longer can. */
export async function notifyEdit(ctx: Ctx, tx: Tx, emit: Emit, edit: DoneEdit): Promise<void> {
  const { move } = edit.plan
  if (!move || move.from === move.to) {
    await notifyUpdate(ctx, tx, emit, { edit, groups: edit.before })
    return
  }
  for (const id of [move.from.id, move.to.id].sort((a, b) => a - b)) await notifyFirstMessage(ctx, tx, emit, id)
  const there = await messageAccess(tx, ctx.directory, { channel_id: move.to.id, conversation_id: null }, move.ids)
  const after = [...there, ...followers(ctx, move.to, edit.before, usersOf(there))]
  await notifyLoss(ctx, tx, emit, { message: edit.message, before: edit.before, after })
  await notifyUpdate(ctx, tx, emit, { edit, groups: await withoutStrangers(ctx, edit, after) })
  await notifyRead(tx, emit, move, after)
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
    const sees = messageIds.includes(edit.message.id)
    const messageId = sees ? edit.message.id : (messageIds[0] as number)
    const perUser = await flagGroups(tx, messageId, userIds)
    emit(updateMessageEvent, payloadOf(ctx, edit, { messageId, messageIds, sees }), userIds, { perUser })
  }
}

function payloadOf(
  ctx: Ctx,
  { message, user, plan, at, content, propagateMode }: UpdatedMessage,
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
  }
}

/** The present flags of each user on the message, in groups of users with the same flags. */
async function flagGroups(
  tx: Tx,
  messageId: number,
  userIds: readonly number[],
): Promise<NonNullable<Emission['perUser']>> {
  const groups = new Map<string, { users: number[]; fields: { flags: MessageFlag[] } }>()
  for (const row of await flagsOfUsers(tx, messageId, userIds)) {
    const flags = flagNames({
      bits: row.bits,
      isRead: row.is_read,
      isReceived: row.is_received,
      mentionsChannel: (row.wildcard_mentions & wildcardBit.channel) !== 0,
    })
    const group = groups.get(flags.join())
    if (group) group.users.push(...row.user_ids)
    else groups.set(flags.join(), { users: row.user_ids, fields: { flags } })
  }
  groups.delete('')
  for (const group of groups.values()) group.users.sort((a, b) => a - b)
  return [...groups.values()]
}
