import { createHash } from 'node:crypto'
import { ApiError, badRequest } from '../../../shared/errors.js'
import { resolvedPrefix, topicKey } from '../../../shared/resources/topic.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { findChannel } from '../../lookups/find-channel.js'
import { mayCreateTopic, mayPost } from '../../policies/channel-permissions.js'
import {
  mayMoveOut,
  mayMoveWithin,
  mayResolveTopics,
  moveLimit,
  requireMayEditContent,
  requireUnarchived,
  requireYoungEnough,
} from '../../policies/message-edits.js'
import { requireAllowedTopic } from '../../policies/messages.js'
import type { ChannelRow } from '../../store/channels/channels.js'
import type { Tx } from '../../store/driver/db.js'
import type { EditableMessage } from '../../store/messages/editable-message.js'
import type { Moving } from '../../store/messages/movable-message.js'
import { topicExists } from '../../store/topics/topics.js'
import type { UserRow } from '../../store/users/users.js'
import { checkContent } from '../../text/content.js'
import { readTopic, storedTopic } from './recipients.js'

export type PropagateMode = 'change_one' | 'change_later' | 'change_all'

/** The requested changes of a message; an absent field stays as it is. */
export interface MessageEdit {
  readonly content?: string
  readonly prevContentSha256?: string
  readonly topic?: string
  readonly channelId?: number
  readonly propagateMode: PropagateMode
  readonly notifyOldThread: boolean
  readonly notifyNewThread: boolean
}

/** Where a message, and others of its topic, move to. */
interface PlannedMove {
  readonly from: ChannelRow
  readonly to: ChannelRow
  /** The new topic; null: unchanged. */
  readonly topic: string | null
  /** The move only adds the resolved prefix to the whole topic, or removes it. */
  readonly resolves: boolean
  /** How old a message may be, in seconds; null: unlimited. */
  readonly limit: number | null
}

/** A move of messages to another topic or channel. */
export interface Move extends PlannedMove {
  /** Ids of the moved messages, the edited one included; ascending. */
  readonly ids: readonly number[]
}

export interface EditPlan<Moves extends PlannedMove = Move> {
  /** The content to store; null: unchanged. */
  readonly content: string | null
  readonly move: Moves | null
}

/** The refusal of an edit that would leave the message as it is. */
export const nothingToChange = 'Nothing to change'
/** The refusal of an edit that says which messages to move, and not where to. */
export const nothingToMove = 'Invalid propagate_mode without topic edit'

interface RequestedEdit {
  readonly actor: Actor
  readonly user: UserRow
  readonly message: EditableMessage
  readonly edit: MessageEdit
}

/** Checks an edit and decides its effects, in the transaction that holds the message. It reads no other message. @throws {ApiError} */
export async function planEdit(
  ctx: Ctx,
  tx: Tx,
  { actor, user, message, edit }: RequestedEdit,
): Promise<EditPlan<PlannedMove>> {
  requireUnarchived(ctx.directory, message)
  const direct = message.channel_id === null
  if (direct && edit.channelId !== undefined) throw badRequest('Direct messages cannot be moved to channels.')
  if (direct && edit.topic !== undefined) throw badRequest('Direct messages cannot have topics.')
  const channelId = edit.channelId ?? message.channel_id
  const named = edit.topic === undefined || channelId === null ? null : readTopic(ctx, edit.topic)
  const topic = named && channelId !== null ? await storedTopic(tx, channelId, named) : null
  const newTopic = topic === message.topic || topic === null ? null : { name: topic, uncut: named?.uncut ?? topic }
  const newChannelId = edit.channelId === message.channel_id ? undefined : edit.channelId
  const moves = newTopic !== null || newChannelId !== undefined
  if (!moves && edit.content === undefined) throw badRequest(nothingToChange)
  if (!moves && edit.propagateMode !== 'change_one') throw badRequest(nothingToMove)
  if (newChannelId !== undefined && edit.content !== undefined) {
    throw badRequest('Cannot change message content while changing channel')
  }
  const content = planContent(ctx, user, message, edit)
  const move = moves ? await planMove(ctx, tx, { actor, user, message, edit, newTopic, channelId: newChannelId }) : null
  return { content, move }
}

/** The content to store; null: none was given, or the message has it already. @throws {ApiError} */
export function planContent(
  ctx: Ctx,
  user: UserRow,
  message: EditableMessage,
  { content: given, prevContentSha256: sha256 }: Pick<MessageEdit, 'content' | 'prevContentSha256'>,
): string | null {
  if (given === undefined) return null
  requireMayEditContent(ctx.directory, user, message, { now: ctx.clock.now() })
  if (message.submessage_bytes > 0) throw badRequest('Widgets cannot be edited.')
  if (sha256 !== undefined && sha256.toLowerCase() !== createHash('sha256').update(message.content).digest('hex')) {
    throw new ApiError('EXPECTATION_MISMATCH', "'prev_content_sha256' value does not match the expected value.", {
      field_name: 'prev_content_sha256',
    })
  }
  const checked = checkContent(given)
  if (!checked.ok && checked.problem !== 'content_empty') throw badRequest('Message must not contain null bytes')
  const content = checked.ok ? checked.text : '(deleted)'
  return content === message.content ? null : content
}

interface RequestedMove {
  readonly actor: Actor
  readonly user: UserRow
  readonly message: EditableMessage
  readonly edit: MessageEdit
  readonly newTopic: { readonly name: string; readonly uncut: string } | null
  readonly channelId: number | undefined
}

async function planMove(
  ctx: Ctx,
  tx: Tx,
  { actor, user, message, edit, newTopic, channelId }: RequestedMove,
): Promise<PlannedMove> {
  const { directory } = ctx
  const from = directory.channels.get(message.channel_id ?? 0)
  if (!from) throw badRequest('Invalid message(s)')
  // A part of a topic cannot be resolved: adding the prefix to it is an ordinary move.
  const isWhole = edit.propagateMode === 'change_all' && channelId === undefined
  const topic = newTopic?.name ?? null
  // With the prefix the name of a topic may be too long, and is cut.
  const resolves =
    isWhole &&
    newTopic !== null &&
    [newTopic.name, newTopic.uncut].some(name => unresolved(name) === unresolved(message.topic))
  const to = channelId === undefined ? from : await targetChannel(ctx, tx, { actor, user, id: channelId })
  requireMayMove(ctx, user, { from, to, topic, resolves })
  requireAllowedTopic(directory, to, topic ?? message.topic)
  const isNewPlace = channelId !== undefined || topicKey(topic ?? '') !== topicKey(message.topic)
  if (
    isNewPlace &&
    !resolves &&
    !mayCreateTopic(directory, user, to) &&
    !(await topicExists(tx, to.id, topic ?? message.topic))
  ) {
    throw badRequest('You do not have permission to create new topics in this channel.')
  }
  // Resolving a topic changes its state, not its place, so the time limit of moves does not apply.
  const limit = resolves ? null : moveLimit(directory, user, channelId !== undefined)
  requireYoungEnough(message, limit, ctx.clock.now())
  return { from, to, topic, resolves, limit }
}

const unresolved = (topic: string): string =>
  topic.startsWith(resolvedPrefix) ? topic.slice(resolvedPrefix.length) : topic

async function targetChannel(
  ctx: Ctx,
  tx: Tx,
  { actor, user, id }: { readonly actor: Actor; readonly user: UserRow; readonly id: number },
): Promise<ChannelRow> {
  const { channel, subscription } = await findChannel(ctx, tx, actor, { channelId: id })
  const refusal = mayPost(ctx.directory, user, channel, { subscribed: subscription?.is_active ?? false })
  if (refusal !== null) throw badRequest(refusal)
  return channel
}

function requireMayMove(
  { directory }: Ctx,
  user: UserRow,
  { from, to, topic, resolves }: Omit<PlannedMove, 'limit'>,
): void {
  if (from !== to && !mayMoveOut(directory, user, from)) {
    throw badRequest("You don't have permission to move this message")
  }
  if (resolves && !mayResolveTopics(directory, user, from)) {
    throw badRequest("You don't have permission to resolve topics in this channel.")
  }
  // A move to another channel may change the topic too, without a further permission.
  if (topic !== null && !resolves && from === to && !mayMoveWithin(directory, user, from)) {
    throw badRequest("You don't have permission to edit this message")
  }
}

/** The move with its messages. @throws {ApiError} MOVE_MESSAGES_TIME_LIMIT_EXCEEDED */
export function moveOf(
  { clock }: Ctx,
  planned: PlannedMove,
  {
    messageId,
    moving: { ids, sent },
    propagateMode,
  }: { readonly messageId: number; readonly moving: Moving; readonly propagateMode: PropagateMode },
): Move {
  const { limit } = planned
  if (propagateMode === 'change_all' && limit !== null) {
    const young = ids.filter((_, i) => (clock.now() - (sent[i] ?? 0)) / 1000 <= limit)
    if (young.length < ids.length) {
      throw new ApiError('MOVE_MESSAGES_TIME_LIMIT_EXCEEDED', 'Some of the messages are too old to be moved', {
        first_message_id_allowed_to_move: young[0] ?? messageId,
        total_messages_in_topic: ids.length,
        total_messages_allowed_to_move: young.length,
      })
    }
  }
  return { ...planned, ids }
}
