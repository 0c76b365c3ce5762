import type { Delivery } from './delivery.js'
import type { NewEntry } from './feed.js'
import type { Outbox } from './outbox.js'
import type { Parts } from './parts.js'
import type { Published } from './published.js'
import type { Publisher } from './publisher.js'

const batch = 500
const mostRows = 10_000
// Their publisher deletes them long before, unless it died.
const forgottenAfter = 15_000
// They harm nobody meanwhile.
const forgottenEvery = 5000

/** Publishes what dead workers left in the outbox, and what Redis may have lost. */
export class OutboxSweep {
  readonly #parts: Parts
  readonly #publisher: Publisher
  readonly #published: Published
  readonly #delivery: Delivery
  #lookedAt = 0

  constructor(parts: Parts, publisher: Publisher, published: Published, delivery: Delivery) {
    this.#parts = parts
    this.#publisher = publisher
    this.#published = published
    this.#delivery = delivery
  }

  /** Rows that nobody published for so long. */
  async sweep(olderThanMs: number): Promise<void> {
    const { outbox } = this.#parts
    const ids = await outbox.pending(olderThanMs, mostRows)
    const missing = ids.filter(id => !this.#delivery.hasDelivered(id))
    if (missing.length > 0) {
      this.#parts.log.info({ rows: missing.length }, 'publishing what is left in the outbox')
      await this.#publisher.refill(() => readRows(outbox, missing))
    }
    if (ids.length > missing.length) await this.#deleteForgotten()
  }

  /** Everything in the outbox goes to the feed again, where what is there is dropped. Before anything new. */
  async republish(): Promise<void> {
    const { outbox } = this.#parts
    this.#published.forget()
    await this.#publisher.refill(async () => readRows(outbox, await outbox.pending(0, mostRows)))
  }

  /** True when every row of that age has been published and deleted: the feed need not remember them. */
  async isEmpty(olderThanMs: number): Promise<boolean> {
    return (await this.#parts.outbox.pending(olderThanMs, 1)).length === 0
  }

  /** Rows that are in the feed and whose publisher died before it deleted them. */
  async #deleteForgotten(): Promise<void> {
    const { outbox, clock } = this.#parts
    if (clock.now() - this.#lookedAt < forgottenEvery) return
    this.#lookedAt = clock.now()
    const ids = await outbox.pending(forgottenAfter, mostRows)
    const done = ids.filter(id => this.#delivery.hasDelivered(id))
    if (done.length > 0) await outbox.published(done)
  }
}

async function readRows(outbox: Outbox, ids: readonly number[]): Promise<NewEntry[]> {
  const entries: NewEntry[] = []
  for (let i = 0; i < ids.length; i += batch) {
    for (const { entry, outboxId, xid, messageId } of await outbox.read(ids.slice(i, i + batch))) {
      entries.push({ bytes: entry, outboxId, xid, messageId: messageId ?? 0 })
    }
  }
  return entries
}
