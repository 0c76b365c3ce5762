import { Socket } from 'node:net'
import type { AskedSocket } from './database-counts.js'

// Transactions that were under way learn in this time that their connection is gone: their code runs on, and what it says must
// not reach whoever has the connection next. Longer than anything that they wait for besides the database.
const graceMs = 500
// A process that was held up for long does in one turn what should have been half a second apart.
const quietMs = 10
// ReadyForQuery, the end of every answer, without its last byte, which tells the state of the transaction.
const endOfAnswer = Buffer.from([0x5a, 0, 0, 0, 5])

/**
 * A connection of the driver's pool that ends in an order which the driver can stand. A transaction whose connection is lost
 * still says `rollback`; when the driver has let go of the socket by then, it throws where nobody can catch it, or sends
 * the rollback on the next connection, or never sends anything again. So first comes the error, which fails what is under way;
 * what is said after that fails by itself; and only then, when nobody has anything left to say, the end.
 */
export class PoolSocket extends Socket implements AskedSocket {
  /** It has been asked something since it last said something. */
  isAsked = false
  #hasFailed = false
  #isLeaving = false
  /** What was said after the end. */
  #lateWrites = 0
  /** How much had been heard when something was said last. */
  #heardBefore = -1
  #isAmidAnswer = false

  constructor() {
    // Otherwise a connection that the server closes would take our writing away before it is closed.
    super({ allowHalfOpen: true })
  }

  /** Whether the database has been asked for something and not answered, or not to the end. */
  get isOwed(): boolean {
    return this.#isAmidAnswer || this.bytesRead === this.#heardBefore
  }

  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event === 'data') this.isAsked = false
    if (event === 'data') this.#isAmidAnswer = !endsAnswer(args[0] as Buffer)
    if (event === 'error') this.#hasFailed = true
    if (event === 'end') this.destroy()
    // One that the driver closes has nothing under way.
    if (event !== 'close' || this.#isLeaving) return super.emit(event, ...args)
    if (!this.#hasFailed) this.#fail('CONNECTION_CLOSED', 'The database has closed the connection.')
    setTimeout(() => this.#closeWhenQuiet(), graceMs)
    return true
  }

  /** Node puts its own `write` on a socket that connects, in the place of an override. */
  override connect(...args: unknown[]): this {
    super.connect(...(args as [string]))
    Reflect.deleteProperty(this, 'write')
    return this
  }

  override write(...args: unknown[]): boolean {
    this.isAsked = true
    if (!this.destroyed) {
      this.#heardBefore = this.bytesRead
      return super.write(...(args as [Uint8Array]))
    }
    this.#lateWrites++
    process.nextTick(() => this.#fail('ENOTCONN', 'The connection to the database is lost.'))
    return true
  }

  override end(...args: unknown[]): this {
    this.#isLeaving = true
    return super.end(...(args as [Uint8Array]))
  }

  #closeWhenQuiet(): void {
    const before = this.#lateWrites
    // The driver writes in the next turn what it was asked in this one.
    const look = () => {
      if (this.#lateWrites !== before) this.#closeWhenQuiet()
      // Without an error of its own: the driver fails then what it still holds, too.
      else super.emit('close', false)
    }
    setImmediate(() => setTimeout(look, quietMs))
  }

  #fail(code: string, message: string): void {
    this.emit('error', Object.assign(new Error(message), { code }))
  }
}

/** Of a piece that is too short to tell it is believed. */
function endsAnswer(piece: Buffer): boolean {
  const from = piece.length - endOfAnswer.length - 1
  return from < 0 || piece.compare(endOfAnswer, 0, endOfAnswer.length, from, piece.length - 1) === 0
}
