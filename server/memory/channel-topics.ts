import { LRUCache } from 'lru-cache'
import type { ISql } from '../store/driver/db.js'
import { allTopics, type ChannelTopic, type FoundTopics, topicsFrom } from '../store/topics/channel-topics.js'
import { SettledIds } from './settled-ids.js'

// A topic takes about 150 bytes: 30 MB.
const maxCachedTopics = 200_000

interface Known {
  /** channel_changes.version of the content. */
  readonly version: number
  /** The content considers every message below this id. */
  upTo: number
  /** By topic in lower case; the topic with the newest message is the last, so that an answer is nearly sorted. */
  readonly topics: Map<string, ChannelTopic>
}

/**
 * The topics of channels whose whole history the caller may read. A worker reads only messages that are new since the last time, in one
 * statement. The content considers only settled messages, below which no insert is still running; later ones are read each time.
 *
 * Source: `messages`.
 * Version: `channel_changes.version`: each move and deletion makes a new one. The statement that reads new messages returns it.
 * Bound: 200,000 topics.
 * Dropped: by a newer version, and the least recently used channel.
 */
export class ChannelTopics {
  private readonly channels: LRUCache<number, Known>

  /** `maxTopics`: how many topics the cache holds at most. */
  constructor(
    private readonly settled = new SettledIds(),
    maxTopics = maxCachedTopics,
  ) {
    this.channels = new LRUCache({ maxSize: maxTopics, sizeCalculation: ({ topics }) => 1 + topics.size })
  }

  /** The channel's topics, newest message first, each in the spelling of its newest message. */
  async list(sql: ISql, channelId: number): Promise<ChannelTopic[]> {
    const [cached] = await Promise.all([this.fromCache(sql, channelId), this.settled.lookWhenDue(sql)])
    if (cached) return cached
    const found = await allTopics(sql, channelId)
    return this.merge(channelId, { version: found.version, upTo: 0, topics: new Map() }, found)
  }

  /** Undefined: the channel is not in the cache, or not in its present version. */
  private async fromCache(sql: ISql, channelId: number): Promise<ChannelTopic[] | undefined> {
    const known = this.channels.get(channelId)
    if (!known) return undefined
    const found = await topicsFrom(sql, channelId, known.upTo)
    return found.version === known.version ? this.merge(channelId, known, found) : undefined
  }

  /** Adds what is settled to the known topics, and answers all. A concurrent call can have added more than this one found. */
  private merge(channelId: number, known: Known, { xmin, topics }: FoundTopics): ChannelTopic[] {
    const upTo = Math.max(known.upTo, this.settled.newestIn(xmin) + 1)
    for (const [key, name, max_id] of topics) {
      if (max_id < known.upTo || max_id >= upTo) continue
      known.topics.delete(key)
      known.topics.set(key, { name, max_id })
    }
    known.upTo = upTo
    this.keep(channelId, known)
    const all = new Map(known.topics)
    for (const [key, name, max_id] of topics) {
      if (max_id > (all.get(key)?.max_id ?? 0)) all.set(key, { name, max_id })
    }
    return [...all.values()].sort((a, b) => b.max_id - a.max_id)
  }

  private keep(channelId: number, known: Known): void {
    const kept = this.channels.peek(channelId)
    // A statement with an older snapshot must not replace newer content.
    if (kept && kept !== known && kept.version >= known.version) return
    // Again, because the cache computes the size only of an object that it does not hold yet.
    this.channels.delete(channelId)
    this.channels.set(channelId, known)
  }
}
