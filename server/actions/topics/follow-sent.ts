import { type VisibilityPolicy, visibilityPolicy } from '../../../shared/resources/user-topic.js'
import {
  act,
  automaticPolicy,
  followsWhenMentioned,
  isFollowedByMention,
  isRaised,
} from '../../access/automatic-policies.js'
import type { Ctx } from '../../ctx.js'
import { holdChannels } from '../../store/message-audience.js'
import { holdPolicies, isInTopic, policiesOfTopic, type Topic } from '../../store/user-topics.js'
import type { UserRow } from '../../store/users.js'
import { changePolicies } from './policies.js'

const { followed } = visibilityPolicy

/** What a message to a channel may change in what people want of its topic, as far as its worker knows before it is sent. */
export interface SentWishes {
  readonly senderId: number
  readonly topic: Topic
  /** What the sender wants of the topic for having written in it; 0: nothing special, or it is known to be so already. */
  readonly onMessage: VisibilityPolicy
  /** The same should the message turn out to be the topic's first. */
  readonly onStart: VisibilityPolicy
  /** Who is mentioned by name and may follow the topic for that. */
  readonly mentioned: readonly number[]
}

/** Decided from memory alone: a message costs no query for this. */
export function wishesOf(
  { directory, knownTopics }: Pick<Ctx, 'directory' | 'knownTopics'>,
  sender: UserRow,
  topic: Topic,
  isMuted: boolean,
  mentioned: readonly number[],
): SentWishes {
  const known = knownTopics.policyOf(sender.id, topic) ?? visibilityPolicy.inherit
  const wanted = (what: typeof act.sends | typeof act.starts): VisibilityPolicy => {
    const policy = automaticPolicy(sender, isMuted, what)
    return isRaised(known, policy) ? policy : visibilityPolicy.inherit
  }
  const mayFollow = (id: number) =>
    followsWhenMentioned(directory.users.get(id)) && isFollowedByMention(knownTopics.policyOf(id, topic) ?? 0)
  return {
    senderId: sender.id,
    topic,
    onMessage: wanted(act.sends),
    onStart: wanted(act.starts),
    mentioned: mentioned.filter(mayFollow),
  }
}

/** Whether it matters if the message is the first of its topic. */
export const asksForStart = ({ onMessage, onStart }: SentWishes): boolean => onStart !== onMessage

/**
 * After the message was stored: changes what its sender and those whom it mentions want of the topic. Most messages change
 * nothing, and cost nothing. @returns what the sender wants now, if that changed
 */
export async function followSent(
  ctx: Ctx,
  { senderId, topic, onMessage, onStart, mentioned }: SentWishes,
  messageId: number,
  isStart: boolean,
): Promise<VisibilityPolicy | undefined> {
  const ofSender = isStart ? onStart : onMessage
  if (ofSender === visibilityPolicy.inherit && mentioned.length === 0) return undefined
  const { wanted, now } = await ctx.write(async (tx, emit) => {
    await holdChannels(tx, [topic.channelId], 'share')
    // Somebody was faster and moved or deleted it.
    if (!(await isInTopic(tx, messageId, topic))) return { wanted: new Map(), now: new Map() }
    await holdPolicies(tx, [senderId, ...mentioned])
    const before = await policiesOfTopic(tx, topic, [senderId, ...mentioned])
    const policyOf = (id: number): VisibilityPolicy => before.get(id) ?? visibilityPolicy.inherit
    const wanted = new Map<number, VisibilityPolicy>()
    for (const id of mentioned) if (isFollowedByMention(policyOf(id))) wanted.set(id, followed)
    if (isRaised(wanted.get(senderId) ?? policyOf(senderId), ofSender)) wanted.set(senderId, ofSender)
    await changePolicies(ctx, tx, emit, topic, wanted, before)
    return { wanted, now: new Map([...[senderId, ...mentioned].map(id => [id, policyOf(id)] as const), ...wanted]) }
  })
  ctx.knownTopics.notePolicies(topic, now)
  return wanted.get(senderId)
}
