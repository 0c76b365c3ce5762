import { type VisibilityPolicy, visibilityPolicy } from '../../../shared/resources/user-topic.js'
import type { Ctx } from '../../ctx.js'
import type { Emit } from '../../realtime/emission.js'
import type { Tx } from '../../store/driver/db.js'
import { holdPolicies, policiesOfTopic, type Topic } from '../../store/topics/user-topics.js'
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
  { directory, memory: { knownTopics } }: Pick<Ctx, 'directory' | 'memory'>,
  sender: UserRow,
  {
    topic,
    isMuted,
    mentioned,
  }: { readonly topic: Topic; readonly isMuted: boolean; readonly mentioned: readonly number[] },
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

/** Whether the message changes policies wherever it is in its topic, as far as this worker knows. */
export const mayChange = ({ onMessage, mentioned }: SentPolicies): boolean =>
  onMessage !== visibilityPolicy.inherit || mentioned.length > 0

interface ChangedPolicies {
  /** The sender's new policy, if it changed. */
  readonly ofSender: VisibilityPolicy | undefined
  /** The present policies of the sender and of the users in `mentioned`, if they were read. */
  readonly now: ReadonlyMap<number, VisibilityPolicy>
}

/** Changes the policies of a message's sender and of mentioned users, in the transaction that has stored the message. */
export async function followSent(
  ctx: Ctx,
  tx: Tx,
  emit: Emit,
  {
    policies: { senderId, topic, onMessage, onStart, mentioned },
    isStart,
  }: { readonly policies: SentPolicies; readonly isStart: boolean },
): Promise<ChangedPolicies> {
  const ofSender = isStart ? onStart : onMessage
  if (ofSender === visibilityPolicy.inherit && mentioned.length === 0) return { ofSender: undefined, now: new Map() }
  const userIds = [...new Set([senderId, ...mentioned])]
  await holdPolicies(tx, userIds)
  const before = await policiesOfTopic(tx, topic, userIds)
  const policyOf = (id: number): VisibilityPolicy => before.get(id) ?? visibilityPolicy.inherit
  const wanted = new Map<number, VisibilityPolicy>()
  for (const id of mentioned) if (isFollowedByMention(policyOf(id))) wanted.set(id, followed)
  if (isRaised(wanted.get(senderId) ?? policyOf(senderId), ofSender)) wanted.set(senderId, ofSender)
  await changePolicies(ctx, tx, emit, { topic, wanted, before })
  const now = new Map([...userIds.map(id => [id, policyOf(id)] as const), ...wanted])
  return { ofSender: wanted.get(senderId), now }
}
