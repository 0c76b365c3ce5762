import type { ISql } from './db.js'

// An id takes 4 bytes: 40 MB when a thousand channels have ten thousand subscribers each.
const maxCachedIds = 10_000_000

interface Cached {
  /** channels.subscribers_version of the list. */
  readonly version: number
  /** Users with an active subscription, deactivated users too; ascending. */
  readonly userIds: Int32Array
}

/**
 * Lists of subscribers that this worker read before: a register answer needs those of all channels, and hardly any has
 * changed since the one before. A list belongs to its channel's version, so it is never taken for a newer or older one.
 */
export class SubscriberCache {
  private readonly cached = new Map<number, Cached>()
  private size = 0

  /** By the versions that the caller read on the same connection. Not for transactions that changed subscriptions. */
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
    // An older snapshot is read now and then: what is newer is asked for more often.
    if (known && known.version >= list.version) return
    this.drop(channelId)
    this.cached.set(channelId, list)
    this.size += list.userIds.length
    for (const [oldest] of this.cached) {
      if (this.size <= maxCachedIds) break
      this.drop(oldest)
    }
  }

  private drop(channelId: number): void {
    this.size -= this.cached.get(channelId)?.userIds.length ?? 0
    this.cached.delete(channelId)
  }
}
