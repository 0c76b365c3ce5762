import type { Log } from '../log.js'
import { isRedisAway } from './redis-away.js'

// Longer than the pauses between failing commands, so that the log shows the outage of one cluster node as a single outage.
const quietMs = 5000
// A command that is refused so soon after an outage still belongs to it: a connection refuses commands until a moment after another one is ready.
const settleMs = 1000
const refusedCommands = 'commands'

/**
 * Logs an outage of Redis: one line at its beginning and one at its end, with the number of failed tasks. An outage can have
 * several causes at once (each connection; commands without an answer or with an error) and ends with the last of them.
 */
export class Outage {
  private readonly causes = new Set<unknown>()
  private since = 0
  private failures = 0
  private failedAt = 0
  private endedAt = Number.NEGATIVE_INFINITY

  constructor(private readonly log: Log) {}

  /** A connection failed or broke. */
  began(connection: object, error: Error): void {
    this.add(connection, error)
  }

  /** The connection is ready again. */
  ended(connection: object): void {
    this.causes.delete(refusedCommands)
    this.remove(connection)
  }

  /** Whether the error means that Redis is unavailable; if so, counts it and begins an outage unless one has begun. */
  includes(error: unknown): boolean {
    if (!isRedisAway(error)) return false
    const isSettled = performance.now() - this.endedAt > settleMs
    if (this.causes.size === 0 && isSettled) this.add(refusedCommands, error as Error)
    this.failures++
    this.failedAt = performance.now()
    return true
  }

  /** Redis has answered the lease renewal, which a worker sends once a second. */
  answered(): void {
    if (performance.now() - this.failedAt > quietMs) this.remove(refusedCommands)
  }

  private add(cause: unknown, error: Error): void {
    if (this.causes.size === 0) {
      this.since = performance.now()
      this.failures = 0
      this.log.warn({ error: error.message }, 'Redis is away')
    }
    this.causes.add(cause)
  }

  private remove(cause: unknown): void {
    if (!this.causes.delete(cause) || this.causes.size > 0) return
    this.endedAt = performance.now()
    const seconds = Math.round((this.endedAt - this.since) / 1000)
    this.log.info({ seconds, failures: this.failures }, 'Redis is back')
  }
}
