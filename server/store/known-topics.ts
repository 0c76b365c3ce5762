import { topicKey } from '../../shared/resources/topic.js'
import type { VisibilityPolicy } from '../../shared/resources/user-topic.js'
import type { Topic } from './user-topics.js'

// Topics and policies in the cache. A topic takes about 200 bytes, a user's policy about 50 bytes: about 30 MB in total.
const maxKnown = 200_000

interface Known {
  hasMessages: boolean
  readonly policies: Map<number, VisibilityPolicy>
}

/**
 * Cache of recently used topics: whether they have messages, and the visibility policies of some users. With it, sending a message
 * usually needs no query whether it begins a topic or whether its sender follows it. It can be stale for a moment after a change by
 * another worker; then a user does not follow a topic automatically this time. The database decides what is stored.
 */
export class KnownTopics {
  private readonly topics = new Map<string, Known>()
  private size = 0

  hasMessages(topic: Topic): boolean {
    return this.topics.get(keyOf(topic))?.hasMessages ?? false
  }

  /** Undefined: not in the cache. */
  policyOf(userId: number, topic: Topic): VisibilityPolicy | undefined {
    return this.topics.get(keyOf(topic))?.policies.get(userId)
  }

  noteMessages(topic: Topic): void {
    this.touch(topic).hasMessages = true
  }

  notePolicies(topic: Topic, policies: ReadonlyMap<number, VisibilityPolicy>): void {
    const known = this.touch(topic)
    const before = known.policies.size
    for (const [userId, policy] of policies) known.policies.set(userId, policy)
    this.size += known.policies.size - before
    this.trim()
  }

  /** Updates the policies of users whose policies are in the cache. */
  correctPolicies(topic: Topic, userIds: Iterable<number>, policy: VisibilityPolicy): void {
    const known = this.topics.get(keyOf(topic))
    if (!known || known.policies.size === 0) return
    for (const userId of userIds) if (known.policies.has(userId)) known.policies.set(userId, policy)
  }

  /** Removes a topic from which messages were moved or deleted, possibly all. */
  forgetTopic(topic: Topic): void {
    const key = keyOf(topic)
    const known = this.topics.get(key)
    if (!known) return
    this.size -= 1 + known.policies.size
    this.topics.delete(key)
  }

  /** The topic's cache entry, moved to the end as the most recently used one. */
  private touch(topic: Topic): Known {
    const key = keyOf(topic)
    const known = this.topics.get(key)
    if (known) this.topics.delete(key)
    else this.size++
    const touched = known ?? { hasMessages: false, policies: new Map() }
    this.topics.set(key, touched)
    this.trim()
    return touched
  }

  private trim(): void {
    for (const [key, { policies }] of this.topics) {
      if (this.size <= maxKnown) break
      this.size -= 1 + policies.size
      this.topics.delete(key)
    }
  }
}

const keyOf = ({ channelId, topic }: Topic): string => `${channelId} ${topicKey(topic)}`
