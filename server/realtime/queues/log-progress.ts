/**
 * What the next flush of the queue log owes a queue beyond its new references:
 *
 * | state      | meaning | next |
 * |------------|---------|------|
 * | `nothing`  | it writes new references only | `require` → `write`, `requireAgain` → `repeat` |
 * | `write`    | it writes under this owner's epoch in any case: the queue was taken over, its keys must not expire, or its owner may have changed | `start` → `nothing`, `requireAgain` → `repeat` |
 * | `repeat`   | Redis may have lost the end of the log: it writes everything after the last safe id again (log-append.lua) | `start` → `nothing` |
 *
 * A write that fails returns the log to what it owed before, or to more if that was required meanwhile.
 */
export type LogDebt = 'nothing' | 'write' | 'repeat'

/** How far the log of one queue in Redis reaches, and what the next flush has to write. */
export class LogProgress {
  #upto: number
  #exists: boolean
  #debt: LogDebt
  #renewAt: number

  constructor(upto: number, exists: boolean, debt: LogDebt, renewAt: number) {
    this.#upto = upto
    this.#exists = exists
    this.#debt = debt
    this.#renewAt = renewAt
  }

  /** Unacknowledged ids up to this one are in the log. */
  get upto(): number {
    return this.#upto
  }

  /** Whether Redis holds a log of this queue. */
  get exists(): boolean {
    return this.#exists
  }

  get debt(): LogDebt {
    return this.#debt
  }

  /** When the expiry of the queue's keys has to be renewed, in ms. */
  get renewAt(): number {
    return this.#renewAt
  }

  /** The queue was stored in Redis with all its references up to `upto`. */
  stored(upto: number, hasReferences: boolean, renewAt: number): void {
    this.#upto = upto
    if (hasReferences) this.#exists = true
    this.#renewAt = renewAt
  }

  /** The next flush has to write, even without new references. */
  require(): void {
    if (this.#debt === 'nothing') this.#debt = 'write'
  }

  /** Redis may have lost references after `safe`: the next flush has to write them again. */
  requireAgain(safe: number): void {
    this.#upto = Math.min(this.#upto, safe)
    this.#debt = 'repeat'
  }

  /** A write of everything that is owed starts; returns what was owed, for `failed`. */
  start(): LogDebt {
    const debt = this.#debt
    this.#debt = 'nothing'
    return debt
  }

  failed(debt: LogDebt): void {
    if (debt === 'repeat' || this.#debt === 'nothing') this.#debt = debt
  }

  /** A write has ended; the log now reaches `upto`, and it is deleted if the queue had no references. */
  written(upto: number, hasReferences: boolean, renewAt: number): void {
    // Not if the log has to be written again because of a loss detected meanwhile.
    if (this.#debt !== 'repeat') this.#upto = upto
    this.#exists = hasReferences
    this.#renewAt = renewAt
  }

  /** The queue has no reference up to `upto` that is not in the log: nothing had to be written. */
  completeUpto(upto: number): void {
    this.#upto = Math.max(this.#upto, upto)
  }
}
