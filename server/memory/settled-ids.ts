import type { ISql } from '../store/driver/db.js'
import { newestSettled } from '../store/reading/read-state.js'
import { newestMessageId } from '../store/reading/settled-messages.js'

// A message that settles after the last look is read from the database until the next one.
const lookAgainMs = 250
const maxMarks = 8

/** Every message of a channel up to `id` belongs to a transaction below `xid`. */
interface Mark {
  readonly id: number
  readonly xid: number
}

/**
 * Finds the id up to which a snapshot shows all messages, because no insert of a smaller id is still running.
 *
 * A worker notes the newest id of the sequence, and then a new transaction id. An insert gets its transaction id before its message ids
 * (store/sending/insert-messages.ts). So when all transactions below the noted one have ended, no insert with a message id up to the noted one
 * is open. The xmax of a snapshot would not do: open transactions may have that id and higher ones.
 *
 * Source: the sequence of message ids.
 * Version: transaction ids, which the caller compares with its snapshot.
 * Bound: 8 marks.
 * Dropped: the oldest mark by a new one.
 */
export class SettledIds {
  private readonly marks: Mark[] = []
  private lookedAt = Number.NEGATIVE_INFINITY

  /** `lookAgain`: time in ms after which the worker notes the newest id again. */
  constructor(private readonly lookAgain = lookAgainMs) {}

  /** The newest settled id in the snapshot of `tx`, whose pg_snapshot_xmin is `xmin`. `sql`: any connection outside of the transaction. */
  async newest(tx: ISql, xmin: number, sql: ISql): Promise<number> {
    const [known] = await Promise.all([
      // The first mark: by time, which is enough at the start of a worker.
      this.marks.length === 0 ? newestSettled(tx) : 0,
      this.lookWhenDue(sql),
    ])
    if (known > 0 && this.marks.every(mark => mark.id > known)) this.marks.unshift({ id: known, xid: 0 })
    return this.newestIn(xmin)
  }

  /** The newest settled id in a snapshot by its pg_snapshot_xmin; 0: none is known. */
  newestIn(xmin: number): number {
    return Math.max(0, ...this.marks.filter(mark => mark.xid <= xmin).map(mark => mark.id))
  }

  /** Notes the newest id, so that later snapshots find it settled; does nothing where the last look was a moment ago. */
  async lookWhenDue(sql: ISql): Promise<void> {
    const now = performance.now()
    if (now - this.lookedAt <= this.lookAgain) return
    this.lookedAt = now
    await this.look(sql)
  }

  private async look(sql: ISql): Promise<void> {
    this.note(await newestMessageId(sql))
  }

  /** Notes an id of the sequence, and a transaction id that was taken afterwards. */
  note(mark: Mark): void {
    this.marks.push(mark)
    if (this.marks.length > maxMarks) this.marks.shift()
  }
}
