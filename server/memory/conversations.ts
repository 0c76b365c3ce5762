import { LRUCache } from 'lru-cache'
import type { ISql } from '../store/driver/db.js'
import { makeConversation, makePairs } from '../store/messages/conversations.js'

// Conversations in the cache; each takes about 100 bytes.
const maxCached = 50_000

/**
 * Ids of conversations by participants.
 *
 * Source: `conversations`.
 * Version: none: the participants of a conversation never change.
 * Bound: 50,000 conversations.
 * Dropped: the least recently used.
 */
export class Conversations {
  private readonly cached = new LRUCache<string, number>({ maxSize: maxCached, sizeCalculation: () => 1 })

  constructor(private readonly sql: ISql) {}

  /** `userIds`: every participant, ascending. */
  async idOf(userIds: readonly number[]): Promise<number> {
    const key = userIds.join()
    const known = this.cached.get(key)
    if (known !== undefined) return known
    const id = await makeConversation(this.sql, userIds)
    this.cached.set(key, id)
    return id
  }

  /** Creates and caches the conversations of a user who is about to write to many other users. */
  async makePairs(userId: number, others: readonly number[]): Promise<void> {
    const unknown = others.filter(other => !this.cached.has([userId, other].sort((a, b) => a - b).join()))
    if (unknown.length === 0) return
    for (const { id, user_ids } of await makePairs(this.sql, userId, unknown)) this.cached.set(user_ids.join(), id)
  }
}
