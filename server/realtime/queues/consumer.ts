import type { FrameNode } from '../encoding/index.js'
import type { EngineDeps } from '../engine-deps.js'
import type { EventSocket, PollAnswer, PollReceiver } from '../realtime.js'

/** The consumer of a queue: at most one at a time. */
export type Consumer = PollConsumer | SocketConsumer

/** A waiting long poll. It ends once; later answers and errors are ignored. */
export class PollConsumer {
  readonly kind = 'poll'
  /** Its answer is being assembled. */
  isReading = false
  private receiver: PollReceiver | undefined

  constructor(
    readonly queueId: string,
    readonly dontBlock: boolean,
    receiver: PollReceiver,
  ) {
    this.receiver = receiver
  }

  answer(frame: FrameNode): void {
    this.end()?.answered(new GivenFrame(this.queueId, frame))
  }

  fail(error: Error): void {
    this.end()?.failed(error)
  }

  private end(): PollReceiver | undefined {
    const receiver = this.receiver
    this.receiver = undefined
    return receiver
  }
}

/** An answer that is encoded only when the caller reads it. */
class GivenFrame implements PollAnswer {
  constructor(
    readonly queueId: string,
    private readonly frame: FrameNode,
  ) {}

  get events(): readonly string[] {
    return this.frame.events()
  }

  get field(): Uint8Array {
    return this.frame.field()
  }
}

/**
 * An attached socket.
 *
 * | state  | meaning | method | next state |
 * |--------|---------|--------|------------|
 * | behind | it has not received everything yet: new entries are only appended to the queue | `caughtUp` | live |
 * | live   | it has received everything; new entries are broadcast to it | `stop` | behind |
 * | behind, live | | `send` that fills the buffer | full |
 * | full   | its buffer is full: nothing is sent until it has room again | `drained` | behind |
 */
export class SocketConsumer {
  readonly kind = 'socket'
  private _isLive = false
  /** Number of the frame that the broadcast sends at the end of this turn; 0: none. A number costs the garbage collector nothing. */
  frame = 0
  private _isFull = false
  /** A catch-up of this socket is running. */
  isReading = false
  /** The socket has been sent everything up to this id; not updated while the socket is live. */
  private _sent: number
  /** While full: since when (ms) the buffer has not shrunk, and how many bytes were unsent then. */
  private stalledSince = 0
  private unsent = 0

  constructor(
    readonly socket: EventSocket,
    sent: number,
  ) {
    this._sent = sent
  }

  get isLive(): boolean {
    return this._isLive
  }

  get isFull(): boolean {
    return this._isFull
  }

  get sent(): number {
    return this._sent
  }

  /** The catch-up has sent everything up to this id, or the client has acknowledged it. */
  sentUpto(id: number): void {
    this._sent = id
  }

  caughtUp(): void {
    this._isLive = true
  }

  /** Sends one frame; if that fills the socket's buffer, it is full until `drained`. */
  send(frame: FrameNode, { counts, clock }: Pick<EngineDeps, 'counts' | 'clock'>): void {
    const { socket } = this
    counts.frames++
    if (socket.codec === 'msgpack') counts.msgpack += frame.count
    else counts.json += frame.count
    if (!socket.send(frame.frame(socket.codec))) this.filled(frame.id, clock.now())
  }

  private filled(sent: number, now: number): void {
    this._sent = sent
    this._isLive = false
    this._isFull = true
    this.stalledSince = now
    this.unsent = this.socket.buffered()
  }

  drained(): void {
    this._isFull = false
  }

  /** For how long a full buffer has not shrunk, in ms; `unsent`: the bytes in it now. */
  stalledMs(unsent: number, now: number): number {
    if (unsent < this.unsent) this.stalledSince = now
    this.unsent = unsent
    return unsent > 0 ? now - this.stalledSince : 0
  }

  /** Nothing more is sent; cancels a frame that the broadcast of this turn holds for the socket. */
  stop(): void {
    this._isLive = false
    this.frame = 0
  }
}
