import { type CloseCode, closeCodes } from '../../shared/wire/close-codes.js'
import type { Attachment, EventSocket, RequestSignal } from '../realtime/realtime.js'

/** The open answer that a stream is written to. */
export interface StreamTarget {
  /** False: the connection has buffered the bytes but is full; `EventStream.drained` is called when it has sent them. */
  write(bytes: Uint8Array | string): boolean
  /** Ends the answer; nothing happens if the client is gone. */
  end(): void
}

// What a stream sends is acknowledged only by the next one, so it ends before a queue keeps much, and long before the feed forgets it.
// Bytes: as of one answer to a long poll.
const mostBytes = 4 * 1024 * 1024
// Ms.
const longest = 10 * 60_000
// Ms until the client returns; nothing is lost meanwhile.
const returnAfter = 1000

/** The events of a queue as server-sent events (docs/protocol/events.md#server-sent-events): an answer that goes on. */
export class EventStream implements EventSocket {
  readonly codec = 'event-stream'
  private target: StreamTarget | undefined
  private attachment: Attachment | undefined
  /** What the engine sent before the head of the answer was written: at most the frames of one turn. */
  private held: Uint8Array[] = []
  private hasEnded = false
  private sent = 0
  /** Bytes since the connection was full. */
  private unsent = 0
  private timer: NodeJS.Timeout | undefined

  /** `signal`: its client is gone, or the server stops. */
  constructor(signal: RequestSignal) {
    signal.addEventListener('abort', () => this.end())
  }

  /** The engine delivers the queue to this stream from now on. */
  attached(attachment: Attachment): void {
    this.attachment = attachment
    if (this.hasEnded) attachment.detach()
  }

  /** The head of the answer is written. */
  open(target: StreamTarget): void {
    if (this.hasEnded) {
      target.end()
      return
    }
    this.target = target
    this.timer = setTimeout(() => this.end(), longest).unref()
    target.write(`retry: ${returnAfter}\n\n`)
    const { held } = this
    this.held = []
    for (const frame of held) this.write(target, frame)
  }

  drained(): void {
    this.unsent = 0
    this.attachment?.drained()
  }

  // For the event engine.

  send(frame: Uint8Array): boolean {
    if (this.hasEnded) return false
    if (this.target) return this.write(this.target, frame)
    this.held.push(frame)
    return true
  }

  buffered(): number {
    return this.unsent
  }

  /** Tells the client why, in an event of another type; the answer to the next request says that a queue is gone. */
  close(code: CloseCode, reason: string): void {
    if (this.target && code !== closeCodes.tooSlow) {
      this.target.write(`event: closed\ndata: ${JSON.stringify({ code, reason })}\n\n`)
    }
    this.end()
  }

  private write(target: StreamTarget, frame: Uint8Array): boolean {
    this.sent += frame.length
    const isTaken = target.write(frame)
    if (!isTaken) this.unsent += frame.length
    // Not at once: the engine is in the middle of its own work.
    if (this.sent >= mostBytes) queueMicrotask(() => this.end())
    return isTaken
  }

  private end(): void {
    if (this.hasEnded) return
    this.hasEnded = true
    clearTimeout(this.timer)
    this.held = []
    this.target?.end()
    queueMicrotask(() => this.attachment?.detach())
  }
}
