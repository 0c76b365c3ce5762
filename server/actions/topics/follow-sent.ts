import { type VisibilityPolicy, visibilityPolicy } from '../../../shared/resources/user-topic.js'
import type { Ctx } from '../../ctx.js'
import { holdChannels } from '../../store/messages/message-audience.js'
import { holdPolicies, isInTopic, policiesOfTopic, type Topic } from '../../store/topics/user-topics.js'
import type { UserRow } from '../../store/users/users.js'
import { act, automaticPolicy, followsWhenMentioned, isFollowedByMention, isRaised } from './automatic-policies.js'
import { changePolicies } from './policies.js'

const { followed } = visibilityPolicy

/** The changes of visibility policies that a channel message may cause, computed before it is sent. */
export interface SentPolicies {
  readonly senderId: number
  readonly topic: Topic
  /** The sender's new policy for the topic; 0: unchanged, or known to be set already. */
  readonly onMessage: VisibilityPolicy
  /** The sender's new policy if the message is the topic's first. */
  readonly onStart: VisibilityPolicy
  /** Ids of mentioned users who may come to follow the topic. */
  readonly mentioned: readonly number[]
}

/** Uses only caches: a message needs no query for this. */
export function policiesOf(
  { directory, knownTopics }: Pick<Ctx, 'directory' | 'knownTopics'>,
  sender: UserRow,
  topic: Topic,
  isMuted: boolean,
  mentioned: readonly number[],
): SentPolicies {
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

/** Whether the result depends on the message being the first of its topic. */
export const asksForStart = ({ onMessage, onStart }: SentPolicies): boolean => onStart !== onMessage

/**
 * Runs after the insert of a message: changes the policies of its sender and of mentioned users. Most messages change none, and need no
 * query. @returns the sender's new policy, if it changed
 */
export async function followSent(
  ctx: Ctx,
  { senderId, topic, onMessage, onStart, mentioned }: SentPolicies,
  messageId: number,
  isStart: boolean,
): Promise<VisibilityPolicy | undefined> {
  const ofSender = isStart ? onStart : onMessage
  if (ofSender === visibilityPolicy.inherit && mentioned.length === 0) return undefined
  const { wanted, now } = await ctx.write(async (tx, emit) => {
    await holdChannels(tx, [topic.channelId], 'share')
    // Another transaction has moved or deleted the message.
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
