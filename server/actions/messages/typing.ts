import { typingStart, typingStop } from '../../../shared/events/typing.js'
import { typingEditStart, typingEditStop } from '../../../shared/events/typing-edit-message.js'
import { limits } from '../../../shared/limits.js'
import type { Ctx } from '../../ctx.js'
import { subscribersOf } from '../../lookups/subscriber-lists.js'
import { realmSetting, userSetting } from '../../policies/settings.js'
import { limitedGuests } from '../../policies/users.js'
import { apiEmail } from '../../presenters/addresses.js'
import type { Emission } from '../../realtime/emission.js'
import { findConversation } from '../../store/messages/conversations.js'
import type { SeenMessage } from '../../store/messages/message-rows.js'
import { guestsWhoKnow, type UserRow } from '../../store/users/users.js'
import { messageAccess, usersOf } from './audience.js'

export type TypingOp = 'start' | 'stop'

/** The users among these who receive typing notifications. */
function interested(ctx: Ctx, userIds: readonly number[]): number[] {
  return userIds.filter(id => {
    const user = ctx.directory.users.get(id)
    return user?.is_active && userSetting(user, 'receives_typing_notifications')
  })
}

/** Subscribers of a channel, without guests who may not know the typing user. */
async function subscribersToTell(ctx: Ctx, typist: UserRow, channelId: number): Promise<readonly number[]> {
  const userIds = await subscribersOf(ctx, channelId)
  if (userIds.length > limits.typing_max_channel_subscribers) return []
  if (typist.is_bot || userIds.includes(typist.id)) return userIds
  const strangers = limitedGuests(ctx.directory)
  return userIds.filter(id => !strangers.includes(id))
}

function announce(ctx: Ctx, emission: Emission): void {
  if (emission.audience.length > 0) ctx.realtime.announce([emission])
}

const person = (ctx: Ctx, user: UserRow) => ({ user_id: user.id, email: apiEmail(user, ctx.realmHost) })

/**
 * Guests who may not know all other participants: they come to know them with the first message. In a larger conversation that has not
 * begun, no such guest receives typing events.
 */
async function strangersAmong(ctx: Ctx, sender: UserRow, participants: readonly UserRow[]): Promise<number[]> {
  const userIds = participants.map(user => user.id)
  const guests = limitedGuests(ctx.directory).filter(id => id !== sender.id && userIds.includes(id))
  if (guests.length === 0 || (await findConversation(ctx.sql, userIds)) !== undefined) return []
  if (userIds.length > 2) return guests
  const knowing = sender.is_bot ? guests : await guestsWhoKnow(ctx.sql, sender.id, guests)
  return guests.filter(id => !knowing.includes(id))
}

/** @param participants all participants of the conversation, the sender included */
export async function typeToPeople(
  ctx: Ctx,
  sender: UserRow,
  op: TypingOp,
  participants: readonly UserRow[],
): Promise<void> {
  const strangers = await strangersAmong(ctx, sender, participants)
  announce(ctx, {
    def: op === 'start' ? typingStart : typingStop,
    payload: {
      message_type: 'direct',
      sender: person(ctx, sender),
      recipients: participants.map(user => person(ctx, user)),
    },
    audience: interested(
      ctx,
      participants.flatMap(user => (strangers.includes(user.id) ? [] : user.id)),
    ),
  } as Emission)
}

export async function typeToChannel(
  ctx: Ctx,
  sender: UserRow,
  { op, channelId, topic }: { readonly op: TypingOp; readonly channelId: number; readonly topic: string },
): Promise<void> {
  announce(ctx, {
    def: op === 'start' ? typingStart : typingStop,
    payload: {
      message_type: 'stream',
      sender: person(ctx, sender),
      stream_id: channelId,
      topic,
      empty_topic_display_name: realmSetting(ctx.directory, 'empty_topic_display_name'),
    },
    audience: interested(ctx, await subscribersToTell(ctx, sender, channelId)),
  } as Emission)
}

/** Subscribers who may see the message: with protected history, not those who subscribed after it. */
async function readersToTell(
  ctx: Ctx,
  editor: UserRow,
  message: SeenMessage,
  channelId: number,
): Promise<readonly number[]> {
  const userIds = await subscribersToTell(ctx, editor, channelId)
  if (userIds.length === 0) return []
  const readers = new Set(usersOf(await messageAccess(ctx.sql, ctx.directory, message, [message.id])))
  return userIds.filter(id => readers.has(id))
}

/** The editing user is not in the audience (docs/protocol/events.md#typing_edit_message). */
export async function typeInEdit(ctx: Ctx, editor: UserRow, op: TypingOp, message: SeenMessage): Promise<void> {
  const inChannel = message.channel_id !== null
  const userIds = inChannel
    ? await readersToTell(ctx, editor, message, message.channel_id as number)
    : (message.user_ids ?? [])
  announce(ctx, {
    def: op === 'start' ? typingEditStart : typingEditStop,
    payload: {
      sender_id: editor.id,
      message_id: message.id,
      recipient: inChannel
        ? { type: 'channel', channel_id: message.channel_id, topic: message.topic }
        : { type: 'direct', user_ids: message.user_ids ?? [] },
      empty_topic_display_name: realmSetting(ctx.directory, 'empty_topic_display_name'),
    },
    audience: interested(
      ctx,
      userIds.filter(id => id !== editor.id),
    ),
  } as Emission)
}
