import { type Queue, wasNotIn } from './queue.js'
import type { SocketReader } from './readers.js'
import type { Attachment } from './realtime.js'

/** What an attached socket may ask for. */
export interface Attendant {
  acknowledge(queue: Queue, id: number): void
  isPiece(queue: Queue, id: number): boolean
  wake(queue: Queue): void
  now(): number
}

/** One for each attached socket: fields, because closures for thousands of them take five times as much. */
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
    // A frame of this turn may be on its way to it.
    reader.isLive = false
    reader.frame = 0
    queue.idleSince = this.attendant.now()
  }
}
