import type { EngineDeps } from '../engine-deps.js'
import type { KnownRows, NewEntry, OutboxCleanup, OutboxPage, Publisher } from '../feed/index.js'

const batch = 500
const mostRows = 10_000
const mostBytes = 64 * 1024 * 1024
// The worker that publishes a row deletes it long before this age, unless the worker died.
const forgottenAfter = 15_000
// Milliseconds between deletions; the remaining rows do no harm meanwhile.
const forgottenEvery = 5000

/** The outbox sweep: publishes rows that dead workers left in the outbox, and all rows after Redis may have lost entries. */
export class OutboxSweep {
  private lookedAt = 0

  constructor(
    private readonly deps: EngineDeps,
    private readonly publisher: Publisher,
    private readonly cleanup: OutboxCleanup,
    private readonly rows: KnownRows,
  ) {}

  /** Publishes rows older than `olderThanMs` that are not in the feed, and rows that this worker could not publish in order. */
  async sweep(olderThanMs: number): Promise<void> {
    const { rows, hasDelivered } = await this.missing(olderThanMs)
    if (rows.length > 0 || this.publisher.isLeft) {
      this.deps.log.info({ rows: rows.length }, 'publishing rows left in the outbox')
      await this.publisher.refill(async wasLeft => {
        const { rows, isAll } = await this.missing(wasLeft ? 0 : olderThanMs)
        return this.read(rows, isAll)
      })
    }
    if (hasDelivered) await this.deleteForgotten()
  }

  /** Publishes the whole outbox again, before any new event; publish.lua skips rows whose entries the feed still holds. */
  async republish(): Promise<void> {
    this.cleanup.forget()
    await this.publisher.refill(async () => {
      const rows = await this.deps.outbox.pending(0, mostRows, 0)
      return this.read(rows, rows.length < mostRows)
    })
  }

  /** True if the outbox has no row older than `olderThanMs`: Redis need not remember the ids of such rows any longer. */
  async isEmpty(olderThanMs: number): Promise<boolean> {
    return (await this.deps.outbox.pending(olderThanMs, 1, 0)).length === 0
  }

  /** The lowest rows older than `olderThanMs` that this worker has not read from the feed. */
  private async missing(olderThanMs: number): Promise<{ rows: number[]; isAll: boolean; hasDelivered: boolean }> {
    const rows: number[] = []
    let hasDelivered = false
    for (let above = 0; ; ) {
      const ids = await this.deps.outbox.pending(olderThanMs, mostRows, above)
      const missing = ids.filter(id => !this.rows.isInFeed(id))
      rows.push(...missing)
      hasDelivered ||= missing.length < ids.length
      const isAll = ids.length < mostRows
      if (isAll || rows.length >= mostRows) return { rows, isAll, hasDelivered }
      above = ids.at(-1) as number
    }
  }

  private async read(ids: readonly number[], isAll: boolean): Promise<OutboxPage> {
    const entries: NewEntry[] = []
    let bytes = 0
    for (let i = 0; i < ids.length; i += batch) {
      if (bytes >= mostBytes) return { entries, isAll: false }
      for (const { entry, outboxId, xid, messageId } of await this.deps.outbox.read(ids.slice(i, i + batch))) {
        this.rows.publishes(outboxId)
        entries.push({ bytes: entry, outboxId, xid, messageId: messageId ?? 0 })
        bytes += entry.length
      }
    }
    return { entries, isAll }
  }

  /** Deletes rows that are in the feed and whose worker died before it deleted them. */
  private async deleteForgotten(): Promise<void> {
    const { outbox, clock } = this.deps
    if (clock.now() - this.lookedAt < forgottenEvery) return
    this.lookedAt = clock.now()
    const ids = await outbox.pending(forgottenAfter, mostRows, 0)
    const done = ids.filter(id => this.rows.isInFeed(id))
    if (done.length > 0) await outbox.published(done)
  }
}
