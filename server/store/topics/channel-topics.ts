import { LRUCache } from 'lru-cache'
import type { ISql } from '../driver/db.js'
import { SettledIds } from '../reading/settled-ids.js'

// A topic takes about 150 bytes: 30 MB.
const maxCachedTopics = 200_000

/** A topic in the spelling of its newest message, whose id is `max_id`. */
export interface ChannelTopic {
  readonly name: string
  readonly max_id: number
}

interface Known {
  /** channel_changes.version of the content. */
  readonly version: number
  /** The content considers every message below this id. */
  upTo: number
  /** By topic in lower case; the topic with the newest message is the last, so that an answer is nearly sorted. */
  readonly topics: Map<string, ChannelTopic>
}

interface Found {
  readonly version: number
  /** The oldest transaction that was open in the statement's snapshot. */
  readonly xmin: number
  /** Topic in lower case, name and max_id; `max_id` ascending. */
  readonly topics: readonly (readonly [string, string, number])[]
}

/**
 * The topics of channels whose whole history the caller may read. A worker keeps them, and reads only messages that are new since
 * the last time, in one statement. The content is valid for one version of the channel, as in ChannelIndex: each move and deletion
 * makes a new one. It considers only settled messages, below which no insert is still running; later ones are read each time.
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
  private merge(channelId: number, known: Known, { xmin, topics }: Found): ChannelTopic[] {
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

/** The topics of all messages, found by one look into the index for each topic. */
function allTopics(sql: ISql, channelId: number): Promise<Found> {
  return found(
    sql,
    channelId,
    sql`
      with recursive keys as (
        (select lower(topic) as key from messages where channel_id = ${channelId} order by lower(topic) limit 1)
        union all
        select (select lower(m.topic) from messages m where m.channel_id = ${channelId} and lower(m.topic) > keys.key
          order by lower(m.topic) limit 1)
        from keys where keys.key is not null
      )
      select keys.key, newest.topic, newest.id
      from keys cross join lateral (
        select id, topic from messages where channel_id = ${channelId} and lower(topic) = keys.key order by id desc limit 1
      ) newest`,
  )
}

/** The topics of messages from an id on. */
function topicsFrom(sql: ISql, channelId: number, first: number): Promise<Found> {
  return found(
    sql,
    channelId,
    sql`
      select distinct on (lower(topic)) lower(topic) as key, topic, id from messages
      where channel_id = ${channelId} and id >= ${first} order by lower(topic), id desc`,
  )
}

/** In one statement, so that version, transactions and topics are those of one snapshot. */
async function found(sql: ISql, channelId: number, topics: ReturnType<ISql>): Promise<Found> {
  const [row] = await sql<[Found]>`
    select coalesce((select version from channel_changes where channel_id = ${channelId}), 0) as version,
      pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xmin,
      coalesce((select json_agg(json_build_array(key, topic, id) order by id) from (${topics}) as topics), '[]') as topics`
  return row
}

/** The topics of messages that a user received, newest message first: for channels with protected history (docs/protocol/permissions.md#protected-history). */
export async function receivedTopics(sql: ISql, channelId: number, userId: number): Promise<ChannelTopic[]> {
  return sql<ChannelTopic[]>`
    select name, max_id from (
      select distinct on (lower(topic)) topic as name, messages.id as max_id
      from messages join subscriptions on subscriptions.user_id = ${userId}
        and subscriptions.channel_id = messages.channel_id and messages.id <@ spans
      where messages.channel_id = ${channelId}
      order by lower(topic), messages.id desc
    ) newest
    order by max_id desc`
}
