import { topicKey } from '../../shared/resources/topic.js'
import { visibilityPolicy } from '../../shared/resources/user-topic.js'
import type { Ctx } from '../ctx.js'
import type { TopicMessages } from '../store/channel-index.js'
import type { ISql } from '../store/db.js'
import { forEachWithin, gapsBetween, type IdRange, lowerBound, rangeTest } from '../store/id-ranges.js'
import { flagBit } from '../store/message-flags.js'
import { idsPerBlock } from '../store/read-state.js'
import { type UnreadFacts, unreadConversations, unreadFacts } from '../store/unread-facts.js'

/** Unread messages of one topic or one conversation. */
export interface UnreadPlace {
  /** Null: a conversation. */
  readonly channelId: number | null
  /** In the spelling of the newest of these messages. */
  readonly topic: string
  /** All participants of the conversation, ascending; empty in a channel. */
  readonly userIds: readonly number[]
  readonly isMuted: boolean
  /** Ascending. */
  readonly ids: number[]
  /** Those that mention the user by name, or as a participant of the topic. */
  readonly mentions: readonly number[]
  /** Those that mention the whole channel. */
  readonly wildcards: readonly number[]
}

/**
 * The newest unread messages of a user, at most `limit`, by topic and conversation. `channelIds`: the channels in which the user may read.
 * In a transaction of isolation level repeatable read. The costs depend on the unread messages, not on the history: see ChannelIndex.
 */
export async function unreadPlaces(
  { channelIndex, sql }: Pick<Ctx, 'channelIndex' | 'sql'>,
  tx: ISql,
  userId: number,
  channelIds: readonly number[],
  limit: number,
): Promise<UnreadPlace[]> {
  const [facts, conversations, settledBelow] = await Promise.all([
    unreadFacts(tx, userId, channelIds),
    unreadConversations(tx, userId, limit),
    channelIndex.settledBelow(tx, sql),
  ])
  const reader = new ChannelReader(userId, facts)
  const versions = new Map(facts.channels.map(one => [one.id, one.version]))
  const firstReceived = Math.min(...facts.channels.map(one => one.spans[0]?.from ?? Number.POSITIVE_INFINITY))
  const firstUnread = reader.gaps[0]?.from ?? Number.POSITIVE_INFINITY
  const oldest = blockOf(Math.max(firstUnread, firstReceived))
  const newestBlock = blockOf(settledBelow)
  // The newest block contains later messages, too, so it is read in any case.
  for (let block = newestBlock; block >= Math.min(oldest, newestBlock) && reader.count < limit; block--) {
    reader.add(await channelIndex.read(tx, block, settledBelow, versions))
  }
  const direct = conversations.map(({ user_ids, ids }): UnreadPlace => {
    const mentions = ids.filter(id => mentionsUser(facts, id))
    return { channelId: null, topic: '', userIds: user_ids, isMuted: false, ids, mentions, wildcards: [] }
  })
  return newest([...reader.places(), ...direct], limit)
}

const blockOf = (id: number): number => Math.floor(id / idsPerBlock)

const mentionsUser = ({ flags }: UnreadFacts, id: number): boolean =>
  ((flags.get(id) ?? 0) & (flagBit.mentioned | flagBit.topic_wildcard_mentioned)) !== 0

interface Place {
  readonly channelId: number
  topic: string
  newest: number
  /** One list of each block and spelling. */
  readonly ids: number[][]
  readonly wildcards: number[]
}

/** Collects the unread messages of one user from the blocks of channels. */
class ChannelReader {
  /** How many messages were found. */
  count = 0
  private readonly found = new Map<string, Place>()
  private readonly policies: ReadonlyMap<string, number>
  /** The ids that the user has not read, or that do not exist. */
  readonly gaps: readonly IdRange[]

  constructor(
    private readonly userId: number,
    private readonly facts: UnreadFacts,
  ) {
    this.policies = new Map(facts.policies.map(one => [keyOf(one.channel_id, one.topic), one.visibility_policy]))
    this.gaps = gapsBetween(facts.read)
  }

  add(channels: ReadonlyMap<number, readonly TopicMessages[]>): void {
    for (const { id, spans } of this.facts.channels) {
      for (const messages of channels.get(id) ?? []) {
        const ids = this.unreadOf(messages, spans)
        if (ids.length > 0) this.keep(id, messages, ids)
      }
    }
  }

  places(): UnreadPlace[] {
    const isMuted = new Map(this.facts.channels.map(one => [one.id, one.isMuted]))
    return Array.from(this.found, ([key, { channelId, topic, ids: lists, wildcards }]) => {
      const ids = lists.length === 1 ? (lists[0] as number[]) : lists.flat().sort((a, b) => a - b)
      const policy = this.policies.get(key)
      return {
        channelId,
        topic,
        userIds: [],
        isMuted: policy === undefined ? isMuted.get(channelId) === true : policy === visibilityPolicy.muted,
        ids,
        mentions: this.facts.flags.size > 0 ? ids.filter(id => mentionsUser(this.facts, id)) : [],
        wildcards,
      }
    })
  }

  private unreadOf({ ids, readFrom }: TopicMessages, spans: readonly IdRange[]): number[] {
    const isReceived = rangeTest(spans)
    const unread: number[] = []
    forEachWithin(ids, this.gaps, i => {
      const id = ids[i] as number
      if (isReceived(id) && !this.isReadFromStart(id, readFrom[i] as number)) unread.push(id)
    })
    return unread
  }

  /** Whether the message was read when it was stored (TopicMessages.readFrom), and the user has not marked it as unread. */
  private isReadFromStart(id: number, from: number): boolean {
    if (from !== -1 && from !== this.userId) return false
    return ((this.facts.flags.get(id) ?? 0) & flagBit.ownUnread) === 0
  }

  private keep(channelId: number, { topic, wildcards }: TopicMessages, ids: number[]): void {
    this.count += ids.length
    const newest = ids.at(-1) as number
    const key = keyOf(channelId, topic)
    let place = this.found.get(key)
    if (!place) {
      place = { channelId, topic, newest, ids: [], wildcards: [] }
      this.found.set(key, place)
    }
    if (newest > place.newest) Object.assign(place, { topic, newest })
    place.ids.push(ids)
    if (wildcards.length > 0) {
      const unread = new Set(ids)
      place.wildcards.push(...wildcards.filter(id => unread.has(id)))
    }
  }
}

const keyOf = (channelId: number, topic: string): string => `${channelId}:${topicKey(topic)}`

/** The newest `limit` messages of all places; a place without any is left out. */
function newest(places: readonly UnreadPlace[], limit: number): UnreadPlace[] {
  const count = (first: number) => places.reduce((sum, { ids }) => sum + ids.length - lowerBound(ids, first), 0)
  if (count(0) <= limit) return [...places]
  // Bisects for the first id, because sorting all of them costs several times as much.
  let [tooMany, first] = [0, Math.max(...places.map(one => one.ids.at(-1) ?? 0)) + 1]
  while (first - tooMany > 1) {
    const middle = Math.floor((tooMany + first) / 2)
    if (count(middle) > limit) tooMany = middle
    else first = middle
  }
  const since = (ids: readonly number[]) => ids.filter(id => id >= first)
  return places
    .map(one => ({
      ...one,
      ids: one.ids.slice(lowerBound(one.ids, first)),
      mentions: since(one.mentions),
      wildcards: since(one.wildcards),
    }))
    .filter(one => one.ids.length > 0)
}
