import { LRUCache } from 'lru-cache'
import { readAudience, readSubscribers, type SubscribersRow } from '../store/channels/subscribers.js'
import type { EndedSubscription, NewSubscriptions } from '../store/channels/subscriptions.js'
import type { ISql, Tx } from '../store/driver/db.js'
import type { Directory } from './directory.js'
import { inactiveUsers } from './inactive-users.js'

// An id takes 4 bytes: 40 MB for 1,000 channels with 10,000 subscribers each. It takes 4 to 20 more in the forms that lists and messages use.
const mostIds = 10_000_000

/** The receivers of a message to a channel. */
interface ChannelAudience {
  readonly version: number
  /** Active users with an active subscription, ascending. The same object as long as the list is the same. */
  readonly userIds: readonly number[]
  /** The subscribers who have muted the channel, ascending. */
  readonly muterIds: readonly number[]
}

interface Known {
  readonly version: number
  /** Deactivated users too; ascending. */
  readonly userIds: Int32Array
  /** Undefined: not read. */
  readonly muterIds: readonly number[] | undefined
  active: ActiveSubscribers | undefined
}

/**
 * The subscribers of channels, for the receivers of messages and for lists of channels.
 *
 * Source: `subscriptions`, and the deactivated users of the directory.
 * Version: `channels.subscribers_version`. Lists of channels name the version that they need. Messages use what is here: the statement that
 * inserts one compares this version and that of the organization, and inserts nothing where one has changed.
 * Bound: 10,000,000 ids.
 * Changed: by the subscriptions that this worker has committed.
 * Dropped: by a newer version, by `forget` after a refused insert, and the least recently used.
 */
export class ChannelSubscribers {
  private readonly known = new LRUCache<number, Known>({
    maxSize: mostIds,
    sizeCalculation: ({ userIds, muterIds }) => userIds.length + (muterIds?.length ?? 0) + 16,
  })
  private readonly reading = new Map<number, Promise<Known | undefined>>()

  constructor(
    private readonly sql: ISql,
    private readonly directory: Directory,
  ) {}

  /** The lists of versions that the caller read on the same connection. Not for transactions that changed subscriptions. */
  async read(sql: ISql, versions: ReadonlyMap<number, number>): Promise<Map<number, ActiveSubscribers>> {
    const lists = new Map<number, ActiveSubscribers>()
    const unknown: number[] = []
    for (const [channelId, version] of versions) {
      const known = this.known.get(channelId)
      if (known?.version === version) lists.set(channelId, this.activeOf(known))
      else unknown.push(channelId)
    }
    if (unknown.length === 0) return lists
    for (const row of await readSubscribers(sql, unknown)) lists.set(row.id, this.activeOf(this.keep(row)))
    return lists
  }

  /** The list that the worker knows, which may be stale; read only if it knows none. Undefined: the channel does not exist. */
  async audienceOf(channelId: number): Promise<ChannelAudience | undefined> {
    let known = this.known.get(channelId)
    if (!known?.muterIds) known = await this.readAudience(channelId)
    if (!known?.muterIds) return undefined
    return { version: known.version, userIds: this.activeOf(known).list(), muterIds: known.muterIds }
  }

  /** The list that a transaction sees which holds the channel: it needs no other connection. Undefined: the channel does not exist. */
  async audienceWithin(tx: Tx, channelId: number): Promise<ChannelAudience | undefined> {
    const row = await readAudience(tx, channelId)
    if (!row) return undefined
    return {
      version: row.version,
      userIds: this.activeOf(this.keep(row, row.muter_ids)).list(),
      muterIds: row.muter_ids,
    }
  }

  /** Adds subscriptions that this worker has committed to each remembered list of the version before. */
  joined({ rows, channels }: NewSubscriptions): void {
    for (const { id, subscribers_version } of channels) {
      const joined = rows.filter(row => row.channel_id === id)
      this.change(id, subscribers_version, (ids, isMuters) => [
        ...ids,
        ...joined.filter(row => !isMuters || row.is_muted).map(row => row.user_id),
      ])
    }
  }

  /** As `joined`, for ended subscriptions. */
  left(ended: readonly EndedSubscription[]): void {
    for (const [id, version] of new Map(ended.map(row => [row.channel_id, row.subscribers_version]))) {
      const left = new Set(ended.filter(row => row.channel_id === id).map(row => row.user_id))
      this.change(id, version, ids => ids.filter(userId => !left.has(userId)))
    }
  }

  private change(id: number, version: number, changed: (ids: number[], isMuters: boolean) => number[]): void {
    const known = this.known.get(id)
    if (known?.version !== version - 1) return
    const userIds = Int32Array.from(changed([...known.userIds], false)).sort()
    const muterIds = known.muterIds && changed([...known.muterIds], true).sort((a, b) => a - b)
    this.known.set(id, { version, userIds, muterIds, active: undefined })
  }

  /** Removes a list that is stale, or that a caller must read again before it rejects a request. */
  forget(channelId: number): void {
    this.known.delete(channelId)
  }

  /** Concurrent requests for the same list share one read. */
  private readAudience(channelId: number): Promise<Known | undefined> {
    let reading = this.reading.get(channelId)
    if (!reading) {
      reading = readAudience(this.sql, channelId)
        .then(row => row && this.keep(row, row.muter_ids))
        .finally(() => this.reading.delete(channelId))
      this.reading.set(channelId, reading)
    }
    return reading
  }

  /** A transaction with an older snapshot reads an older list, but later requests need the newer one, which stays. */
  private keep({ id, version, user_ids }: SubscribersRow, muterIds?: readonly number[]): Known {
    const read: Known = { version, userIds: Int32Array.from(user_ids), muterIds, active: undefined }
    const known = this.known.get(id)
    const isNewer = !known || known.version < version || (known.version === version && muterIds !== undefined)
    if (isNewer) this.known.set(id, read)
    return read
  }

  private activeOf(known: Known): ActiveSubscribers {
    const without = inactiveUsers(this.directory)
    if (known.active?.without !== without) {
      const { userIds } = known
      const ids = userIds.some(id => without.has(id)) ? userIds.filter(id => !without.has(id)) : userIds
      known.active = new ActiveSubscribers(without, ids)
    }
    return known.active
  }
}

/** A channel's subscribers without deactivated users, in the forms that answers and messages use. */
export class ActiveSubscribers {
  private encoded: Uint8Array | undefined
  private listed: readonly number[] | undefined

  constructor(
    /** The deactivated users. */
    readonly without: ReadonlySet<number>,
    /** Ascending. */
    readonly ids: Int32Array,
  ) {}

  /** The ids as a JSON array in UTF-8. */
  bytes(): Uint8Array {
    this.encoded ??= Buffer.from(`[${this.ids.join()}]`)
    return this.encoded
  }

  list(): readonly number[] {
    this.listed ??= Array.from(this.ids)
    return this.listed
  }
}
