import { type CloseCode, closeCodes } from '../../shared/wire/close-codes.js'
import type { EventSocket, FrameForm } from '../realtime/realtime.js'

/**
 * A socket of a session for the event engine, which ends all queues of an account when its API key is replaced: the session did not use the
 * key, so its client only registers another queue.
 */
export class PageSocket implements EventSocket {
  constructor(private readonly socket: EventSocket) {}

  get codec(): FrameForm {
    return this.socket.codec
  }

  send(frame: Uint8Array | string): boolean {
    return this.socket.send(frame)
  }

  buffered(): number {
    return this.socket.buffered()
  }

  close(code: CloseCode, reason: string): void {
    this.socket.close(code === closeCodes.unauthenticated ? closeCodes.queueGone : code, reason)
  }
}
