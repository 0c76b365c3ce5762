import type { Delivery } from './delivery.js'
import type { NewEntry } from './feed.js'
import type { Parts } from './parts.js'
import type { Published } from './published.js'
import type { OutboxPage, Publisher } from './publisher.js'

const batch = 500
const mostRows = 10_000
const mostBytes = 64 * 1024 * 1024
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

  /** Rows of that age that are not in the feed, and those that this worker has left. */
  async sweep(olderThanMs: number): Promise<void> {
    const { rows, hasDelivered } = await this.#missing(olderThanMs)
    if (rows.length > 0 || this.#publisher.isLeft) {
      this.#parts.log.info({ rows: rows.length }, 'publishing what is left in the outbox')
      await this.#publisher.refill(async wasLeft => {
        const { rows, isAll } = await this.#missing(wasLeft ? 0 : olderThanMs)
        return this.#read(rows, isAll)
      })
    }
    if (hasDelivered) await this.#deleteForgotten()
  }

  /** Everything in the outbox goes to the feed again, where what is there is dropped. Before anything new. */
  async republish(): Promise<void> {
    this.#published.forget()
    await this.#publisher.refill(async () => {
      const rows = await this.#parts.outbox.pending(0, mostRows, 0)
      return this.#read(rows, rows.length < mostRows)
    })
  }

  /** True when every row of that age has been published and deleted: the feed need not remember them. */
  async isEmpty(olderThanMs: number): Promise<boolean> {
    return (await this.#parts.outbox.pending(olderThanMs, 1, 0)).length === 0
  }

  /** The lowest rows of that age that this worker has not seen in the feed. */
  async #missing(olderThanMs: number): Promise<{ rows: number[]; isAll: boolean; hasDelivered: boolean }> {
    const rows: number[] = []
    let hasDelivered = false
    for (let above = 0; ; ) {
      const ids = await this.#parts.outbox.pending(olderThanMs, mostRows, above)
      const missing = ids.filter(id => !this.#delivery.hasDelivered(id))
      rows.push(...missing)
      hasDelivered ||= missing.length < ids.length
      const isAll = ids.length < mostRows
      if (isAll || rows.length >= mostRows) return { rows, isAll, hasDelivered }
      above = ids.at(-1) as number
    }
  }

  async #read(ids: readonly number[], isAll: boolean): Promise<OutboxPage> {
    const entries: NewEntry[] = []
    let bytes = 0
    for (let i = 0; i < ids.length; i += batch) {
      if (bytes >= mostBytes) return { entries, isAll: false }
      for (const { entry, outboxId, xid, messageId } of await this.#parts.outbox.read(ids.slice(i, i + batch))) {
        this.#delivery.knownRows.publishes(outboxId)
        entries.push({ bytes: entry, outboxId, xid, messageId: messageId ?? 0 })
        bytes += entry.length
      }
    }
    return { entries, isAll }
  }

  /** Rows that are in the feed and whose publisher died before it deleted them. */
  async #deleteForgotten(): Promise<void> {
    const { outbox, clock } = this.#parts
    if (clock.now() - this.#lookedAt < forgottenEvery) return
    this.#lookedAt = clock.now()
    const ids = await outbox.pending(forgottenAfter, mostRows, 0)
    const done = ids.filter(id => this.#delivery.hasDelivered(id))
    if (done.length > 0) await outbox.published(done)
  }
}
