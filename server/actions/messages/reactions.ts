import { ApiError } from '../../../shared/errors.js'
import { reactionAdd, reactionRemove } from '../../../shared/events/reaction.js'
import type { Reaction } from '../../../shared/resources/message.js'
import type { Actor } from '../../auth/actor.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { limitedGuests } from '../../policies/users.js'
import { apiEmail, dummyEmail, unknownName } from '../../presenters/addresses.js'
import { wireReaction } from '../../presenters/message-answers.js'
import type { Emit } from '../../realtime/emission.js'
import type { ISql } from '../../store/driver/db.js'
import { textOf } from '../../store/messages/message-edits.js'
import { stillOpen } from '../../store/messages/open-message.js'
import {
  deleteReaction,
  deleteReactionsOf,
  insertReaction,
  type OwnReaction,
  ownReaction,
  type ReactionsWith,
  reactionsWith,
} from '../../store/messages/reactions.js'
import { guestsWhoKnow, type UserRow } from '../../store/users/users.js'
import { followReacted, followsReacted } from '../topics/follow-reacted.js'
import { writeAtOnce } from '../write-at-once.js'
import { messageAccess, usersOf } from './audience.js'
import { holdMessage } from './hold-message.js'
import { audienceOf, openForChange } from './open-message.js'
import { completed, emojiToAdd, emojiToRemove, type NamedEmoji } from './reaction-emoji.js'

interface Reacted {
  readonly messageId: number
  readonly user: UserRow
  readonly reaction: Omit<Reaction, 'user_id'>
  /** All who can see the message, ascending. */
  readonly userIds: readonly number[]
}

/** Guests who may not know the user get a placeholder in its place. */
async function emitReaction(
  ctx: Ctx,
  sql: ISql,
  emit: Emit,
  {
    event,
    reacted: { messageId, user, reaction, userIds },
  }: { readonly event: typeof reactionAdd | typeof reactionRemove; readonly reacted: Reacted },
): Promise<void> {
  const guests = user.is_bot ? [] : limitedGuests(ctx.directory).filter(id => userIds.includes(id))
  const acquaintances = guests.length > 0 ? await guestsWhoKnow(sql, user.id, guests) : []
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
  const done = await writeAtOnce(ctx, {
    hold: tx => holdMessage(ctx, tx, { messageId, lock: 'update' }),
    async prepare(sql, emit, tx) {
      const given = completed(ctx, emoji)
      const more = reactionsWith(sql, given)
      const { message, user } = await openForChange<ReactionsWith>(ctx, sql, actor, { messageId, more })
      const reaction = emojiToAdd(ctx, message, { ...given, emoji_name: emoji.emoji_name })
      // Near the limit, two requests at the same time could exceed it together.
      const isNearLimit = message.emoji_name === null && message.emoji_count >= budgets.reactionEmoji.most / 2
      const topic = message.channel_id === null ? null : { channelId: message.channel_id, topic: message.topic }
      const follows = topic && (await followsReacted(sql, { user, topic, isMuted: message.is_muted }))
      if (!tx && (isNearLimit || follows)) return 'locks'
      if (tx && topic && follows) await followReacted(ctx, tx, emit, { user, topic })
      const userIds = await audienceOf(ctx, sql, message)
      await emitReaction(ctx, sql, emit, { event: reactionAdd, reacted: { messageId, user, reaction, userIds } })
      return (within, version) =>
        within`${stillOpen(within, message, version)}, ${insertReaction(within, user.id, reaction)}`
    },
  })
  if (!done) throw new ApiError('REACTION_ALREADY_EXISTS', 'Reaction already exists.')
}

/** @throws {ApiError} BAD_REQUEST, REACTION_DOES_NOT_EXIST */
export async function removeReaction(ctx: Ctx, actor: Actor, messageId: number, emoji: NamedEmoji): Promise<void> {
  const done = await writeAtOnce(ctx, {
    hold: tx => holdMessage(ctx, tx, { messageId, lock: 'share' }),
    async prepare(sql, emit) {
      const given = emojiToRemove(ctx, emoji)
      const more = ownReaction(sql, actor.user.id, given)
      const { message, user } = await openForChange<OwnReaction>(ctx, sql, actor, { messageId, more })
      const { emoji_name } = message
      if (emoji_name === null) throw doesNotExist()
      const userIds = await audienceOf(ctx, sql, message)
      const reacted = { messageId, user, reaction: { ...given, emoji_name }, userIds }
      await emitReaction(ctx, sql, emit, { event: reactionRemove, reacted })
      return (within, version) =>
        within`${stillOpen(within, message, version)}, ${deleteReaction(within, user.id, given)}`
    },
  })
  if (!done) throw doesNotExist()
}

/** Removes all reactions of a user to a message, whatever the user may see now. */
export function removeAllReactions(ctx: Ctx, user: UserRow, messageId: number): Promise<void> {
  return ctx.write(async (tx, emit) => {
    await holdMessage(ctx, tx, { messageId, lock: 'share' })
    const message = await textOf(tx, messageId)
    // It was deleted meanwhile, with its reactions.
    if (!message) return
    const userIds = usersOf(await messageAccess(tx, ctx.directory, message, [messageId]))
    for (const reaction of await deleteReactionsOf(tx, messageId, user.id)) {
      await emitReaction(ctx, tx, emit, { event: reactionRemove, reacted: { messageId, user, reaction, userIds } })
    }
  })
}

const doesNotExist = () => new ApiError('REACTION_DOES_NOT_EXIST', "Reaction doesn't exist.")
