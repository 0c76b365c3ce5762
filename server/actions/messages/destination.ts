import { badRequest } from '../../../shared/errors.js'
import type { Ctx } from '../../ctx.js'
import { mayCreateTopic, mayPost } from '../../policies/channel-permissions.js'
import { mayInitiate, requireAllowedTopic, requireMayMessage } from '../../policies/messages.js'
import type { ChannelRow } from '../../store/channels/channels.js'
import type { ISql, Tx } from '../../store/driver/db.js'
import { holdsId } from '../../store/driver/id-ranges.js'
import { findConversation, hasMessages } from '../../store/messages/conversations.js'
import { topicExists } from '../../store/topics/topics.js'
import type { UserRow } from '../../store/users/users.js'
import { channelNamed, participantsOf, readTopic, storedTopic, type To, type ToChannel } from './recipients.js'

/** The destination of a message and its receivers. */
export interface Destination {
  readonly channel: ChannelRow | null
  readonly topic: string
  /** For a conversation: all participants. */
  readonly userIds: readonly number[]
  /** Ids of active users who receive the message, ascending. */
  readonly audience: readonly number[]
  readonly subscribersVersion: number
  /** Whether the sender muted the channel. */
  readonly isMuted: boolean
}

/**
 * Checks that the sender may write there, and computes who receives the message. `tx`: a transaction with locks, which needs no other
 * connection. @throws {ApiError}
 */
export function findDestination(ctx: Ctx, tx: Tx | null, sender: UserRow, to: To): Promise<Destination> {
  return 'channel' in to ? toChannel(ctx, tx, sender, to) : toPeople(ctx, tx ?? ctx.sql, sender, to.people)
}

async function toChannel(
  ctx: Ctx,
  tx: Tx | null,
  sender: UserRow,
  { channel: named, topic: given }: ToChannel,
): Promise<Destination> {
  const read = readTopic(ctx, given)
  const channel = channelNamed(ctx, named)
  const { subscribers } = ctx.memory
  const found = await (tx ? subscribers.audienceWithin(tx, channel.id) : subscribers.audienceOf(channel.id))
  const userIds = found?.userIds ?? []
  const ownerSubscribed = sender.bot_owner_id !== null && holdsId(userIds, sender.bot_owner_id)
  const refusal = mayPost(ctx.directory, sender, channel, { subscribed: holdsId(userIds, sender.id), ownerSubscribed })
  if (refusal !== null) throw badRequest(refusal)
  const topic = await storedTopic(tx ?? ctx.sql, channel.id, read)
  requireAllowedTopic(ctx.directory, channel, topic)
  if (!mayCreateTopic(ctx.directory, sender, channel) && !(await topicExists(tx ?? ctx.sql, channel.id, topic))) {
    throw badRequest('You do not have permission to create new topics in this channel.')
  }
  return {
    channel,
    topic,
    userIds: [],
    audience: userIds,
    subscribersVersion: found?.version ?? 0,
    isMuted: holdsId(found?.muterIds ?? [], sender.id),
  }
}

async function toPeople(
  ctx: Ctx,
  sql: ISql,
  sender: UserRow,
  people: readonly number[] | readonly string[],
): Promise<Destination> {
  const participants = await participantsOf(ctx, sql, sender, people)
  const userIds = participants.map(user => user.id)
  requireMayMessage(ctx.directory, sender, participants)
  if (!mayInitiate(ctx.directory, sender, participants) && !(await isUnderWay(sql, userIds))) {
    throw badRequest('You do not have permission to initiate direct message conversations.')
  }
  return { channel: null, topic: '', userIds, audience: userIds, subscribersVersion: 0, isMuted: false }
}

async function isUnderWay(sql: ISql, userIds: readonly number[]): Promise<boolean> {
  const conversation = await findConversation(sql, userIds)
  return conversation !== undefined && hasMessages(sql, conversation)
}
