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
  private _upto: number
  private _exists: boolean
  private _debt: LogDebt
  private _renewAt: number

  constructor(upto: number, exists: boolean, debt: LogDebt, renewAt: number) {
    this._upto = upto
    this._exists = exists
    this._debt = debt
    this._renewAt = renewAt
  }

  /** Unacknowledged ids up to this one are in the log. */
  get upto(): number {
    return this._upto
  }

  /** Whether Redis holds a log of this queue. */
  get exists(): boolean {
    return this._exists
  }

  get debt(): LogDebt {
    return this._debt
  }

  /** When the expiry of the queue's keys has to be renewed, in ms. */
  get renewAt(): number {
    return this._renewAt
  }

  /** The queue was stored in Redis with all its references up to `upto`. */
  stored(upto: number, hasReferences: boolean, renewAt: number): void {
    this._upto = upto
    if (hasReferences) this._exists = true
    this._renewAt = renewAt
  }

  /** The next flush has to write, even without new references. */
  require(): void {
    if (this._debt === 'nothing') this._debt = 'write'
  }

  /** Redis may have lost references after `safe`: the next flush has to write them again. */
  requireAgain(safe: number): void {
    this._upto = Math.min(this._upto, safe)
    this._debt = 'repeat'
  }

  /** A write of everything that is owed starts; returns what was owed, for `failed`. */
  start(): LogDebt {
    const debt = this._debt
    this._debt = 'nothing'
    return debt
  }

  failed(debt: LogDebt): void {
    if (debt === 'repeat' || this._debt === 'nothing') this._debt = debt
  }

  /** A write has ended; the log now reaches `upto`, and it is deleted if the queue had no references. */
  written(upto: number, hasReferences: boolean, renewAt: number): void {
    // Not if the log has to be written again because of a loss detected meanwhile.
    if (this._debt !== 'repeat') this._upto = upto
    this._exists = hasReferences
    this._renewAt = renewAt
  }

  /** The queue has no reference up to `upto` that is not in the log: nothing had to be written. */
  completeUpto(upto: number): void {
    this._upto = Math.max(this._upto, upto)
  }
}
