import { LRUCache } from 'lru-cache'
import type { RawEntry } from '../encoding/index.js'
import type { EarlierRows, RowsBefore } from '../realtime.js'

// Rows of entries that this worker remembers: far more than are published twice within a minute.
const mostInFeed = 65_536
// Far more rows than one worker ever publishes at the same time.
const mostOwn = 65_536
// Rows that a change reads at most before it publishes its own; if there are more, its events wait in the outbox for the sweep.
const mostBefore = 1000

/**
 * The outbox rows that are in the feed or are being published by this worker. A change that sees other rows has to publish
 * them before its own, because it may depend on theirs (`actions/publish-stored.ts`).
 */
export class KnownRows implements RowsBefore {
  /** The entry id of each row whose entry this worker has read from the feed; the oldest are forgotten. */
  private readonly inFeed = new LRUCache<number, number>({ maxSize: mostInFeed, sizeCalculation: () => 1 })
  private _above = 0
  /**
   * `above` rises to this row when all transactions below `end` have ended. `end` is the id of a transaction that began after the row
   * was seen: each transaction that inserts a lower row had its id by then. The xmax of the snapshot would not do, because open
   * transactions may have that id and higher ones.
   */
  private next: { readonly id: number; end?: number } | undefined
  private readonly own = new Set<number>()

  /** `entries`: those that the worker read from the feed at its start. */
  constructor(entries: Iterable<Pick<RawEntry, 'outboxId' | 'id'>> = []) {
    for (const { outboxId, id } of entries) if (outboxId > 0) this.inFeed.set(outboxId, id)
    this.rise()
  }

  /** Only rows above this id have to be read: each row up to it is in the feed, is being published, or will never exist. */
  get above(): number {
    return this._above
  }

  /** The row to which `above` rises next. */
  get noted(): number {
    return this.next?.id ?? 0
  }

  /** Ids of the rows to publish before those of the transaction that saw them; null: too many to read. */
  before({ ids, isAll, ended, xid, noted }: EarlierRows): readonly number[] | null {
    const unknown = ids.filter(id => !this.own.has(id) && !this.inFeed.has(id))
    const next = this.next
    if (next && noted >= next.id) next.end ??= xid
    if (next?.end && ended >= next.end && (unknown[0] ?? Number.POSITIVE_INFINITY) > next.id) this.rise(next.id)
    const last = ids.at(-1)
    if (last !== undefined) this.next ??= { id: last }
    return isAll && unknown.length <= mostBefore ? unknown : null
  }

  /** Notes that this worker publishes the row, after all rows that it is already publishing. */
  publishes(outboxId: number): void {
    if (this.own.size >= mostOwn) this.own.clear()
    this.own.add(outboxId)
    this.rise()
  }

  /** Whether this worker has read the row's entry from the feed. */
  isInFeed(outboxId: number): boolean {
    return this.inFeed.has(outboxId)
  }

  /**
   * Notes that the tail has read the row's entry. Returns the id of an earlier entry of the same row: a row can be published twice if
   * Redis lost the first entry.
   */
  read(outboxId: number, entryId: number): number | undefined {
    const before = this.inFeed.get(outboxId)
    if (before !== undefined) return before
    this.inFeed.set(outboxId, entryId)
    this.own.delete(outboxId)
    this.rise()
    return undefined
  }

  /** `above` rises to the row, below which there is no unknown one, and over the known rows that follow. */
  private rise(to = 0): void {
    let id = Math.max(to, this._above)
    while (this.own.has(id + 1) || this.inFeed.has(id + 1)) id++
    this._above = id
    if (this.next && this.next.id <= id) this.next = undefined
  }
}
