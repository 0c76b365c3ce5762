import { LRUCache } from 'lru-cache'
import { topicKey } from '../../shared/resources/topic.js'
import type { ISql } from '../store/driver/db.js'
import { messagesFrom, type TopicRow } from '../store/reading/channel-messages.js'
import { idsPerBlock } from '../store/reading/read-blocks.js'
import { SettledIds } from './settled-ids.js'

// A message takes 16 bytes: 24 MB.
const maxCachedMessages = 1_500_000

/** Messages of one topic in one spelling. */
export interface TopicMessages extends Omit<TopicRow, 'channel_id'> {
  readonly topicKey: string
}

interface Block {
  /** channel_changes.version of the content. */
  readonly version: number
  /** The block contains every message below this id. */
  upTo: number
  /** By topic. */
  readonly topics: Map<string, TopicMessages>
}

/**
 * The ids of the messages of each channel by topic, for the unread messages in register answers: they are the same for all users, so
 * a worker reads them once. A block of ids contains only settled messages, below which no insert is still running. Later messages are read
 * from the database each time.
 *
 * Source: `messages`.
 * Version: `channel_changes.version`: each move, deletion and changed wildcard mention makes a new one. The caller reads it in its transaction.
 * Bound: 1,500,000 messages.
 * Dropped: by a newer version, and the least recently used block.
 */
export class ChannelIndex {
  private readonly blocks: LRUCache<string, Block>

  /** `maxMessages`: how many messages the cache holds at most. */
  constructor(
    private readonly settled = new SettledIds(),
    maxMessages = maxCachedMessages,
  ) {
    this.blocks = new LRUCache({ maxSize: maxMessages, sizeCalculation: sizeOf })
  }

  /** The id below which the snapshot of the transaction, with this pg_snapshot_xmin, shows every message. `sql`: as in SettledIds. */
  async settledBelow(tx: ISql, xmin: number, sql: ISql): Promise<number> {
    return (await this.settled.newest(tx, xmin, sql)) + 1
  }

  /**
   * The messages of channels in a block, by channel; the block of `settledBelow` extends to the newest message. The cache may add messages
   * at the end of these lists at the next `await`; positions stay valid. `versions`: of the channels, read in the same transaction, whose
   * isolation level is repeatable read.
   */
  async read(
    tx: ISql,
    block: number,
    settledBelow: number,
    versions: ReadonlyMap<number, number>,
  ): Promise<Map<number, TopicMessages[]>> {
    const end = (block + 1) * idsPerBlock
    const isNewest = settledBelow < end
    const known = new Map([...versions].map(([id, version]) => [id, this.blockOf(id, block, version)] as const))
    const wanted = [...known].filter(([, { upTo }]) => isNewest || upTo < end)
    const rows =
      wanted.length > 0
        ? await messagesFrom(
            tx,
            wanted.map(([id, { upTo }]) => [id, upTo]),
            isNewest ? null : end,
          )
        : []
    const unsettled = new Map<number, TopicMessages[]>()
    const settledTo = isNewest ? settledBelow : end
    for (const row of rows) {
      const { channel_id } = row
      const of = known.get(channel_id)
      if (!of) continue
      append(of, row, settledTo)
      // A concurrent call can have extended the block further than this one.
      const later = part(row, id => id >= Math.max(of.upTo, settledTo))
      if (later.ids.length > 0) unsettled.set(channel_id, [...(unsettled.get(channel_id) ?? []), later])
    }
    for (const [id, of] of wanted) {
      of.upTo = Math.max(of.upTo, settledTo)
      this.keep(`${id}:${block}`, of)
    }
    return new Map([...known].map(([id, of]) => [id, [...of.topics.values(), ...(unsettled.get(id) ?? [])]]))
  }

  private blockOf(channelId: number, block: number, version: number): Block {
    const known = this.blocks.get(`${channelId}:${block}`)
    return known?.version === version ? known : { version, upTo: block * idsPerBlock, topics: new Map() }
  }

  private keep(key: string, block: Block): void {
    const known = this.blocks.peek(key)
    // A transaction with an older snapshot must not replace a newer block.
    if (known && known !== block && known.version >= block.version) return
    this.blocks.delete(key)
    this.blocks.set(key, block)
  }
}

const sizeOf = ({ topics }: Block): number => {
  let size = 8
  for (const { ids } of topics.values()) size += ids.length + 8
  return size
}

/** Adds the messages from the end of the block up to `to`, exclusive. */
function append(block: Block, row: TopicRow, to: number): void {
  const added = part(row, id => id >= block.upTo && id < to)
  if (added.ids.length === 0) return
  const known = block.topics.get(row.topic)
  if (!known) {
    block.topics.set(row.topic, added)
    return
  }
  for (const id of added.ids) known.ids.push(id)
  for (const user of added.readFrom) known.readFrom.push(user)
  for (const id of added.wildcards) known.wildcards.push(id)
}

const part = ({ topic, ids, readFrom, wildcards }: TopicRow, holds: (id: number) => boolean): TopicMessages => ({
  topic,
  topicKey: topicKey(topic),
  ids: ids.filter(holds),
  readFrom: readFrom.filter((_, i) => holds(ids[i] as number)),
  wildcards: wildcards.filter(holds),
})
