import { ApiError, badRequest } from '../../../shared/errors.js'
import { streamedMessageAppend } from '../../../shared/events/streamed-message.js'
import type { Actor } from '../../auth/actor.js'
import type { WorkerCtx } from '../../ctx.js'
import { showGrowth } from '../../job-types/streamed-message.js'
import { currentUser } from '../../lookups/find-user.js'
import { subscribersOf } from '../../lookups/subscriber-lists.js'
import { mayPost } from '../../policies/channel-permissions.js'
import { requireMayMessage } from '../../policies/messages.js'
import { mayReadMessage } from '../../policies/reading.js'
import type { Emission } from '../../realtime/emission.js'
import { encodeAudience } from '../../realtime/encoding/index.js'
import { holdsId } from '../../store/driver/id-ranges.js'
import { editedOrNot, type MaybeEdited, type OpenedMessage, openMessage } from '../../store/messages/open-message.js'
import type { UserRow } from '../../store/users/users.js'
import { growthAudience, notGrowing, tooLong } from './streamed-message.js'

interface Piece {
  readonly messageId: number
  /** The length of the text before it, in code points. */
  readonly position: number
  readonly text: string
}

/**
 * Appends a piece to a message of the caller that grows, and shows it to its readers; one that the text has already changes nothing.
 * @returns the length of the text
 * @throws {ApiError} MESSAGE_NOT_GROWING, WRONG_POSITION, BAD_REQUEST
 */
export async function appendPiece(ctx: WorkerCtx, actor: Actor, { messageId, position, text }: Piece): Promise<number> {
  const [message] = await Promise.all([
    openMessage<MaybeEdited>(ctx.sql, actor.user.id, messageId, editedOrNot(ctx.sql)),
    ctx.directory.fresh(),
  ])
  const user = currentUser(ctx.directory, actor.user)
  if (!message) throw badRequest('Invalid message(s)')
  await requireMayAppend(ctx, user, message)
  if (message.was_edited) throw notGrowing('edited')
  const growth = await ctx.streamedTexts.grow(messageId, position, text, ctx.clock.now())
  switch (growth.outcome) {
    case 'unknown':
      throw notGrowing('unknown')
    case 'ended':
      throw notGrowing(growth.reason)
    case 'long':
      throw badRequest(tooLong)
    case 'gap':
      throw wrongPosition(growth.length)
    case 'known':
      if (!has(growth.text, position, text)) throw wrongPosition(growth.length)
      return growth.length
    case 'grown':
      if (text !== '') await announce(ctx, message, { messageId, position, text })
      return growth.length
  }
}

/** @throws {ApiError} for a message of another account, and where the author may not send any more */
async function requireMayAppend(ctx: WorkerCtx, user: UserRow, message: OpenedMessage): Promise<void> {
  if (message.sender_id !== user.id) {
    throw mayReadMessage(ctx.directory, user, message) ? badRequest(notOwn) : badRequest('Invalid message(s)')
  }
  if (message.channel_id === null) {
    const participants = (message.user_ids ?? []).flatMap(id => ctx.directory.users.get(id) ?? [])
    return requireMayMessage(ctx.directory, user, participants)
  }
  const channel = ctx.directory.channels.get(message.channel_id)
  if (!channel) throw badRequest('Invalid message(s)')
  const owner = user.bot_owner_id
  const ownerSubscribed =
    !message.is_subscribed && owner !== null && holdsId(await subscribersOf(ctx, channel.id), owner)
  const refusal = mayPost(ctx.directory, user, channel, { subscribed: message.is_subscribed, ownerSubscribed })
  if (refusal !== null) throw badRequest(refusal)
}

const notOwn = "You don't have permission to append to this message"

async function announce(ctx: WorkerCtx, message: OpenedMessage, { messageId, position, text }: Piece): Promise<void> {
  const audience = await growthAudience(ctx, ctx.sql, message)
  const payload = { message_id: messageId, position, text }
  // The list of a channel's subscribers is the same for all pieces, and so is its encoding.
  const audienceBytes = ctx.directory.ofRows.of(audience, encodeAudience)
  ctx.realtime.announce([{ def: streamedMessageAppend, payload, audience, audienceBytes } as Emission])
  ctx.memory.grownMessages.note(messageId)
  ctx.jobs.wake(showGrowth)
}

/** Whether the text has the piece at this position. */
const has = (text: string, position: number, piece: string): boolean =>
  [...text].slice(position).join('').startsWith(piece)

const wrongPosition = (length: number): ApiError =>
  new ApiError('WRONG_POSITION', 'The piece does not follow the text.', { expected_position: length })
