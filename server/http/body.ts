import type { HttpResponse } from 'uWebSockets.js'
import { ApiError } from '../../shared/errors.js'

// A client that gets the answer while it still writes sees a broken connection instead, so an oversized body is read and discarded for this
// long.
export const lingerMs = 2000
// uWebSockets cuts a connection that sends less than 16 kB/s for 10 s, without an answer. Resuming restarts its clock, so that the deadline
// of the reading class decides.
export const nudgeMs = 4000

interface BodyLimits {
  readonly declared: number
  readonly maxBytes: number
  readonly seconds: number
}

/** Receives the body of one request: the whole body, or an error. */
export class Body {
  private readonly chunks: Buffer[] = []
  private size = 0
  private isTooLarge = false
  private isDone = false
  private deadline: NodeJS.Timeout | undefined
  private nudge: NodeJS.Timeout | undefined
  private maxBytes: number

  constructor(
    res: HttpResponse,
    private readonly done: (body: Buffer | ApiError) => void,
    limits: BodyLimits,
  ) {
    this.maxBytes = limits.maxBytes
    res.onData((chunk, isLast) => this.take(chunk, isLast))
    if (this.isDone) return
    this.deadline = setTimeout(() => this.finish(timedOut()), limits.seconds * 1000)
    this.nudge = setInterval(() => {
      res.pause()
      res.resume()
    }, nudgeMs)
    if (limits.declared > limits.maxBytes) this.refuse()
  }

  private take(chunk: ArrayBuffer, isLast: boolean): void {
    if (this.isDone) return
    this.size += chunk.byteLength
    if (this.isTooLarge || this.size > this.maxBytes) {
      if (isLast) this.finish(tooLarge(this.maxBytes))
      else this.refuse()
      return
    }
    // uWebSockets frees the memory after this call, so the chunk is copied, also when it is the whole body.
    if (chunk.byteLength > 0) this.chunks.push(Buffer.from(chunk.slice(0)))
    if (isLast) this.finish(this.chunks.length === 1 ? (this.chunks[0] as Buffer) : Buffer.concat(this.chunks))
  }

  /** Allows no more than this from now on: the larger limit was for a caller that turned out to be another one. */
  restrict(maxBytes: number): void {
    if (this.isDone) return
    this.maxBytes = maxBytes
    if (this.size > maxBytes) this.refuse()
  }

  private refuse(): void {
    if (this.isTooLarge) return
    this.isTooLarge = true
    this.chunks.length = 0
    clearTimeout(this.deadline)
    this.deadline = setTimeout(() => this.finish(tooLarge(this.maxBytes)), lingerMs)
  }

  private finish(outcome: Buffer | ApiError): void {
    this.stop()
    this.done(outcome)
  }

  /** Also called when the connection is gone; the native response must not be used afterwards. */
  stop(): void {
    this.isDone = true
    clearTimeout(this.deadline)
    clearInterval(this.nudge)
  }
}

const tooLarge = (maxBytes: number) =>
  new ApiError('REQUEST_TOO_LARGE', `The request body is larger than ${maxBytes} bytes.`)
const timedOut = () => new ApiError('REQUEST_TIMEOUT', 'The request body took too long to arrive.')
