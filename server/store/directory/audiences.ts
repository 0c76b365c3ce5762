import { LRUCache } from 'lru-cache'
import type { ISql } from '../driver/db.js'
import type { Directory } from './directory.js'

interface ChannelAudience {
  /** channels.subscribers_version at the time of reading: the list is valid as long as the channel has this version. */
  readonly version: number
  /** Active users with an active subscription, ascending. */
  readonly userIds: readonly number[]
  /** Those of them who have muted the channel, ascending. */
  readonly muterIds: readonly number[]
}

/** The subscribers of a channel, including deactivated users, read in one snapshot with the version of the list. */
async function readSubscribers(sql: ISql, channelId: number): Promise<ChannelAudience | undefined> {
  const [row] = await sql<{ version: number; user_ids: number[]; muter_ids: number[] }[]>`
    select subscribers_version as version, array(
      select user_id from subscriptions where channel_id = channels.id and is_active order by user_id
    ) as user_ids, array(
      select user_id from subscriptions where channel_id = channels.id and is_active and is_muted order by user_id
    ) as muter_ids
    from channels where id = ${channelId}`
  return row && { version: row.version, userIds: row.user_ids, muterIds: row.muter_ids }
}

// An id takes up to 8 bytes; a list with deactivated users is stored twice.
const maxCachedIds = 5_000_000

interface Cached {
  readonly subscribers: ChannelAudience
  /** The same list without deactivated users, for one generation of the directory. */
  active: ChannelAudience
  generation: number
}

/**
 * Cache of the audiences of channels. A list can be stale: the statement that uses it compares the
 * version of the channel and the version of the organization, which the deactivation of a user changes.
 */
export class Audiences {
  private readonly cached = new LRUCache<number, Cached>({
    maxSize: maxCachedIds,
    sizeCalculation: ({ subscribers: { userIds, muterIds } }) => userIds.length + muterIds.length + 16,
  })
  /** The encoded form of each list: encoded once for all messages with the same audience. */
  readonly encoded = new WeakMap<readonly number[], Uint8Array>()
  private readonly reading = new Map<number, Promise<ChannelAudience | undefined>>()

  constructor(
    private readonly sql: ISql,
    private readonly directory: Directory,
  ) {}

  /** Undefined: the channel does not exist. */
  async of(channelId: number): Promise<ChannelAudience | undefined> {
    let known = this.cached.get(channelId)
    if (!known) {
      const subscribers = await this.read(channelId)
      if (!subscribers) return undefined
      known = { subscribers, active: subscribers, generation: -1 }
      this.cached.set(channelId, known)
    }
    if (known.generation !== this.directory.generation) {
      known.active = this.withoutDeactivated(known.subscribers)
      known.generation = this.directory.generation
    }
    return known.active
  }

  /** Removes a list that is stale, or that a caller must read again before it rejects a request. */
  forget(channelId: number): void {
    this.cached.delete(channelId)
  }

  /** Concurrent requests for the same list share one read. */
  private read(channelId: number): Promise<ChannelAudience | undefined> {
    let reading = this.reading.get(channelId)
    if (!reading) {
      reading = readSubscribers(this.sql, channelId).finally(() => this.reading.delete(channelId))
      this.reading.set(channelId, reading)
    }
    return reading
  }

  private withoutDeactivated(subscribers: ChannelAudience): ChannelAudience {
    const { users } = this.directory
    const isActive = (id: number) => users.get(id)?.is_active === true
    if (subscribers.userIds.every(isActive)) return subscribers
    return { ...subscribers, userIds: subscribers.userIds.filter(isActive) }
  }
}

/** Whether an ascending list of ids contains an id. */
export function holdsId(ids: readonly number[], id: number): boolean {
  let low = 0
  let high = ids.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ids[middle] as number) < id) low = middle + 1
    else high = middle
  }
  return ids[low] === id
}
