// Far more rows than one worker ever publishes at the same time.
const mostOwn = 65_536
// Rows that a transaction reads at most while it holds its locks; if there are more, its events wait in the outbox for the sweep.
const mostBefore = 1000

/** Committed outbox rows that are visible to a transaction when it inserts its own rows. */
export interface EarlierRows {
  /** Ascending, all above the id that the query named. */
  readonly ids: readonly number[]
  /** False: the outbox holds further rows, with higher ids. */
  readonly isAll: boolean
  /** The snapshot that shows them, as `pg_current_snapshot()::text`. */
  readonly snapshot: string
}

/**
 * The outbox rows that are in the feed or are being published by this worker. A transaction that sees other rows has to publish
 * them before its own, because its changes may depend on theirs (`actions/write.ts`).
 */
export class KnownRows {
  #above = 0
  /** `#above` rises to this row when all transactions below `end` have ended: later transactions insert only higher rows. */
  #next: { readonly id: number; readonly end: number } | undefined
  readonly #own = new Set<number>()
  readonly #isInFeed: (outboxId: number) => boolean

  constructor(isInFeed: (outboxId: number) => boolean) {
    this.#isInFeed = isInFeed
  }

  /** Only rows above this id have to be read: each row up to it is in the feed, is being published, or will never exist. */
  get above(): number {
    return this.#above
  }

  /** Ids of the rows to publish before those of the transaction that saw them; null: too many to read in the transaction. */
  before({ ids, isAll, snapshot }: EarlierRows): readonly number[] | null {
    const [ended = 0, end = 0] = snapshot.split(':').map(Number)
    const unknown = ids.filter(id => !this.#own.has(id) && !this.#isInFeed(id))
    const next = this.#next
    if (next && ended >= next.end && (unknown[0] ?? Number.POSITIVE_INFINITY) > next.id) {
      this.#above = next.id
      this.#next = undefined
    }
    const last = ids.at(-1)
    if (last !== undefined) this.#next ??= { id: last, end }
    return isAll && unknown.length <= mostBefore ? unknown : null
  }

  /** Notes that this worker publishes the row, after all rows that it is already publishing. */
  publishes(outboxId: number): void {
    if (this.#own.size >= mostOwn) this.#own.clear()
    this.#own.add(outboxId)
  }

  /** Notes that the tail has read the row's event. */
  saw(outboxId: number): void {
    this.#own.delete(outboxId)
  }
}
