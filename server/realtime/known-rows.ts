// Outbox ids are a sequence: rows further back than this were published long ago, or belong to a dead worker, and the sweep's.
const window = 1000
// Far more than are ever on their way to the feed.
const mostOwn = 65_536

/**
 * Which rows of the outbox are in the feed, or on their way there from this worker. A transaction that sees others has to
 * put them into the feed before its own: what it changes may rest on what they tell (`actions/write.ts`).
 */
export class KnownRows {
  /** The first row that this worker saw in the feed; what is older was there before it. */
  #first = 0
  #newest = 0
  readonly #own = new Set<number>()
  readonly #isInFeed: (outboxId: number) => boolean

  constructor(isInFeed: (outboxId: number) => boolean) {
    this.#isInFeed = isInFeed
  }

  /** Rows above this id are asked about; undefined: none need be, for this worker has seen nothing yet. */
  get above(): number | undefined {
    return this.#first === 0 ? undefined : Math.max(this.#first, this.#newest - window)
  }

  has(outboxId: number): boolean {
    return this.#own.has(outboxId) || this.#isInFeed(outboxId)
  }

  /** This worker publishes it, after all that it publishes already. */
  publishes(outboxId: number): void {
    if (this.#own.size >= mostOwn) this.#own.clear()
    this.#own.add(outboxId)
  }

  /** The tail has read its event. */
  saw(outboxId: number): void {
    this.#own.delete(outboxId)
    if (this.#first === 0) this.#first = outboxId
    if (outboxId > this.#newest) this.#newest = outboxId
  }
}
