import type { Trace } from '../../log.js'
import { type Defs, Entry, encodeInternal, type RawEntry, widthOf } from '../encoding/index.js'
import type { EngineDeps } from '../engine-deps.js'
import { feedIdOf } from './ids.js'

export interface NewEntry {
  readonly bytes: Uint8Array
  /** 0: an ephemeral event, which has no outbox row. */
  readonly outboxId: number
  readonly xid: string
  readonly messageId: number
  readonly trace?: Trace
}

/**
 * `ids`: one id for each entry; an entry that was already in the feed keeps its id, which is at most `previous`, the newest id
 * before this append. `hold`: milliseconds to wait before a retry. `stranger`: Redis has restarted, and the worker has to check
 * for lost entries before it appends.
 */
type AppendResult = { ids: number[]; previous: number } | { hold: number } | 'stranger'

/** A stream entry in a Redis reply. */
export type StreamEntry = [id: Buffer, fields: Buffer[]]

const pageSize = 256
// Ids per call, so that one call blocks Redis for a few milliseconds at most; a queue can hold thousands of events.
const transactionsTogether = 256

/** The organization's feed in Redis. */
export class Feed {
  constructor(
    private readonly deps: EngineDeps,
    private readonly defs: Defs,
  ) {}

  async append(run: string, floor: number, entries: readonly NewEntry[]): Promise<AppendResult> {
    const { functions, keys, worker } = this.deps
    const args = entries.flatMap(({ bytes, outboxId, xid, messageId }) => [
      outboxId || '',
      widthOf(bytes),
      xid,
      messageId || '',
      bytes,
    ])
    const reply = await functions.call(
      'publish',
      [keys.feed, keys.seen, keys.run, keys.checkpoints],
      [run, floor, worker, keys.entries, ...args],
    )
    const [kind, first = 0, ...ids] = reply as [Buffer, ...number[]]
    switch (kind.toString()) {
      case 'ok':
        return { previous: first, ids }
      case 'hold':
        return { hold: first }
      default:
        return 'stranger'
    }
  }

  /** Restores entries that Redis has lost, under their old ids; `entries` ascend by id. */
  async restore(entries: readonly RawEntry[]): Promise<number> {
    const { functions, keys } = this.deps
    const args = entries.flatMap(({ id, outboxId, xid, messageId, bytes }) => [
      id,
      outboxId || '',
      xid || '',
      messageId || '',
      bytes,
    ])
    return (await functions.call('restore', [keys.feed, keys.seen], args)) as number
  }

  /** Ids of the oldest entry, the newest entry and the last trimmed entry; 0 if there is none. */
  async ends(): Promise<{ trimmed: number; first: number; last: number }> {
    const { redis, keys } = this.deps
    const [first, last] = (await Promise.all([
      redis.command('XRANGE', keys.feed, '-', '+', 'COUNT', 1),
      redis.command('XREVRANGE', keys.feed, '+', '-', 'COUNT', 1),
    ])) as [StreamEntry[], StreamEntry[]]
    const oldest = first[0] && rawEntry(feedIdOf(first[0][0]), first[0][1])
    return { trimmed: oldest?.previous ?? 0, first: oldest?.id ?? 0, last: last[0] ? feedIdOf(last[0][0]) : 0 }
  }

  /** The entries with these ids; undefined for an id that the feed no longer holds. */
  async fetch(ids: readonly number[]): Promise<(Entry | undefined)[]> {
    const { functions, keys } = this.deps
    const found = (await functions.call('fetch', [keys.feed], ids)) as (StreamEntry | null)[]
    return found.map(entry => (entry ? this.decode(entry) : undefined))
  }

  /**
   * The transaction id of each of these entries (0: no transaction); undefined for an id that the feed no longer holds. The calls
   * are pipelined, and each reply holds only numbers, so its size does not depend on the size of the entries.
   */
  async transactions(ids: readonly number[]): Promise<(number | undefined)[]> {
    const { functions, keys } = this.deps
    const calls: Promise<unknown>[] = []
    for (let i = 0; i < ids.length; i += transactionsTogether)
      calls.push(functions.call('transactions', [keys.feed], ids.slice(i, i + transactionsTogether)))
    const found = (await Promise.all(calls)).flat() as (Buffer | null)[]
    return found.map(xid => (xid === null ? undefined : Number(xid)))
  }

  /** Reads the entries after `after` up to `upto` in pages, so that no single read blocks Redis or this process for long. */
  async *pages(after: number, upto: number): AsyncGenerator<Entry[]> {
    const { redis, keys } = this.deps
    for (let from = after; from < upto; ) {
      const page = (await redis.command(
        'XRANGE',
        keys.feed,
        `(${from}-0`,
        `${upto}-0`,
        'COUNT',
        pageSize,
      )) as StreamEntry[]
      const entries = page.map(entry => this.decode(entry))
      yield entries
      const last = entries.at(-1)
      if (!last || page.length < pageSize) return
      from = last.id
    }
  }

  /** The newest `count` entries, ascending. */
  async newest(count: number): Promise<Entry[]> {
    const { redis, keys } = this.deps
    const pages: Entry[][] = []
    for (let rest = count, before = '+'; rest > 0; ) {
      const size = Math.min(rest, pageSize)
      const page = (await redis.command('XREVRANGE', keys.feed, before, '-', 'COUNT', size)) as StreamEntry[]
      const entries = page.map(entry => this.decode(entry)).reverse()
      pages.unshift(entries)
      if (page.length < size) break
      rest -= size
      before = `(${(entries[0] as Entry).id}-0`
    }
    return pages.flat()
  }

  /** At most `count` entries after the id `after`. */
  async after(after: number, count: number): Promise<Entry[]> {
    const { redis, keys } = this.deps
    const page = (await redis.command('XRANGE', keys.feed, `(${after}-0`, '+', 'COUNT', count)) as StreamEntry[]
    return page.map(entry => this.decode(entry))
  }

  decode([streamId, fields]: StreamEntry): Entry {
    return this.read(rawEntry(feedIdOf(streamId), fields))
  }

  read(raw: RawEntry): Entry {
    try {
      return new Entry(raw, this.defs)
    } catch (error) {
      // One broken entry must not stop the feed. It is delivered to no queue: no version of this server wrote it.
      this.deps.log.error({ error, id: raw.id }, 'a feed entry cannot be read')
      return unreadable(raw, this.defs)
    }
  }
}

/**
 * Decodes a Pub/Sub message that publish.lua sends to each worker's channel: the entries of one append. For each entry it holds
 * a line `id,outbox id,transaction id,message id,previous,length`, then the bytes.
 * @throws if the message has another form.
 */
export function readMessage(message: Buffer): RawEntry[] {
  const entries: RawEntry[] = []
  for (let at = 0; at < message.length; ) {
    const end = message.indexOf(0x0a, at)
    const numbers = message.toString('latin1', at, end).split(',').map(Number)
    const [id = 0, outboxId = 0, xid = 0, messageId = 0, previous = 0, length = -1] = numbers
    if (end < 0 || !(id > previous && length >= 0 && end + 1 + length <= message.length))
      throw new Error('not an entry')
    at = end + 1 + length
    entries.push({ id, bytes: copy(message.subarray(end + 1, at)), outboxId, xid, messageId, previous })
  }
  return entries
}

/** The entries that this worker appended, in the form in which the tail receives those of other workers. */
export function readAppended(entries: readonly NewEntry[], ids: readonly number[], before: number): RawEntry[] {
  const appended: RawEntry[] = []
  let previous = before
  entries.forEach(({ bytes, outboxId, xid, messageId }, i) => {
    const id = ids[i] as number
    if (id <= previous) return
    appended.push({ id, bytes: copy(bytes), outboxId, xid: Number(xid), messageId, previous })
    previous = id
  })
  return appended
}

/** The entry cache keeps the bytes of an entry; without a copy they would keep the whole Redis reply in memory. */
const copy = (bytes: Uint8Array): Uint8Array => Uint8Array.prototype.slice.call(bytes)

function rawEntry(id: number, fields: readonly Buffer[]): RawEntry {
  let bytes: Uint8Array = new Uint8Array()
  let outboxId = 0
  let xid = 0
  let messageId = 0
  let previous = 0
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const value = fields[i + 1] as Buffer
    switch (fields[i]?.[0]) {
      case 0x65:
        bytes = copy(value)
        break
      case 0x6f:
        outboxId = Number(value)
        break
      case 0x78:
        xid = Number(value)
        break
      case 0x6d:
        messageId = Number(value)
        break
      case 0x70:
        previous = Number(value)
        break
    }
  }
  return { id, bytes, outboxId, xid, messageId, previous }
}

function unreadable(raw: RawEntry, defs: Defs): Entry {
  return new Entry({ ...raw, bytes: encodeInternal('_unreadable'), messageId: 0 }, defs)
}
