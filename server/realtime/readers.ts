import type { FrameNode } from './frames.js'
import type { Consumer, PollAnswer } from './realtime.js'

/** Who reads a queue: at most one at a time. */
export type Reader = PollReader | SocketReader

/** A waiting request. It is answered once; what comes after that is ignored. */
export class PollReader {
  readonly kind = 'poll'
  /** Its answer is being put together. */
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

/** Made out when it is asked for. */
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
 * behind: it has not been given everything yet, or cannot take more: entries only go to the queue.
 * live:   it has everything; new entries are sent as they come.
 *
 *   behind ──caught up──▶ live ──send returned false──▶ behind (full) ──drained──▶ behind
 */
export class SocketReader {
  readonly kind = 'socket'
  isLive = false
  /** The last send was not taken whole. */
  isFull = false
  /** It is catching up right now. */
  isReading = false
  /** Which of delivery's frames goes out at the end of this turn; 0: none. A number costs the collector nothing. */
  frame = 0
  /** While full: since when it made no progress, and how much was unsent then. */
  stalledSince = 0
  unsent = 0

  constructor(
    readonly consumer: Consumer,
    /** Everything up to this id has been given to the socket; while it is live, all that there is has been. */
    public sent: number,
  ) {}
}
