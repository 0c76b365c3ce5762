import { topicKey } from '../../shared/resources/topic.js'
import { visibilityPolicy } from '../../shared/resources/user-topic.js'
import type { Ctx } from '../ctx.js'
import type { TopicMessages } from '../memory/channel-index.js'
import type { Memory } from '../memory/memory.js'
import type { ISql } from '../store/driver/db.js'
import { forEachRunWithin, gapsBetween, type IdRange, type RangedIds } from '../store/driver/id-ranges.js'
import { IdRuns } from '../store/driver/id-runs.js'
import type { SelectedRows } from '../store/driver/read-together.js'
import { oldestOpen } from '../store/driver/snapshot.js'
import { flagBit } from '../store/messages/message-flags.js'
import {
  readBlocks,
  readRanges,
  type SubscribedSpans,
  subscribedChannels,
  subscribedSpans,
  unreadConversations,
  unreadFlags,
} from '../store/pages/unread-facts.js'
import { blockOf } from '../store/reading/read-blocks.js'
import { topicsOfUser } from '../store/topics/user-topics.js'

/** Unread messages of one topic or one conversation. */
export interface UnreadPlace {
  /** Null: a conversation. */
  readonly channelId: number | null
  /** In the spelling of the newest of these messages. */
  readonly topic: string
  readonly topicKey: string
  /** All participants of the conversation, ascending; empty in a channel. */
  readonly userIds: readonly number[]
  readonly isMuted: boolean
  /** How many they are. */
  readonly count: number
  /** Ascending, one list after the other; none is empty. */
  readonly ids: readonly IdRuns[]
  /** Those that mention the user by name, or as a participant of the topic; in any order. */
  readonly mentions: readonly number[]
  /** Those that mention the whole channel; in any order. */
  readonly wildcards: readonly number[]
}

/** What `unreadPlaces` needs of the tables beside the messages of channels. */
export const unreadSelects = [subscribedSpans, readBlocks, unreadFlags, topicsOfUser, unreadConversations]

interface UnreadQuestion {
  readonly userId: number
  /** The channels in which the user may read. */
  readonly channelIds: readonly number[]
  /** Of the transaction. */
  readonly snapshot: string
  /** Those of `unreadSelects`. */
  readonly rows: SelectedRows
  readonly limit: number
}

/**
 * The newest unread messages of a user, at most `limit`, by topic and conversation. In a transaction of isolation level repeatable read. The
 * costs depend on the unread messages, not on the history: see ChannelIndex.
 */
export async function unreadPlaces(
  { memory: { channelIndex }, sql }: Pick<Ctx, 'sql'> & { readonly memory: Pick<Memory, 'channelIndex'> },
  tx: ISql,
  { userId, channelIds, snapshot, rows, limit }: UnreadQuestion,
): Promise<readonly UnreadPlace[]> {
  const settledBelow = await channelIndex.settledBelow(tx, oldestOpen(snapshot), sql)
  const facts = unreadFacts(rows, new Set(channelIds))
  const reader = new ChannelReader(userId, facts)
  const versions = new Map(facts.channels.map(one => [one.id, one.version]))
  const firstReceived = Math.min(...facts.channels.map(one => one.spans[0]?.from ?? Number.POSITIVE_INFINITY))
  const firstUnread = reader.inGaps.ranges[0]?.from ?? Number.POSITIVE_INFINITY
  const oldest = blockOf(Math.max(firstUnread, firstReceived))
  const newestBlock = blockOf(settledBelow)
  // The newest block contains later messages, too, so it is read in any case.
  for (let block = newestBlock; block >= Math.min(oldest, newestBlock) && reader.count < limit; block--) {
    reader.add(await channelIndex.read(tx, block, settledBelow, versions))
  }
  const direct = rows.of(unreadConversations).map(({ user_ids, ids }) => {
    const place = new FoundPlace(null, '', '', false)
    place.userIds = user_ids
    place.add(IdRuns.all(ids), '', reader.mentioning, [])
    return place
  })
  return newest([...reader.places(), ...direct], limit)
}

/** What decides which messages of channels a user has not read, and where. */
interface UnreadFacts {
  readonly read: readonly IdRange[]
  readonly channels: readonly SubscribedSpans[]
  /** Flags of messages that mention the user or that the user has marked as unread. */
  readonly flags: ReadonlyMap<number, number>
  readonly policies: readonly {
    readonly channel_id: number
    readonly topic: string
    readonly visibility_policy: number
  }[]
}

function unreadFacts(rows: SelectedRows, channelIds: ReadonlySet<number>): UnreadFacts {
  return {
    read: readRanges(rows.of(readBlocks)),
    channels: subscribedChannels(rows.of(subscribedSpans)).filter(({ id }) => channelIds.has(id)),
    flags: new Map(rows.of(unreadFlags).map(row => [row.message_id, row.flags])),
    policies: rows.of(topicsOfUser),
  }
}

/** The messages that mention the user by name, or as a participant of the topic, ascending. */
const mentioningUser = ({ flags }: UnreadFacts): number[] =>
  Array.from(flags)
    .filter(([, bits]) => (bits & (flagBit.mentioned | flagBit.topic_wildcard_mentioned)) !== 0)
    .map(([id]) => id)
    .sort((a, b) => a - b)

/** A place whose messages are being collected. */
class FoundPlace implements UnreadPlace {
  count = 0
  ids: IdRuns[] = []
  mentions: number[] = []
  wildcards: number[] = []
  /** The people of a conversation. */
  userIds: readonly number[] = []
  private newest = 0

  constructor(
    readonly channelId: number | null,
    public topic: string,
    readonly topicKey: string,
    public isMuted: boolean,
  ) {}

  /** Adds messages of a block in one spelling of the topic. */
  add(ids: IdRuns, topic: string, mentioning: readonly number[], wildcards: readonly number[]): void {
    if (ids.last > this.newest) {
      this.newest = ids.last
      this.topic = topic
    }
    if (this.count === 0) this.ids = [ids]
    else this.ids.push(ids)
    this.count += ids.count
    if (mentioning.length > 0) this.mentions.push(...ids.common(mentioning))
    if (wildcards.length > 0) this.wildcards.push(...ids.common(wildcards))
  }

  /** Makes the ids ascend from one list to the next; two spellings of a topic become one list. */
  order(): void {
    if (this.ids.length === 1) return
    this.ids.sort((a, b) => a.first - b.first)
    if (this.ids.every((list, i) => i === 0 || (this.ids[i - 1] as IdRuns).last < list.first)) return
    this.ids = [IdRuns.all(this.ids.flatMap(list => list.values()).sort((a, b) => a - b))]
  }

  /** Leaves out the messages below `first`. */
  cut(first: number): void {
    this.ids = this.ids.map(list => list.since(first)).filter(({ count }) => count > 0)
    this.count = this.ids.reduce((sum, { count }) => sum + count, 0)
    this.mentions = this.mentions.filter(id => id >= first)
    this.wildcards = this.wildcards.filter(id => id >= first)
  }
}

/** Collects the unread messages of one user from the blocks of channels. */
class ChannelReader {
  /** How many messages were found. */
  count = 0
  /** By channel and topicKey. */
  private readonly found = new Map<number, Map<string, FoundPlace>>()
  readonly mentioning: readonly number[]
  // The topic that is being read: two functions and a result for each one were a third of the garbage of a register.
  private messages: Pick<TopicMessages, 'ids' | 'readFrom'> = { ids: [], readFrom: [] }
  private readonly inSpans: RangedIds = { ids: [], ranges: [] }
  /** The ranges: ids that the user has not read, or that do not exist. */
  readonly inGaps: RangedIds
  private unread: IdRuns | undefined

  constructor(
    private readonly userId: number,
    private readonly facts: UnreadFacts,
  ) {
    this.inGaps = { ids: [], ranges: gapsBetween(facts.read) }
    this.mentioning = mentioningUser(facts)
  }

  add(channels: ReadonlyMap<number, readonly TopicMessages[]>): void {
    for (const { id, spans, isMuted } of this.facts.channels) {
      const places = this.found.get(id) ?? new Map<string, FoundPlace>()
      this.found.set(id, places)
      for (const messages of channels.get(id) ?? []) {
        const unread = this.unreadOf(messages, spans)
        if (!unread) continue
        const { topic, topicKey, wildcards } = messages
        const place = places.get(topicKey) ?? new FoundPlace(id, topic, topicKey, isMuted)
        places.set(topicKey, place)
        place.add(unread, topic, this.mentioning, wildcards)
        this.count += unread.count
      }
    }
  }

  places(): FoundPlace[] {
    for (const { channel_id, topic, visibility_policy } of this.facts.policies) {
      const place = this.found.get(channel_id)?.get(topicKey(topic))
      if (place) place.isMuted = visibility_policy === visibilityPolicy.muted
    }
    const all = [...this.found.values()].flatMap(places => [...places.values()])
    for (const place of all) place.order()
    return all
  }

  /** Undefined: none. */
  private unreadOf(messages: TopicMessages, spans: readonly IdRange[]): IdRuns | undefined {
    this.messages = messages
    this.unread = undefined
    this.inSpans.ids = this.inGaps.ids = messages.ids
    this.inSpans.ranges = spans
    forEachRunWithin(this.inSpans, this.addReceived)
    return this.unread
  }

  private readonly addReceived = (from: number, to: number): void =>
    forEachRunWithin(this.inGaps, this.addUnread, from, to)

  private readonly addUnread = (from: number, to: number): void => {
    const { ids, readFrom } = this.messages
    let start = from
    for (let i = from; i < to; i++) {
      const readBy = readFrom[i] as number
      if (readBy === 0 || !this.isReadFromStart(ids[i] as number, readBy)) continue
      this.addRun(start, i)
      start = i + 1
    }
    this.addRun(start, to)
  }

  private addRun(from: number, to: number): void {
    if (from >= to) return
    this.unread ??= new IdRuns(this.messages.ids)
    this.unread.add(from, to)
  }

  /** Whether the message was read when it was stored (TopicMessages.readFrom), and the user has not marked it as unread. */
  private isReadFromStart(id: number, from: number): boolean {
    if (from !== -1 && from !== this.userId) return false
    return ((this.facts.flags.get(id) ?? 0) & flagBit.ownUnread) === 0
  }
}

/** The newest `limit` messages of all places; a place without any is left out. */
function newest(places: readonly FoundPlace[], limit: number): readonly UnreadPlace[] {
  if (places.reduce((sum, { count }) => sum + count, 0) <= limit) return places
  const lists = places.flatMap(({ ids }) => ids)
  const first = firstOfNewest(lists, limit)
  for (const place of places) place.cut(first)
  return places.filter(({ count }) => count > 0)
}

/** The smallest id from which on the lists contain at most `limit` ids. Bisects, because sorting all of them costs several times as much. */
function firstOfNewest(lists: readonly IdRuns[], limit: number): number {
  let [tooMany, first] = [0, lists.reduce((newest, { last }) => Math.max(newest, last), 0) + 1]
  // Lists that may have ids between the two; the others have `counted` ids from `first` on.
  let open = lists
  let counted = 0
  while (first - tooMany > 1) {
    const middle = Math.floor((tooMany + first) / 2)
    const count = open.reduce((sum, list) => sum + list.countSince(middle), counted)
    if (count > limit) {
      tooMany = middle
      open = open.filter(list => list.last >= middle)
      continue
    }
    first = middle
    for (const list of open) if (list.first >= middle) counted += list.count
    open = open.filter(list => list.first < middle)
  }
  return first
}
