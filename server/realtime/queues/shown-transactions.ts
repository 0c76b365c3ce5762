import type { Snapshot } from '../realtime.js'

// Nearly all queues have no running transactions in their snapshot; they share this set.
const none: ReadonlySet<number> = new Set()

/** Transactions whose changes a register answer shows; its queue excludes their events. */
export class ShownTransactions {
  private readonly below: number
  /** Transactions with this id or a higher one began after the snapshot, so one comparison decides for nearly all events. */
  readonly end: number
  private readonly running: ReadonlySet<number>

  /** `text` is `xmin:xmax:xip,…`, the form of PostgreSQL. */
  constructor(readonly text: Snapshot) {
    const [below = '0', end = '0', running = ''] = text.split(':')
    this.below = Number(below)
    this.end = Number(end)
    this.running = running === '' ? none : new Set(running.split(',').map(Number))
  }

  /** `xid` 0 stands for an event without a transaction, which is never shown. */
  has(xid: number): boolean {
    if (xid === 0 || xid >= this.end) return false
    return xid < this.below || !this.running.has(xid)
  }
}
