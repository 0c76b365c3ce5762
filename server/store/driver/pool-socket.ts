import { Socket } from 'node:net'
import type { AskedSocket } from './database-counts.js'

// Delay between the error and the close event. During it, the code of running transactions fails at its next statement, so that no
// statement reaches the next user of the connection object; longer than the code waits for anything except the database.
const graceMs = 500
// Further pause without writes: a process that was paused can run timers that should be 500 ms apart in one turn.
const quietMs = 10
// The message ReadyForQuery, which ends every answer, without its last byte, the transaction status.
const endOfAnswer = Buffer.from([0x5a, 0, 0, 0, 5])
const outsideOfTransaction = 'I'.charCodeAt(0)

/**
 * A socket of the driver's pool that delivers the events of a lost connection in an order that the driver can handle. A transaction
 * with a lost connection still sends `rollback`; if the driver has released the socket by then, it throws an error that no caller can
 * catch, sends the rollback on the next connection, or never sends anything again. So this socket first emits the error, which fails
 * running statements; later writes each fail with an error; only when no writes follow does it emit `close`. Until then the driver may give it
 * statements of other requests, which fail. So it waits for the code of a transaction only if one was running.
 *
 * The last message of a connection that PostgreSQL ends during a statement becomes an error event, too: the driver would keep it for the first
 * statement of its next connection.
 */
export class PoolSocket extends Socket implements AskedSocket {
  /** Whether the driver has written since the last data from PostgreSQL. */
  isAsked = false
  private hasFailed = false
  private isLeaving = false
  /** Number of writes after the connection was lost. */
  private lateWrites = 0
  /** Value of `bytesRead` at the last write. */
  private readBefore = -1
  private isAmidAnswer = false
  private hasAnswered = false
  /** By the last complete answer. */
  private isInTransaction = false

  constructor() {
    // Otherwise Node would end the writable side of a connection that PostgreSQL closes, before the close event.
    super({ allowHalfOpen: true })
  }

  /** Whether PostgreSQL has not answered the last write, or not completely. */
  get isOwed(): boolean {
    return this.isAmidAnswer || this.bytesRead === this.readBefore
  }

  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event === 'data') return this.receive(args[0] as Buffer)
    if (event === 'error') this.hasFailed = true
    if (event === 'end') this.destroy()
    // A connection that the driver itself closes has no running statements.
    if (event !== 'close' || this.isLeaving) return super.emit(event, ...args)
    if (!this.hasFailed) this.fail('CONNECTION_CLOSED', 'The database has closed the connection.')
    setTimeout(() => this.closeWhenQuiet(), this.isInTransaction ? graceMs : 0)
    return true
  }

  /** Node sets its own `write` property on a connecting socket, which would hide the override below. */
  override connect(...args: unknown[]): this {
    super.connect(...(args as [string]))
    Reflect.deleteProperty(this, 'write')
    return this
  }

  override write(...args: unknown[]): boolean {
    this.isAsked = true
    if (!this.destroyed) {
      this.readBefore = this.bytesRead
      return super.write(...(args as [Uint8Array]))
    }
    this.lateWrites++
    process.nextTick(() => this.fail('ENOTCONN', 'The connection to the database is lost.'))
    return true
  }

  override end(...args: unknown[]): this {
    this.isLeaving = true
    return super.end(...(args as [Uint8Array]))
  }

  private receive(data: Buffer): boolean {
    this.isAsked = false
    // Before the first answer the driver expects the message: it says why PostgreSQL lets no one in.
    const fatal = this.hasAnswered ? fatalError(data) : undefined
    if (fatal) {
      if (fatal.start > 0) super.emit('data', data.subarray(0, fatal.start))
      return super.emit('error', Object.assign(new Error(fatal.message), { code: fatal.code }))
    }
    this.isAmidAnswer = !endsAnswer(data)
    if (data.length > endOfAnswer.length && !this.isAmidAnswer) {
      this.hasAnswered = true
      this.isInTransaction = data.at(-1) !== outsideOfTransaction
    }
    return super.emit('data', data)
  }

  private closeWhenQuiet(): void {
    const before = this.lateWrites
    // The driver writes a statement one turn of the event loop after it was called.
    const look = () => {
      if (this.lateWrites !== before) this.closeWhenQuiet()
      // `false`: without a transmission error. At this event the driver also fails the statements that it still holds.
      else super.emit('close', false)
    }
    setImmediate(() => setTimeout(look, quietMs))
  }

  private fail(code: string, message: string): void {
    this.emit('error', Object.assign(new Error(message), { code }))
  }
}

/** Whether received data ends with the end of an answer; data that is too short to show it counts as an end. */
function endsAnswer(data: Buffer): boolean {
  const from = data.length - endOfAnswer.length - 1
  return from < 0 || data.compare(endOfAnswer, 0, endOfAnswer.length, from, data.length - 1) === 0
}

const severity = Buffer.from('\0VFATAL\0C')
// The severity in the language of PostgreSQL stands before the one above.
const longestSeverity = 40

/** The ErrorResponse of severity FATAL at the end of the data. */
function fatalError(
  data: Buffer,
): { readonly start: number; readonly code: string; readonly message: string } | undefined {
  const at = data.lastIndexOf(severity)
  if (at < 0) return undefined
  for (let start = at - 6; start >= Math.max(0, at - longestSeverity); start--) {
    const isStart = data[start] === 0x45 && data[start + 5] === 0x53
    if (!isStart || start + 1 + data.readUInt32BE(start + 1) !== data.length) continue
    const code = data.toString('latin1', at + severity.length, at + severity.length + 5)
    const [, message = ''] = data.toString('utf8', at + severity.length + 5).split('\0')
    return { start, code, message: message.slice(1) }
  }
  return undefined
}
