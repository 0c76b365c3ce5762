import type { FrameNode } from '../encoding/frames.js'
import type { Consumer, PollAnswer } from '../realtime.js'

/** The consumer of a queue: at most one at a time. */
export type Reader = PollReader | SocketReader

/** A waiting long poll. It is answered once; later answers are ignored. */
export class PollReader {
  readonly kind = 'poll'
  /** Its answer is being assembled. */
  isReading = false

  constructor(
    readonly queueId: string,
    readonly dontBlock: boolean,
    readonly resolve: (answer: PollAnswer) => void,
    readonly reject: (error: Error) => void,
  ) {}

  answer(frame: FrameNode): void {
    this.resolve(new GivenFrame(this.queueId, frame))
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
 * behind: the socket has not received everything yet, or its buffer is full: entries are only appended to the queue.
 * live:   the socket has received everything; new entries are broadcast to it.
 *
 *   behind ──caught up──▶ live ──send returned false──▶ behind (full) ──drained──▶ behind
 */
export class SocketReader {
  readonly kind = 'socket'
  isLive = false
  /** The last send filled the socket's buffer; `Attachment.drained` ends this. */
  isFull = false
  /** A catch-up of this socket is running. */
  isReading = false
  /** Number of the frame that the broadcast sends at the end of this turn; 0: none. A number costs the garbage collector nothing. */
  frame = 0
  /** While full: since when (ms) the buffer has not shrunk, and how many bytes were unsent then. */
  stalledSince = 0
  unsent = 0

  constructor(
    readonly consumer: Consumer,
    /** The socket has been sent everything up to this id; not updated while the socket is live. */
    public sent: number,
  ) {}
}
