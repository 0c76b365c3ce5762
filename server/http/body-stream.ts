import type { HttpResponse } from 'uWebSockets.js'
import { ApiError } from '../../shared/errors.js'
import { awayMessage } from '../storage/storage-failure.js'
import { lingerMs, nudgeMs } from './body.js'
import type { BodyOverflow } from './body-overflow.js'
import { type BodySource, type BodyWindow, blockBytes } from './body-window.js'

/** Bytes that have arrived: of a block, or the next ones of the overflow file. */
interface Piece {
  readonly block: Buffer | undefined
  size: number
}

/**
 * The body of one request while it arrives, for an operation that does not keep it in memory: the connection is read only when the reader has
 * used all that has arrived. A chunk is valid until the reader asks for the next one.
 */
export class BodyStream implements BodySource, AsyncIterableIterator<Uint8Array> {
  /** The whole body has arrived. */
  isComplete = false
  /** For how long the reader has waited for bytes, in ms. */
  waitedMs = 0
  private askedAt = 0
  private isHeld = true
  /** The last byte has arrived, or the client is gone: the native response must not be used for reading any more. */
  private isOver = false
  private readonly arrived: Piece[] = []
  private readonly overflow: BodyOverflow
  /** The reader uses it. */
  private taken: Buffer | undefined
  private waiting: { resolve(next: IteratorResult<Uint8Array>): void; reject(error: Error): void } | undefined
  private failure: Error | undefined
  private lastArrival = performance.now()
  /** How long nothing had arrived when reading stopped, in ms. */
  private silentMs = 0
  /** Time of the last arrival, or of the reader's last question. */
  private lastProgress = performance.now()
  private readonly nudge: NodeJS.Timeout
  private discarded: (() => void) | undefined

  /**
   * Must be created in the handler of the native request.
   * @param seconds longest time in which nothing arrives although the connection is being read
   */
  constructor(
    private readonly res: HttpResponse,
    private readonly window: BodyWindow,
    private readonly seconds: number,
  ) {
    this.overflow = window.overflow()
    res.onData((chunk, isLast) => this.arrive(chunk, isLast))
    res.pause()
    this.nudge = setInterval(() => this.watch(), nudgeMs)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /**
   * The next bytes. Only one call may be under way.
   * @throws {ApiError} REQUEST_TIMEOUT, SERVER_NOT_READY; {BodyCutOff}; the error of `destroy`
   */
  next(): Promise<IteratorResult<Uint8Array>> {
    this.askedAt = this.lastProgress = performance.now()
    this.giveTaken()
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject }
      this.serve()
    })
  }

  /** Ends the body for its reader, with this error. */
  destroy(error: Error): void {
    if (this.failure) return
    this.failure = error
    this.window.leave(this)
    for (const { block } of this.arrived.splice(0)) if (block) this.window.giveBlock(block)
    this.overflow.close()
    this.serve()
  }

  private serve(): void {
    if (!this.waiting) return
    const piece = this.failure ? undefined : this.nextPiece()
    const { waiting, failure } = this
    if (!waiting) return
    if (!failure && !piece && !this.isComplete) {
      this.window.want(this)
      return
    }
    this.waiting = undefined
    this.waitedMs += performance.now() - this.askedAt
    this.taken = piece?.block
    if (failure) waiting.reject(failure)
    else if (piece) waiting.resolve({ done: false, value: piece.block.subarray(0, piece.size) })
    else waiting.resolve({ done: true, value: undefined })
  }

  private giveTaken(): void {
    if (this.taken) this.window.giveBlock(this.taken)
    this.taken = undefined
  }

  private arrive(chunk: ArrayBuffer, isLast: boolean): void {
    if (this.isOver) return
    this.lastArrival = this.lastProgress = performance.now()
    this.silentMs = 0
    if (isLast) {
      this.isComplete = true
      this.end()
    }
    if (this.failure) return
    try {
      this.keep(new Uint8Array(chunk))
    } catch (error) {
      this.destroy(error as Error)
      return
    }
    this.serve()
    if (isLast || (this.waiting && !this.isHeld)) return
    if (!this.waiting) this.window.leave(this)
    this.hold()
  }

  /** The next bytes in a block; undefined: there are none, or the file cannot be read, and the body has ended with the error. */
  private nextPiece(): { block: Buffer; size: number } | undefined {
    const piece = this.arrived[0]
    if (!piece) return undefined
    if (piece.block) {
      this.arrived.shift()
      return { block: piece.block, size: piece.size }
    }
    const block = this.window.takeBlock()
    try {
      const size = this.overflow.moveTo(block, piece.size)
      piece.size -= size
      if (piece.size === 0) this.arrived.shift()
      return { block, size }
    } catch (error) {
      this.window.giveBlock(block)
      this.destroy(error as Error)
      return undefined
    }
  }

  /** uWebSockets frees the memory of what arrives after the call, so it is copied. @throws {StorageFailure} */
  private keep(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      let last = this.arrived.at(-1)
      if (this.window.overflows) {
        const rest = bytes.subarray(at)
        this.overflow.append(rest)
        if (last && !last.block) last.size += rest.length
        else this.arrived.push({ block: undefined, size: rest.length })
        return
      }
      let block = last?.block
      if (!last || !block || last.size === blockBytes) {
        block = this.window.takeBlock()
        last = { block, size: 0 }
        this.arrived.push(last)
      }
      const part = bytes.subarray(at, at + blockBytes - last.size)
      block.set(part, last.size)
      last.size += part.length
      at += part.length
    }
  }

  /** Ends a wait without progress, of the client or of the store. */
  private watch(): void {
    const now = performance.now()
    if (this.isHeld || this.isOver) {
      if (now - this.lastProgress > this.window.patienceMs) {
        this.destroy(new ApiError('SERVER_NOT_READY', awayMessage))
      }
      return
    }
    if (now - this.lastArrival > this.seconds * 1000) {
      this.destroy(new ApiError('REQUEST_TIMEOUT', 'The request body took too long to arrive.'))
      return
    }
    // uWebSockets cuts a slow connection without an answer; resuming restarts its clock, so that `seconds` decides.
    this.res.pause()
    this.res.resume()
  }

  proceed(): void {
    if (!this.isHeld || this.isOver) return
    this.isHeld = false
    // The time in which the connection was not read does not count against the client, the time before does.
    this.lastArrival = performance.now() - this.silentMs
    this.res.resume()
  }

  /** Also while it is held: bytes that were already on their way have started the clock of uWebSockets, and only pausing stops it. */
  hold(): void {
    if (this.isOver) return
    if (!this.isHeld) this.silentMs = performance.now() - this.lastArrival
    this.isHeld = true
    this.res.pause()
  }

  /**
   * The request is answered before its body has arrived, and settled: reads the rest for a short time, because a client that is still writing sees a
   * broken connection instead of the answer. Then calls `done`, unless the client is gone.
   */
  discard(done: () => void): void {
    this.discarded = done
    this.proceed()
    setTimeout(() => this.end(), lingerMs).unref()
  }

  /** The request has its answer, so nothing reads the body any more. */
  settle(): void {
    this.destroy(new BodyCutOff())
    this.giveTaken()
    if (this.isOver) clearInterval(this.nudge)
  }

  /**
   * The connection is read again, for its next request. Called right before the answer: the clock of uWebSockets would run while the bytes are
   * stored, and a slow disk would cost the client its answer.
   */
  release(): void {
    if (this.isHeld) this.res.resume()
  }

  /** The client is gone; the native response must not be used any more. The reader may still use the chunk that it has. */
  abandon(): void {
    this.discarded = undefined
    this.end()
    this.destroy(new BodyCutOff())
    clearInterval(this.nudge)
  }

  private end(): void {
    this.isOver = true
    this.window.leave(this)
    if (this.failure) clearInterval(this.nudge)
    const done = this.discarded
    this.discarded = undefined
    done?.()
  }
}

/** The client left before its body was complete; no answer reaches it. */
class BodyCutOff extends Error {
  /** The name of errors that end work because its caller is gone; they are no failures of the server. */
  override readonly name = 'AbortError'

  constructor() {
    super('The connection ended before the body did.')
  }
}
