import { LRUCache } from 'lru-cache'
import { type StoredFacts, storedFacts } from './channel-facts.js'
import type { ISql } from './db.js'
import { type SubscriptionRow, subscriptionsOfUser } from './subscriptions.js'

// A row takes about 150 bytes.
const mostSubscriptions = 50_000

/**
 * What lists of channels show beside the directory, remembered for one version (lists_version): facts of channels and subscriptions of
 * users. A transaction that changes them calls `noteListChange`. Messages change facts without a new version only where there was no
 * first message, or no recent one; so channels without a stored first message are not remembered, and `channelFacts` asks for recent
 * ones. The facts are bounded by the number of channels.
 */
export class ChannelLists {
  private version = 0
  private readonly facts = new Map<number, StoredFacts>()
  private readonly subscriptions = new LRUCache<number, readonly SubscriptionRow[]>({
    maxSize: mostSubscriptions,
    sizeCalculation: rows => rows.length,
  })

  /**
   * The stored facts of these channels, in any order.
   * @param version the newest version when the request came, or the one that the transaction `sql` sees
   */
  async factsOf(sql: ISql, version: number, channelIds: readonly number[]): Promise<StoredFacts[]> {
    const known: StoredFacts[] = []
    const unknown: number[] = []
    for (const id of channelIds) {
      const facts = this.version === version ? this.facts.get(id) : undefined
      if (facts) known.push(facts)
      else unknown.push(id)
    }
    if (unknown.length === 0) return known
    const rows = await storedFacts(sql, unknown)
    for (const row of rows) {
      known.push(row)
      if (row.has_stored_first && this.shows(row.lists_version)) this.facts.set(row.id, row)
    }
    return known
  }

  /** All active and former subscriptions of the user, as `subscriptionsOfUser`; `version` as for `factsOf`. */
  async subscriptionsOf(sql: ISql, version: number, userId: number): Promise<readonly SubscriptionRow[]> {
    const known = this.version === version ? this.subscriptions.get(userId) : undefined
    if (known) return known
    const { rows, listsVersion } = await subscriptionsOfUser(sql, userId)
    if (rows.length > 0 && this.shows(listsVersion)) this.subscriptions.set(userId, rows)
    return rows
  }

  /** Whether rows of this version may be remembered: forgets those of an earlier one. */
  private shows(version: number): boolean {
    if (version > this.version) {
      this.version = version
      this.facts.clear()
      this.subscriptions.clear()
    }
    return version === this.version
  }
}
