import { topicKey } from '../../shared/resources/topic.js'
import type { VisibilityPolicy } from '../../shared/resources/user-topic.js'
import type { Topic } from './user-topics.js'

// A topic takes some 200 bytes, what one user wants of it some 50: about 30 MB at most.
const maxKnown = 200_000

interface Known {
  hasMessages: boolean
  readonly policies: Map<number, VisibilityPolicy>
}

/**
 * What this worker happens to know of topics that were written in lately: that they have messages, and what some users
 * want of them. Spares the way of a message the questions whether it begins a topic and whether its sender follows it
 * already. It may be behind what another worker did a moment ago; then somebody does not follow a topic by itself this
 * time. What is written is decided in the database.
 */
export class KnownTopics {
  private readonly topics = new Map<string, Known>()
  private size = 0

  hasMessages(topic: Topic): boolean {
    return this.topics.get(keyOf(topic))?.hasMessages ?? false
  }

  /** Undefined: not known. */
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

  /** What users want of it changed; only of those of whom it was known. */
  correctPolicies(topic: Topic, userIds: Iterable<number>, policy: VisibilityPolicy): void {
    const known = this.topics.get(keyOf(topic))
    if (!known || known.policies.size === 0) return
    for (const userId of userIds) if (known.policies.has(userId)) known.policies.set(userId, policy)
  }

  /** Messages left it, perhaps all of them. */
  forgetTopic(topic: Topic): void {
    const key = keyOf(topic)
    const known = this.topics.get(key)
    if (!known) return
    this.size -= 1 + known.policies.size
    this.topics.delete(key)
  }

  /** The topic's entry, as the one that was used last. */
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
