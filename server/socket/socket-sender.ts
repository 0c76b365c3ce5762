import type { WebSocket } from 'uWebSockets.js'
import { type CloseCode, closeCodes } from '../../shared/wire/close-codes.js'
import type { Codec } from '../../shared/wire/codec.js'
import type { Connections } from '../http/connections.js'
import type { Flushable } from '../http/outgoing.js'
import type { EventSocket } from '../realtime/realtime.js'

type Frame = string | Uint8Array

interface Reply {
  readonly frame: Frame
  readonly isBinary: boolean
}

// Bytes: a close frame holds 125, two of them for the code.
const maxReasonBytes = 123
const sent = 1

/**
 * The sending side of a socket. Events are sent at once, replies at the end of the event-loop iteration under one cork, but never after
 * later events.
 */
export class SocketSender implements EventSocket, Flushable {
  private readonly isBinary: boolean
  private socket: WebSocket<unknown> | undefined
  private replies: Reply[] | undefined
  private isFull = false
  /** Bytes of the largest reply since the socket was last drained: one answer may exceed the buffer limit without closing the socket. */
  private largestUnsent = 0

  constructor(
    private readonly connections: Connections,
    readonly codec: Codec,
  ) {
    this.isBinary = codec === 'msgpack'
  }

  opened(socket: WebSocket<unknown>): void {
    this.socket = socket
  }

  closed(): void {
    this.socket = undefined
    this.replies = undefined
  }

  get isOpen(): boolean {
    return this.socket !== undefined
  }

  // For the event engine. Sending allocates nothing.

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
    if (this.socket) this.connections.counts.closed(code)
    this.socket?.end(code, reason.slice(0, maxReasonBytes))
  }

  // For replies to frames; `flush` is called by Outgoing.

  reply(frame: Frame, isBinary = this.isBinary): void {
    if (!this.socket) return
    if (this.replies) this.replies.push({ frame, isBinary })
    else {
      this.replies = [{ frame, isBinary }]
      this.connections.outgoing.push(this)
    }
  }

  flush(): void {
    const { replies } = this
    if (!replies) return
    this.replies = undefined
    let isTaken = true
    this.socket?.cork(() => {
      isTaken = replies.every(reply => this.sendReply(reply))
    })
    if (!isTaken) this.close(closeCodes.tooSlow, 'reads too slowly')
  }

  // I5: the memory of a slow socket is limited to its buffer limit.
  /** Unsent bytes exceed the buffer limit: no further request of this client starts. */
  isBehind(): boolean {
    return this.isFull && this.buffered() > this.connections.ctx.config.socketBufferBytes
  }

  /** True once all bytes have been sent. */
  drained(): boolean {
    if (this.buffered() > 0) return false
    this.isFull = false
    this.largestUnsent = 0
    return true
  }

  /** False: the client has left more bytes unread than it may. */
  private sendReply({ frame, isBinary }: Reply): boolean {
    if (!this.socket) return true
    if (this.isFull && this.buffered() > this.connections.ctx.config.socketBufferBytes + this.largestUnsent)
      return false
    if (this.socket.send(frame, isBinary, false) === sent) return true
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
