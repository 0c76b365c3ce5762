import type { WebSocket } from 'uWebSockets.js'
import { type CloseCode, closeCodes } from '../../../shared/wire/close-codes.js'
import type { Codec } from '../../../shared/wire/codec.js'
import type { Consumer } from '../../realtime/realtime.js'
import type { Edge } from '../edge.js'
import type { Flushable } from '../outgoing.js'
import type { SocketData } from './session.js'

type Frame = string | Uint8Array

// A close frame holds 125 bytes, two of them the code.
const maxReasonBytes = 123
const sent = 1

/** The sending side of a socket. Events go out at once, replies at the end of the turn under one cork, never after later events. */
export class Link implements Consumer, Flushable {
  private readonly isBinary: boolean
  private socket: WebSocket<SocketData> | undefined
  private replies: Frame[] | undefined
  private isFull = false
  /** Of the replies sent since all was read: one answer may be larger than the limit, and is no reason to close. */
  private largestUnsent = 0

  constructor(
    private readonly edge: Edge,
    readonly codec: Codec,
  ) {
    this.isBinary = codec === 'msgpack'
  }

  opened(socket: WebSocket<SocketData>): void {
    this.socket = socket
  }

  closed(): void {
    this.socket = undefined
    this.replies = undefined
  }

  get isOpen(): boolean {
    return this.socket !== undefined
  }

  // What the engine uses. Nothing is allocated for a send.

  send(frame: Frame): boolean {
    if (this.replies) this.flush()
    if (!this.socket) return false
    return this.socket.send(frame, this.isBinary, false) === sent || this.full()
  }

  buffered(): number {
    return this.socket?.getBufferedAmount() ?? 0
  }

  close(code: CloseCode, reason: string): void {
    if (this.replies) this.flush()
    if (this.socket) this.edge.counts.closed(code)
    this.socket?.end(code, reason.slice(0, maxReasonBytes))
  }

  // Replies.

  reply(frame: Frame): void {
    if (!this.socket) return
    if (this.replies) this.replies.push(frame)
    else {
      this.replies = [frame]
      this.edge.outgoing.push(this)
    }
  }

  flush(): void {
    const { replies } = this
    if (!replies) return
    this.replies = undefined
    let isTaken = true
    this.socket?.cork(() => {
      isTaken = replies.every(frame => this.sendReply(frame))
    })
    if (!isTaken) this.close(closeCodes.tooSlow, 'reads too slowly')
  }

  // I5: a slow socket costs its buffer limit.
  /** More than the buffer limit is unsent: nothing more is begun for this client. */
  isBehind(): boolean {
    return this.isFull && this.buffered() > this.edge.ctx.config.socketBufferBytes
  }

  /** True once everything has been sent. */
  drained(): boolean {
    if (this.buffered() > 0) return false
    this.isFull = false
    this.largestUnsent = 0
    return true
  }

  /** False: what is unsent already is more than a client may leave unread. */
  private sendReply(frame: Frame): boolean {
    if (!this.socket) return true
    if (this.isFull && this.buffered() > this.edge.ctx.config.socketBufferBytes + this.largestUnsent) return false
    if (this.socket.send(frame, this.isBinary, false) === sent) return true
    this.full()
    const bytes = typeof frame === 'string' ? Buffer.byteLength(frame) : frame.length
    this.largestUnsent = Math.max(this.largestUnsent, bytes)
    return true
  }

  private full(): false {
    this.isFull = true
    return false
  }
}
