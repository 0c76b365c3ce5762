import { type Queue, wasNotIn } from '../queues/queue.js'
import type { SocketReader } from '../queues/readers.js'
import type { Attachment } from '../realtime.js'

/** The functions of the engine that an attached socket uses. */
export interface Attendant {
  acknowledge(queue: Queue, id: number): void
  isPiece(queue: Queue, id: number): boolean
  wake(queue: Queue): void
  now(): number
}

/** One object for each attached socket. A class with fields, because closures for thousands of sockets take five times the memory. */
export class SocketAttachment implements Attachment {
  constructor(
    private readonly attendant: Attendant,
    private readonly queue: Queue,
    private readonly reader: SocketReader,
  ) {}

  get queueId(): string {
    return this.queue.id
  }

  private get isAttached(): boolean {
    return this.queue.reader === this.reader
  }

  acknowledge(id: number): void {
    const { queue } = this
    if (!this.isAttached || id <= queue.acked) return
    if (queue.check(id) === 'ask' && !this.attendant.isPiece(queue, id)) throw wasNotIn(id)
    this.attendant.acknowledge(queue, id)
  }

  drained(): void {
    this.reader.isFull = false
    if (this.isAttached) this.attendant.wake(this.queue)
  }

  detach(): void {
    if (!this.isAttached) return
    const { queue, reader } = this
    queue.reader = null
    // The broadcast of this turn may hold a frame for the socket; this cancels it.
    reader.isLive = false
    reader.frame = 0
    queue.idleSince = this.attendant.now()
  }
}
