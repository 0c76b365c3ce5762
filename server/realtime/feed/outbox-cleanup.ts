import { logFailure } from '../../failures/log-failure.js'
import type { EngineDeps } from '../engine-deps.js'

// Ids per SQL statement.
const batch = 2000
// Rows remembered at most, enough for a minute at 1,000 events per second; the outbox sweep deletes the rows beyond it.
const bound = 100_000

/**
 * Outbox cleanup: the outbox rows whose events are in the feed. A row is deleted once Redis has answered, without a restart,
 * `outboxKeepMs` ms after the row was published: before that, Redis could restart without the entry.
 */
export class OutboxCleanup {
  private rows: { id: number; at: number }[] = []
  private alive = 0
  private isDeleting = false

  constructor(private readonly deps: EngineDeps) {}

  note(ids: readonly number[]): void {
    const at = this.deps.clock.now()
    if (this.rows.length < bound) for (const id of ids) this.rows.push({ id, at })
  }

  /** Redis has answered a command that was sent at this time. */
  sawAlive(sentAt: number): void {
    this.alive = Math.max(this.alive, sentAt)
  }

  /** Redis may have lost entries: the rows stay in the outbox until they have been published again. */
  forget(): void {
    this.rows = []
  }

  async collect(): Promise<void> {
    if (this.isDeleting || !this.isWorthIt()) return
    this.isDeleting = true
    try {
      for (;;) {
        // I1: a row stays in the outbox until Redis can no longer lose its entry.
        const safe = this.alive - this.deps.timing.outboxKeepMs
        let count = 0
        while (count < batch && (this.rows[count]?.at ?? Number.POSITIVE_INFINITY) <= safe) count++
        if (count === 0) return
        const rows = this.rows.slice(0, count)
        await this.deps.outbox.published(rows.map(row => row.id))
        if (this.rows[0] === rows[0]) this.rows.splice(0, count)
      }
    } catch (error) {
      logFailure(this.deps, error, 'outbox rows could not be deleted: retrying later')
    } finally {
      this.isDeleting = false
    }
  }

  /** A statement for a few rows costs as much as one for hundreds, so the rows of half an `outboxKeepMs` are deleted together. */
  private isWorthIt(): boolean {
    const { outboxKeepMs } = this.deps.timing
    return (
      (this.rows[0]?.at ?? Number.POSITIVE_INFINITY) <= this.alive - outboxKeepMs * 1.5 || this.rows.length >= batch
    )
  }
}
