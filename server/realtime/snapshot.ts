import type { Snapshot } from './realtime.js'

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
    this.#running = new Set(running.split(',').filter(Boolean).map(Number))
  }

  /** 0 is an event of no transaction: never shown. */
  has(xid: number): boolean {
    if (xid === 0 || xid >= this.end) return false
    return xid < this.#below || !this.#running.has(xid)
  }
}
