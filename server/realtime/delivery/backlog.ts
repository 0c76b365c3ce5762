import { heartbeat as heartbeatEvent } from '../../../shared/events/heartbeat.js'
import { Encoded, type Entry } from '../encoding/index.js'
import { type EntryCache, type Feed, isFeedId } from '../feed/index.js'
import type { LogStore, Queue } from '../queues/index.js'

/** A part of the events that a queue's consumer has not received. */
export interface Page {
  readonly list: readonly Encoded[]
  /** Everything up to this id is in the list. */
  readonly upto: number
}

/** Thrown when the feed no longer holds an entry of the queue: the queue has a gap and must be evicted. */
export class Incomplete extends Error {}

const pageIds = 256
// An entry that was fetched but does not fit into the page is fetched again for the next page, so one call fetches only as many
// entries as probably fit, and at most this number.
const mostAtOnce = 64

/** Reads the pages of a queue's catch-up: from the entry cache if possible, else from the queue log and the feed. */
export class Backlog {
  /** Average size of an entry in bytes, from the entries that were fetched last. */
  private usual = 1000
  private _heartbeat = heartbeat(0)

  constructor(
    private readonly cache: EntryCache,
    private readonly feed: Feed,
    private readonly logs: LogStore,
  ) {}

  /**
   * Returns a page of the events after the id `after`, of about `maxBytes` at most; empty only if the queue holds none. Returns a
   * promise only if it has to read from Redis; that promise can reject with Incomplete.
   */
  read(queue: Queue, after: number, maxBytes: number): Page | Promise<Page> {
    if (queue.spilledUpto > Math.max(after, 0)) return this.fromLog(queue, after, maxBytes)
    const ids = queue.idsAfter(after, pageIds)
    return this.page(queue, ids, { after, maxBytes, fetched: null }) ?? this.fromFeed(queue, ids, after, maxBytes)
  }

  /** The encoding of the heartbeat with this id, cached because many queues usually get heartbeats with the same id. */
  heartbeat(id: number): Encoded {
    if (this._heartbeat.id !== id) this._heartbeat = heartbeat(id)
    return this._heartbeat
  }

  private async fromLog(queue: Queue, after: number, maxBytes: number): Promise<Page> {
    const ids = await this.logs.read(queue.id, after, queue.spilledUpto)
    if (ids.length === 0 && queue.spilledUpto > after) throw new Incomplete('the log is not whole')
    queue.readBack(ids)
    return this.fromFeed(queue, ids.slice(0, pageIds), after, maxBytes)
  }

  private async fromFeed(queue: Queue, ids: readonly number[], after: number, maxBytes: number): Promise<Page> {
    const missing = ids.filter(id => isFeedId(id) && !this.cache.get(id))
    const fetched = new Map<number, Entry>()
    let asked = 0
    for (let bytes = 0; asked < missing.length && bytes < maxBytes; ) {
      const count = Math.max(1, Math.min(mostAtOnce, Math.ceil((maxBytes - bytes) / this.usual)))
      const next = missing.slice(asked, asked + count)
      for (const entry of await this.feed.fetch(next)) {
        if (!entry) continue
        fetched.set(entry.id, entry)
        bytes += entry.bytes.length
      }
      asked += next.length
      this.usual = Math.max(1, bytes / asked)
    }
    const end = missing[asked]
    const known = end === undefined ? ids : ids.slice(0, ids.indexOf(end))
    const page = this.page(queue, known, { after, maxBytes, fetched })
    // I1: the queue is evicted and its client registers again; it never receives events with a gap.
    if (!page) throw new Incomplete('the feed is not whole')
    return page
  }

  /** The page of these ids, from the cache and the fetched entries, if any; undefined: an entry is in neither. */
  private page(
    queue: Queue,
    ids: readonly number[],
    {
      after,
      maxBytes,
      fetched,
    }: { readonly after: number; readonly maxBytes: number; readonly fetched: ReadonlyMap<number, Entry> | null },
  ): Page | undefined {
    const list: Encoded[] = []
    let bytes = 0
    let upto = after
    for (const id of ids) {
      if (bytes >= maxBytes) break
      upto = id
      const entry = isFeedId(id) ? (this.cache.get(id) ?? fetched?.get(id)) : null
      if (entry === undefined) {
        // The client acknowledged the event during the read, so the outcome no longer matters.
        if (id <= queue.acked) continue
        return undefined
      }
      const encoded = entry ? queue.accepts(entry) : this.heartbeat(id)
      if (encoded === null) continue
      list.push(encoded.after(after))
      bytes += encoded.bytes
    }
    return { list, upto }
  }
}

function heartbeat(id: number): Encoded {
  return new Encoded(id, [{ type: heartbeatEvent.type }], 40)
}
