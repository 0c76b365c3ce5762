import { ApiError } from '../../../shared/errors.js'
import { reactionAdd, reactionRemove } from '../../../shared/events/reaction.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { wireReaction } from '../../presenters/message-answers.js'
import type { Tx } from '../../store/db.js'
import type { SeenMessage } from '../../store/message-rows.js'
import { deleteReaction, insertReaction } from '../../store/reactions.js'
import { followReacted } from '../topics/follow-reacted.js'
import { messageAccess, usersOf } from './audience.js'
import { holdMessage } from './hold-message.js'
import { emojiToAdd, emojiToRemove, type NamedEmoji } from './reaction-emoji.js'

/** Ids of all users who can see the message. */
const audience = async (ctx: Ctx, tx: Tx, message: SeenMessage): Promise<number[]> =>
  usersOf(await messageAccess(tx, ctx.directory, message, [message.id]))

/** @throws {ApiError} BAD_REQUEST, REACTION_ALREADY_EXISTS */
export async function addReaction(
  ctx: Ctx,
  actor: Actor,
  messageId: number,
  emoji: NamedEmoji & { emoji_name: string },
): Promise<void> {
  await ctx.write(async (tx, emit) => {
    const { message, user } = await holdMessage(ctx, tx, actor, messageId, [], 'share')
    const reaction = await emojiToAdd(ctx, tx, messageId, emoji)
    const userIds = await audience(ctx, tx, message)
    if (!(await insertReaction(tx, messageId, user.id, reaction))) {
      throw new ApiError('REACTION_ALREADY_EXISTS', 'Reaction already exists.')
    }
    emit(reactionAdd, { message_id: messageId, ...wireReaction(ctx, { ...reaction, user_id: user.id }) }, userIds)
    const { channel_id: channelId, topic } = message
    if (channelId !== null) await followReacted(ctx, tx, emit, user, { channelId, topic })
  })
}

/** @throws {ApiError} BAD_REQUEST, REACTION_DOES_NOT_EXIST */
export async function removeReaction(ctx: Ctx, actor: Actor, messageId: number, emoji: NamedEmoji): Promise<void> {
  await ctx.write(async (tx, emit) => {
    const { message, user } = await holdMessage(ctx, tx, actor, messageId, [], 'share')
    const reaction = emojiToRemove(ctx, emoji)
    const userIds = await audience(ctx, tx, message)
    const emoji_name = await deleteReaction(tx, messageId, user.id, reaction)
    if (emoji_name === undefined) throw new ApiError('REACTION_DOES_NOT_EXIST', "Reaction doesn't exist.")
    const removed = wireReaction(ctx, { ...reaction, emoji_name, user_id: user.id })
    emit(reactionRemove, { message_id: messageId, ...removed }, userIds)
  })
}
