import { ApiError } from '../../../shared/errors.js'
import { reactionAdd, reactionRemove } from '../../../shared/events/reaction.js'
import type { Reaction } from '../../../shared/resources/message.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { limitedGuests } from '../../policies/users.js'
import { apiEmail, dummyEmail, unknownName } from '../../presenters/addresses.js'
import { wireReaction } from '../../presenters/message-answers.js'
import type { Emit } from '../../realtime/emission.js'
import type { Tx } from '../../store/driver/db.js'
import type { SeenMessage } from '../../store/messages/message-rows.js'
import { deleteReaction, insertReaction } from '../../store/messages/reactions.js'
import { guestsWhoKnow, type UserRow } from '../../store/users/users.js'
import { followReacted } from '../topics/follow-reacted.js'
import { messageAccess, usersOf } from './audience.js'
import { holdMessage } from './hold-message.js'
import { emojiToAdd, emojiToRemove, type NamedEmoji } from './reaction-emoji.js'

/** Ids of all users who can see the message. */
const audience = async (ctx: Ctx, tx: Tx, message: SeenMessage): Promise<number[]> =>
  usersOf(await messageAccess(tx, ctx.directory, message, [message.id]))

interface Reacted {
  readonly messageId: number
  readonly user: UserRow
  readonly reaction: Omit<Reaction, 'user_id'>
  readonly userIds: readonly number[]
}

/** Guests who may not know the user get a placeholder in its place. */
async function emitReaction(
  ctx: Ctx,
  tx: Tx,
  emit: Emit,
  {
    event,
    reacted: { messageId, user, reaction, userIds },
  }: { readonly event: typeof reactionAdd | typeof reactionRemove; readonly reacted: Reacted },
): Promise<void> {
  const guests = user.is_bot ? [] : limitedGuests(ctx.directory).filter(id => userIds.includes(id))
  const acquaintances = guests.length > 0 ? await guestsWhoKnow(tx, user.id, guests) : []
  const strangers = guests.filter(id => id !== user.id && !acquaintances.includes(id))
  const shown = { message_id: messageId, ...wireReaction(ctx, { ...reaction, user_id: user.id }) }
  const named = { user_id: user.id, email: apiEmail(user, ctx.realmHost), full_name: user.full_name }
  emit(event, { ...shown, user: named }, strangers.length > 0 ? userIds.filter(id => !strangers.includes(id)) : userIds)
  if (strangers.length === 0) return
  const unnamed = { user_id: user.id, email: dummyEmail(user.id, ctx.realmHost), full_name: unknownName }
  emit(event, { ...shown, user: unnamed }, strangers)
}

/** @throws {ApiError} BAD_REQUEST, REACTION_ALREADY_EXISTS */
export async function addReaction(
  ctx: Ctx,
  actor: Actor,
  messageId: number,
  emoji: NamedEmoji & { emoji_name: string },
): Promise<void> {
  await ctx.write(async (tx, emit) => {
    const { message, user } = await holdMessage(ctx, tx, actor, { messageId, lock: 'share' })
    const reaction = await emojiToAdd(ctx, tx, messageId, emoji)
    const userIds = await audience(ctx, tx, message)
    if (!(await insertReaction(tx, messageId, user.id, reaction))) {
      throw new ApiError('REACTION_ALREADY_EXISTS', 'Reaction already exists.')
    }
    const { channel_id: channelId, topic } = message
    if (channelId !== null) await followReacted(ctx, tx, emit, { user, topic: { channelId, topic } })
    await emitReaction(ctx, tx, emit, { event: reactionAdd, reacted: { messageId, user, reaction, userIds } })
  })
}

/** @throws {ApiError} BAD_REQUEST, REACTION_DOES_NOT_EXIST */
export async function removeReaction(ctx: Ctx, actor: Actor, messageId: number, emoji: NamedEmoji): Promise<void> {
  await ctx.write(async (tx, emit) => {
    const { message, user } = await holdMessage(ctx, tx, actor, { messageId, lock: 'share' })
    const reaction = emojiToRemove(ctx, emoji)
    const userIds = await audience(ctx, tx, message)
    const emoji_name = await deleteReaction(tx, messageId, user.id, reaction)
    if (emoji_name === undefined) throw new ApiError('REACTION_DOES_NOT_EXIST', "Reaction doesn't exist.")
    await emitReaction(ctx, tx, emit, {
      event: reactionRemove,
      reacted: {
        messageId,
        user,
        reaction: { ...reaction, emoji_name },
        userIds,
      },
    })
  })
}
