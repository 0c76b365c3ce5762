import type { HttpResponse } from 'uWebSockets.js'
import { Readable } from 'node:stream'
import { ApiError } from '../../shared/errors.js'
import { lingerMs, nudgeMs } from './body.js'

/**
 * The body of one request as a stream, for an operation that does not keep it in memory: the connection is read only as fast as the
 * stream is.
 */
export class BodyStream extends Readable {
  private isHeld = true
  /** The last byte has arrived, or the client is gone: the native response must not be used for reading any more. */
  private isOver = false
  private lastArrival = performance.now()
  private readonly nudge: NodeJS.Timeout
  private discarded: (() => void) | undefined

  /**
   * Must be created in the handler of the native request.
   * @param seconds longest time in which nothing arrives although the stream is being read
   */
  constructor(
    private readonly res: HttpResponse,
    private readonly seconds: number,
  ) {
    // One chunk of the native layer is as large as its receive buffer.
    super({ highWaterMark: 1 })
    // The reader gets an error when it reads; without a reader yet, the error must not end the process.
    this.on('error', () => {})
    res.onData((chunk, isLast) => this.arrive(chunk, isLast))
    res.pause()
    this.nudge = setInterval(() => this.watch(), nudgeMs)
  }

  /** The whole body has arrived. */
  isComplete = false

  private arrive(chunk: ArrayBuffer, isLast: boolean): void {
    if (this.isOver) return
    this.lastArrival = performance.now()
    if (isLast) {
      // The next request on the connection must be read.
      this.resumeReading()
      this.isComplete = true
      this.end()
    }
    if (this.destroyed) return
    // uWebSockets frees the memory after this call, so the chunk is copied.
    const wantsMore = chunk.byteLength === 0 || this.push(Buffer.from(chunk.slice(0)))
    if (isLast) this.push(null)
    else if (!wantsMore) this.pauseReading()
  }

  override _read(): void {
    this.resumeReading()
  }

  /** uWebSockets cuts a slow connection without an answer; resuming restarts its clock, so that `seconds` decides. */
  private watch(): void {
    if (this.isHeld || this.isOver) return
    if (performance.now() - this.lastArrival > this.seconds * 1000) {
      this.destroy(new ApiError('REQUEST_TIMEOUT', 'The request body took too long to arrive.'))
      return
    }
    this.res.pause()
    this.res.resume()
  }

  private pauseReading(): void {
    if (this.isHeld || this.isOver) return
    this.isHeld = true
    this.res.pause()
  }

  private resumeReading(): void {
    if (!this.isHeld || this.isOver) return
    this.isHeld = false
    this.lastArrival = performance.now()
    this.res.resume()
  }

  /**
   * The request is answered before its body has arrived: reads the rest for a short time, because a client that is still writing sees a
   * broken connection instead of the answer. Then calls `done`, unless the client is gone.
   */
  discard(done: () => void): void {
    this.discarded = done
    this.destroy()
    this.resumeReading()
    setTimeout(() => this.end(), lingerMs).unref()
  }

  /** The client is gone; the native response must not be used any more. */
  abandon(): void {
    this.discarded = undefined
    this.end()
    this.destroy(new BodyCutOff())
  }

  private end(): void {
    this.isOver = true
    clearInterval(this.nudge)
    const done = this.discarded
    this.discarded = undefined
    done?.()
  }
}

/** The client left before its body was complete; no answer reaches it. */
export class BodyCutOff extends Error {
  constructor() {
    super('The connection ended before the body did.')
  }
}
