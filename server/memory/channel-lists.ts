import { LRUCache } from 'lru-cache'
import { SharedQuestion } from '../concurrency/shared-question.js'
import { type StoredFacts, storedFacts } from '../store/channels/channel-facts.js'
import { type OwnSubscriptions, ownSubscriptions } from '../store/channels/received.js'
import { type SubscriptionRow, subscriptionsOfUser } from '../store/channels/subscriptions.js'
import type { ISql } from '../store/driver/db.js'
import { listChangesAfter } from '../store/driver/directory-lease.js'

// A row takes about 150 bytes.
const mostRows = 50_000
// An id takes 8 bytes.
const mostIds = 1_000_000

/** A value read at version `since` of a user's subscriptions; no change of them has made it invalid up to the version of the memory. */
interface Known<Value> {
  readonly since: number
  readonly value: Value
}

/**
 * What lists of channels show beside the directory, and which channels users read: facts of channels and subscriptions of users.
 * Messages change facts without a new version only where there was no first message, or no recent one; so channels without a stored
 * first message are not remembered, and `uncountedFacts` asks for recent ones.
 *
 * Source: `channels`, `channel_traffic`, `subscriptions`.
 * Version: `lists_version`: a transaction that changes them calls `noteListChange`. Callers name the version that they need: the newest one when
 * the request came (`Directory.listsVersion`), or the one that their transaction `sql` sees. So an answer from here is as current as one from
 * the database.
 * Bound: the number of channels; 50,000 rows of subscriptions; 1,000,000 ids of channels.
 * Dropped: by a newer version, all facts and the subscriptions of the users that `list_changes` names; the least recently used.
 * Without `list_changes` a request that follows any change of subscriptions would read its caller's again: a change of a flag would cost PostgreSQL
 * 20 to 40 % more CPU, a list of the own subscriptions 30 % of all, a page of messages 3 to 15 %, a register 8 %.
 */
export class ChannelLists {
  private version = 0
  private readonly facts = new Map<number, StoredFacts>()
  private readonly rows = new LRUCache<number, Known<readonly SubscriptionRow[]>>({
    maxSize: mostRows,
    sizeCalculation: ({ value }) => value.length,
  })
  private readonly own = new LRUCache<number, Known<OwnSubscriptions>>({
    maxSize: mostIds,
    sizeCalculation: ({ value }) => value.active.length + value.muted.length + value.former.length,
  })

  private readonly ownQuestion = new SharedQuestion((userIds: readonly number[]) => ownSubscriptions(this.sql, userIds))

  constructor(private readonly sql: ISql) {}

  /** The stored facts of these channels, in any order. */
  async factsOf(sql: ISql, version: number, channelIds: readonly number[]): Promise<StoredFacts[]> {
    if (this.version < version) await this.catchUp(sql, version)
    const known: StoredFacts[] = []
    const unknown: number[] = []
    for (const id of channelIds) {
      const facts = this.facts.get(id)
      if (facts && facts.lists_version <= version) known.push(facts)
      else unknown.push(id)
    }
    if (unknown.length === 0) return known
    const rows = await storedFacts(sql, unknown)
    for (const row of rows) {
      known.push(row)
      if (row.has_stored_first && row.lists_version >= this.version) this.facts.set(row.id, row)
    }
    return known
  }

  /** All active and former subscriptions of the user, as `subscriptionsOfUser`. */
  async subscriptionsOf(sql: ISql, version: number, userId: number): Promise<readonly SubscriptionRow[]> {
    if (this.version < version) await this.catchUp(sql, version)
    const known = this.rows.get(userId)
    if (known && known.since <= version) return known.value
    const { rows, listsVersion } = await subscriptionsOfUser(sql, userId)
    if (rows.length > 0) this.keep(this.rows, userId, listsVersion, rows)
    return rows
  }

  /** The channels of the user's subscriptions; undefined: there are none. Concurrent requests share a statement. */
  ownOf(version: number, userId: number): Promise<OwnSubscriptions | undefined> {
    return this.findOwn(this.sql, version, userId, () => this.ownQuestion.of(userId))
  }

  /** As `ownOf`, in a transaction. */
  ownIn(tx: ISql, version: number, userId: number): Promise<OwnSubscriptions | undefined> {
    return this.findOwn(tx, version, userId, async () => (await ownSubscriptions(tx, [userId])).get(userId))
  }

  private async findOwn(
    sql: ISql,
    version: number,
    userId: number,
    read: () => Promise<OwnSubscriptions | undefined>,
  ): Promise<OwnSubscriptions | undefined> {
    if (this.version < version) await this.catchUp(sql, version)
    const known = this.own.get(userId)
    if (known && known.since <= version) return known.value
    const own = await read()
    if (own) this.keep(this.own, userId, own.lists_version, own)
    return own
  }

  private keep<Value>(cache: LRUCache<number, Known<Value>>, userId: number, since: number, value: Value): void {
    if (since >= this.version) cache.set(userId, { since, value })
  }

  /** Forgets what the versions up to this one, which `sql` shows, have changed. */
  private async catchUp(sql: ISql, version: number): Promise<void> {
    const from = this.version
    const changes = await listChangesAfter(sql, from)
    const newest = Math.max(version, changes.at(-1)?.version ?? 0)
    if (newest <= this.version) return
    this.version = newest
    this.facts.clear()
    // Some changes are no longer kept.
    if (changes.length < newest - from) {
      this.rows.clear()
      this.own.clear()
    }
    for (const id of changes.flatMap(change => change.user_ids)) {
      this.rows.delete(id)
      this.own.delete(id)
    }
  }
}
