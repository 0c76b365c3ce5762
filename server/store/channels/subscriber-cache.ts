import { LRUCache } from 'lru-cache'
import type { ISql } from '../driver/db.js'

// An id takes 4 bytes: 40 MB for 1,000 channels with 10,000 subscribers each.
const maxCachedIds = 10_000_000

interface Cached {
  /** channels.subscribers_version of the list. */
  readonly version: number
  /** Users with an active subscription, deactivated users too; ascending. */
  readonly userIds: Int32Array
}

/**
 * Cache of the subscriber lists of channels: a register answer needs the lists of all channels, and few change between two answers.
 * A list is valid for exactly one version of its channel, so it is never stale.
 */
export class SubscriberCache {
  private readonly cached = new LRUCache<number, Cached>({
    maxSize: maxCachedIds,
    sizeCalculation: ({ userIds }) => userIds.length + 1,
  })

  /** Reads the lists for versions that the caller read on the same connection. Not for transactions that changed subscriptions. */
  async read(sql: ISql, versions: ReadonlyMap<number, number>): Promise<Map<number, Int32Array>> {
    const lists = new Map<number, Int32Array>()
    const unknown: number[] = []
    for (const [channelId, version] of versions) {
      const known = this.cached.get(channelId)
      if (known?.version === version) lists.set(channelId, known.userIds)
      else unknown.push(channelId)
    }
    if (unknown.length === 0) return lists
    const rows = await sql<{ id: number; version: number; user_ids: number[] }[]>`
      select id, subscribers_version as version, array(
        select user_id from subscriptions where channel_id = channels.id and is_active order by user_id
      ) as user_ids
      from channels where id = any(${unknown})`
    for (const { id, version, user_ids } of rows) {
      const userIds = Int32Array.from(user_ids)
      lists.set(id, userIds)
      this.keep(id, { version, userIds })
    }
    return lists
  }

  private keep(channelId: number, list: Cached): void {
    const known = this.cached.get(channelId)
    // Keep a newer list: a transaction with an older snapshot reads an older list, but later requests need the newer one.
    if (known && known.version >= list.version) return
    this.cached.set(channelId, list)
  }
}
