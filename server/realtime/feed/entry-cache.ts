import { LRUCache } from 'lru-cache'
import type { Entry } from '../encoding/index.js'

// Enough for a backfill or a catch-up some seconds after a worker's death or a reconnect, at 2,000 events per second.
const maxEntries = 16_384
// Bytes of the packed entries; decoded and encoded they take several times as much.
const maxBytes = 16 * 1024 * 1024

/** The entry cache: the newest entries of the feed, without a gap, so that most polls, catch-ups and backfills need no read in Redis. */
export class EntryCache {
  // I5: bounded by number and by bytes. `peek` leaves the order of the feed, so the oldest entry is evicted first.
  private readonly entries = new LRUCache<number, Entry>({
    max: maxEntries,
    maxSize: maxBytes,
    // A larger entry would not be kept, and the cache would have a gap.
    sizeCalculation: ({ bytes }) => Math.min(bytes.length, maxBytes),
    dispose: (_, id, reason) => {
      if (reason === 'evict') this._start = id
    },
  })
  /** The cache holds every entry of the feed above this id, up to the newest. */
  private _start: number
  private _newest: number
  /** Waits of `reached`, with the ids that they wait for. */
  private waiting: { readonly id: number; readonly resolve: () => void }[] = []

  /** `first`: the newest entries of the feed, without a gap. */
  constructor(first: readonly Entry[]) {
    this._start = this._newest = first[0]?.previous ?? 0
    for (const entry of first) this.add(entry)
  }

  /** The cache holds every entry after this id. */
  get start(): number {
    return this._start
  }

  /** Id of the newest entry that this worker has read. */
  get newest(): number {
    return this._newest
  }

  /** Adds the next entry. If the worker missed entries before it, the cache is emptied first, because it would have a gap. */
  add(entry: Entry): void {
    if (entry.previous > this._newest) {
      this.entries.clear()
      this._start = entry.previous
    }
    this.entries.set(entry.id, entry)
    this._newest = entry.id
    if (this.waiting.length > 0) this.notifyReached()
  }

  /** Resolves when this worker has read the feed up to `id`, after the turn in which it delivers the entry. */
  reached(id: number): Promise<void> {
    if (id <= this._newest) return Promise.resolve()
    return new Promise(resolve => this.waiting.push({ id, resolve }))
  }

  get(id: number): Entry | undefined {
    return this.entries.peek(id)
  }

  private notifyReached(): void {
    for (const { id, resolve } of this.waiting) if (id <= this._newest) resolve()
    this.waiting = this.waiting.filter(({ id }) => id > this._newest)
  }

  /** The entries after `after` up to `upto`, in feed order. */
  *between(after: number, upto: number): Generator<Entry> {
    for (const id of this.entries.rkeys()) {
      if (id > upto) return
      if (id > after) yield this.entries.peek(id) as Entry
    }
  }
}
