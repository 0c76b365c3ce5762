import { ApiError } from '../../../shared/errors.js'
import { reactionAdd, reactionRemove } from '../../../shared/events/reaction.js'
import { wireReaction } from '../../access/message-answers.js'
import { messageAccess, usersOf } from '../../access/message-audience.js'
import type { Ctx } from '../../ctx.js'
import type { Tx } from '../../store/db.js'
import { holdChannels } from '../../store/message-audience.js'
import type { MessageRow } from '../../store/messages.js'
import { deleteReaction, insertReaction, type ReactionRow } from '../../store/reactions.js'

type Target = Pick<MessageRow, 'id' | 'channel_id' | 'conversation_id'>

async function audience(ctx: Ctx, tx: Tx, message: Target): Promise<number[]> {
  if (message.channel_id !== null) await holdChannels(tx, [message.channel_id], 'share')
  return usersOf(await messageAccess(tx, ctx.directory, message, [message.id]))
}

/** @throws {ApiError} REACTION_ALREADY_EXISTS */
export async function addReaction(ctx: Ctx, userId: number, message: Target, reaction: ReactionRow): Promise<void> {
  await ctx.write(async (tx, emit) => {
    const userIds = await audience(ctx, tx, message)
    if (!(await insertReaction(tx, message.id, userId, reaction))) {
      throw new ApiError('REACTION_ALREADY_EXISTS', 'Reaction already exists.')
    }
    emit(reactionAdd, { message_id: message.id, ...wireReaction(ctx, { ...reaction, user_id: userId }) }, userIds)
  })
}

/** @throws {ApiError} REACTION_DOES_NOT_EXIST */
export async function removeReaction(
  ctx: Ctx,
  userId: number,
  message: Target,
  reaction: Omit<ReactionRow, 'emoji_name'>,
): Promise<void> {
  await ctx.write(async (tx, emit) => {
    const userIds = await audience(ctx, tx, message)
    const emoji_name = await deleteReaction(tx, message.id, userId, reaction)
    if (emoji_name === undefined) throw new ApiError('REACTION_DOES_NOT_EXIST', "Reaction doesn't exist.")
    const removed = wireReaction(ctx, { ...reaction, emoji_name, user_id: userId })
    emit(reactionRemove, { message_id: message.id, ...removed }, userIds)
  })
}
