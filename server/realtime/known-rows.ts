// Far more than are ever on their way to the feed.
const mostOwn = 65_536
// More than one transaction reads while it holds its locks: its events wait in the outbox for the sweep.
const mostBefore = 1000

/** Committed rows of the outbox, as a transaction sees them that stores its own. */
export interface EarlierRows {
  /** Ascending, above the one that was asked for. */
  readonly ids: readonly number[]
  /** False: there are more, with higher ids. */
  readonly isAll: boolean
  /** The snapshot that shows them, as `pg_current_snapshot()::text`. */
  readonly snapshot: string
}

/**
 * Which rows of the outbox are in the feed, or on their way there from this worker. A transaction that sees others has to
 * put them into the feed before its own: what it changes may rest on what they say (`actions/write.ts`).
 */
export class KnownRows {
  #above = 0
  /** `#above` rises to this row when all transactions below `end` have ended: a later one stores no lower row. */
  #next: { readonly id: number; readonly end: number } | undefined
  readonly #own = new Set<number>()
  readonly #isInFeed: (outboxId: number) => boolean

  constructor(isInFeed: (outboxId: number) => boolean) {
    this.#isInFeed = isInFeed
  }

  /** Rows above this id have to be asked for: every row up to it is in the feed or on its way there, or will never be stored. */
  get above(): number {
    return this.#above
  }

  /** Ids of the rows that go into the feed before those of the transaction that saw them; null: too many to be read there. */
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

  /** This worker publishes it, after all that it publishes already. */
  publishes(outboxId: number): void {
    if (this.#own.size >= mostOwn) this.#own.clear()
    this.#own.add(outboxId)
  }

  /** The tail has read its event. */
  saw(outboxId: number): void {
    this.#own.delete(outboxId)
  }
}
