import { badRequest } from '../../shared/errors.js'
import { type Admission, notNow } from './admission.js'
import type { Heartbeats } from './heartbeats.js'
import type { Parts } from './parts.js'
import type { Pump } from './pump.js'
import type { Queue } from './queue.js'
import type { Queues } from './queues.js'
import { PollReader, SocketReader } from './readers.js'
import type { Attachment, Consumer, PollAnswer } from './realtime.js'

/** Where readers come in: a poll or a socket becomes the one reader of a queue. */
export class Entrance {
  /** No new readers. */
  isClosed = false
  readonly #parts: Parts
  readonly #queues: Queues
  readonly #admission: Admission
  readonly #heartbeats: Heartbeats
  readonly #pump: Pump

  constructor(parts: Parts, queues: Queues, admission: Admission, heartbeats: Heartbeats, pump: Pump) {
    this.#parts = parts
    this.#queues = queues
    this.#admission = admission
    this.#heartbeats = heartbeats
    this.#pump = pump
  }

  async poll(
    queueId: string,
    userId: number,
    lastEventId: number,
    { dontBlock, signal }: { dontBlock: boolean; signal: AbortSignal },
  ): Promise<PollAnswer> {
    const queue = await this.#open(queueId, userId, lastEventId)
    if (signal.aborted) return { queueId, events: [] }
    return new Promise((resolve, reject) => {
      const reader = new PollReader(queueId, dontBlock, resolve, reject)
      queue.reader = reader
      queue.idleSince = this.#parts.clock.now()
      this.#heartbeats.schedule(queue)
      if (dontBlock || !queue.isEmpty) {
        void this.#pump.answer(queue, reader)
        return
      }
      signal.addEventListener('abort', () => {
        if (queue.reader === reader) this.#queues.endReader(queue, 'replaced')
      })
    })
  }

  async attach(queueId: string, userId: number, lastEventId: number, consumer: Consumer): Promise<Attachment> {
    const queue = await this.#open(queueId, userId, lastEventId)
    const reader = new SocketReader(consumer, queue.acked)
    queue.reader = reader
    this.#heartbeats.schedule(queue)
    this.#pump.wake(queue)
    const isAttached = () => queue.reader === reader
    return {
      queueId,
      acknowledge: id => {
        if (!isAttached() || id <= queue.acked) return
        if (queue.check(id) === 'ask') throw badRequest(`Event ${id} was not in this queue`)
        this.#acknowledge(queue, id)
      },
      drained: () => {
        reader.isFull = false
        if (isAttached()) this.#pump.wake(queue)
      },
      detach: () => {
        if (!isAttached()) return
        queue.reader = null
        // A frame of this turn may be on its way to it.
        reader.isLive = false
        reader.frame = 0
        queue.idleSince = this.#parts.clock.now()
      },
    }
  }

  refuseWhenClosed(): void {
    if (this.isClosed) throw notNow()
  }

  /** The queue, ours by now, with everything up to `lastEventId` acknowledged and no reader. */
  async #open(queueId: string, userId: number, lastEventId: number): Promise<Queue> {
    this.refuseWhenClosed()
    const queue = await this.#admission.admit(queueId, userId, lastEventId)
    this.refuseWhenClosed()
    this.#queues.endReader(queue, 'replaced')
    this.#acknowledge(queue, lastEventId)
    return queue
  }

  #acknowledge(queue: Queue, id: number): void {
    queue.acknowledge(id)
    if (queue.hasLog && queue.isEmpty) this.#queues.markDirty(queue)
  }
}
