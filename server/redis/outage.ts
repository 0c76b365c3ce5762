import type { Log } from '../log.js'
import { isRedisAway } from './redis-away.js'

// Longer than the pauses between the commands that fail meanwhile, so that an outage of one node of a cluster is one outage.
const quietMs = 5000
const refusedCommands = 'commands'

/**
 * An outage of Redis in the log: one line when it begins and one when it ends, with how many pieces of work failed because of
 * it. It has several causes at once (each connection, commands that are not answered or refused) and ends with the last of them.
 */
export class Outage {
  readonly #log: Log
  readonly #causes = new Set<unknown>()
  #since = 0
  #failures = 0
  #failedAt = 0

  constructor(log: Log) {
    this.#log = log
  }

  /** A connection cannot be made, or broke. */
  began(connection: object, error: Error): void {
    this.#add(connection, error)
  }

  /** The connection is there again. */
  ended(connection: object): void {
    this.#causes.delete(refusedCommands)
    this.#remove(connection)
  }

  /** Whether an error only says that Redis is away; then it is counted, and begins an outage where there is none. */
  includes(error: unknown): boolean {
    if (!isRedisAway(error)) return false
    if (this.#causes.size === 0) this.#add(refusedCommands, error as Error)
    this.#failures++
    this.#failedAt = performance.now()
    return true
  }

  /** Redis has answered the command that is sent once a second. */
  answered(): void {
    if (performance.now() - this.#failedAt > quietMs) this.#remove(refusedCommands)
  }

  #add(cause: unknown, error: Error): void {
    if (this.#causes.size === 0) {
      this.#since = performance.now()
      this.#failures = 0
      this.#log.warn({ error: error.message }, 'Redis is away')
    }
    this.#causes.add(cause)
  }

  #remove(cause: unknown): void {
    if (!this.#causes.delete(cause) || this.#causes.size > 0) return
    const seconds = Math.round((performance.now() - this.#since) / 1000)
    this.#log.info({ seconds, failures: this.#failures }, 'Redis is back')
  }
}
