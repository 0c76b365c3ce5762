import type { Snapshot } from './realtime.js'

// Of nearly all queues: one for all.
const none: ReadonlySet<number> = new Set()

/** Transactions whose changes a register answer shows: their events are left out of its queue. */
export class ShownTransactions {
  readonly #below: number
  /** Transactions from here on began after the snapshot: one comparison decides for nearly all events. */
  readonly end: number
  readonly #running: ReadonlySet<number>

  /** `xmin:xmax:xip,…` as PostgreSQL writes it. */
  constructor(readonly text: Snapshot) {
    const [below = '0', end = '0', running = ''] = text.split(':')
    this.#below = Number(below)
    this.end = Number(end)
    this.#running = running === '' ? none : new Set(running.split(',').map(Number))
  }

  /** 0 is an event of no transaction: never shown. */
  has(xid: number): boolean {
    if (xid === 0 || xid >= this.end) return false
    return xid < this.#below || !this.#running.has(xid)
  }
}
