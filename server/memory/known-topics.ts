import { LRUCache } from 'lru-cache'
import { topicKey } from '../../shared/resources/topic.js'
import type { VisibilityPolicy } from '../../shared/resources/user-topic.js'
import type { Topic } from '../store/topics/user-topics.js'

// Topics and policies in the cache. A topic takes about 200 bytes, a user's policy about 50 bytes: about 30 MB in total.
const maxKnown = 200_000

interface Known {
  hasMessages: boolean
  readonly policies: Map<number, VisibilityPolicy>
}

/**
 * Recently used topics: whether they have messages, and the visibility policies of some users. With it, sending a message usually needs no
 * query whether it begins a topic or whether its sender follows it.
 *
 * Source: `messages` and `user_topics`.
 * Version: none. It can be stale for a moment after a change by another worker; then a user does not follow a topic automatically this time. The
 * database decides what is stored.
 * Bound: 200,000 topics and policies.
 * Dropped: `updateKnownTopics` applies each event to it, `forgetTopic` after moves and deletions; the least recently used.
 */
export class KnownTopics {
  private readonly topics = new LRUCache<string, Known>({
    maxSize: maxKnown,
    sizeCalculation: ({ policies }) => 1 + policies.size,
  })

  hasMessages(topic: Topic): boolean {
    return this.topics.get(keyOf(topic))?.hasMessages ?? false
  }

  /** Undefined: not in the cache. */
  policyOf(userId: number, topic: Topic): VisibilityPolicy | undefined {
    return this.topics.get(keyOf(topic))?.policies.get(userId)
  }

  noteMessages(topic: Topic): void {
    const key = keyOf(topic)
    const known = this.topics.get(key)
    if (known) known.hasMessages = true
    else this.topics.set(key, { hasMessages: true, policies: new Map() })
  }

  notePolicies(topic: Topic, policies: ReadonlyMap<number, VisibilityPolicy>): void {
    const key = keyOf(topic)
    const known = this.topics.get(key)
    const all = known?.policies ?? new Map<number, VisibilityPolicy>()
    for (const [userId, policy] of policies) all.set(userId, policy)
    // A new object, because the cache computes the size only of an object that it does not hold yet.
    this.topics.set(key, { hasMessages: known?.hasMessages ?? false, policies: all })
  }

  /** Updates the policies of users whose policies are in the cache. */
  correctPolicies(topic: Topic, userIds: Iterable<number>, policy: VisibilityPolicy): void {
    const known = this.topics.get(keyOf(topic))
    if (!known || known.policies.size === 0) return
    for (const userId of userIds) if (known.policies.has(userId)) known.policies.set(userId, policy)
  }

  /** Removes a topic from which messages were moved or deleted, possibly all. */
  forgetTopic(topic: Topic): void {
    this.topics.delete(keyOf(topic))
  }
}

const keyOf = ({ channelId, topic }: Topic): string => `${channelId} ${topicKey(topic)}`
