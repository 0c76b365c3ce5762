import { emptyFrame } from '../encoding/frames.js'
import type { EngineDeps } from '../engine-deps.js'
import type { Admission } from '../ownership/admission.js'
import type { Queue } from '../queues/queue.js'
import { notNow, type Queues } from '../queues/queues.js'
import { PollReader, SocketReader } from '../queues/readers.js'
import type { Attachment, Consumer, PollAnswer, RequestSignal } from '../realtime.js'
import type { CatchUp } from './catch-up.js'
import type { Heartbeats } from './heartbeats.js'
import { type Attendant, SocketAttachment } from './socket-attachment.js'

/** Makes a long poll or a socket the consumer of a queue, in place of the previous consumer. */
export class Entrance {
  readonly #deps: EngineDeps
  readonly #queues: Queues
  readonly #admission: Admission
  readonly #heartbeats: Heartbeats
  readonly #catchUp: CatchUp
  readonly #attendant: Attendant

  constructor(deps: EngineDeps, queues: Queues, admission: Admission, heartbeats: Heartbeats, catchUp: CatchUp) {
    this.#deps = deps
    this.#queues = queues
    this.#admission = admission
    this.#heartbeats = heartbeats
    this.#catchUp = catchUp
    this.#attendant = {
      acknowledge: (queue, id) => queues.acknowledge(queue, id),
      isPiece: (queue, id) => admission.isPiece(queue, id),
      wake: queue => catchUp.wake(queue),
      now: () => deps.clock.now(),
    }
  }

  poll(
    queueId: string,
    userId: number,
    lastEventId: number,
    { dontBlock, signal }: { dontBlock: boolean; signal: RequestSignal },
  ): Promise<PollAnswer> {
    return new Promise((resolve, reject) => {
      const reader = new PollReader(queueId, dontBlock, resolve, reject)
      const open = (queue: Queue) => this.#wait(queue, reader, signal)
      const queue = this.#open(queueId, userId, lastEventId)
      if (queue instanceof Promise) queue.then(open).catch(reject)
      else open(queue)
    })
  }

  #wait(queue: Queue, reader: PollReader, signal: RequestSignal): void {
    if (signal.aborted) {
      reader.answer(emptyFrame())
      return
    }
    requireLive(queue)
    // Not earlier: two polls can wait for the same claim, and the later one replaces the earlier one.
    this.#queues.endReader(queue, 'replaced')
    queue.reader = reader
    queue.idleSince = this.#deps.clock.now()
    this.#heartbeats.schedule(queue)
    if (reader.dontBlock || !queue.isEmpty) this.#catchUp.wake(queue)
    else {
      signal.addEventListener('abort', () => {
        if (queue.reader === reader) this.#queues.endReader(queue, 'replaced')
      })
    }
  }

  async attach(queueId: string, userId: number, lastEventId: number, consumer: Consumer): Promise<Attachment> {
    const queue = await this.#open(queueId, userId, lastEventId)
    requireLive(queue)
    const reader = new SocketReader(consumer, queue.acked)
    this.#queues.endReader(queue, 'replaced')
    queue.reader = reader
    this.#heartbeats.schedule(queue)
    this.#catchUp.wake(queue)
    return new SocketAttachment(this.#attendant, queue, reader)
  }

  /** Admits the caller to the queue and acknowledges everything up to `lastEventId`. */
  #open(queueId: string, userId: number, lastEventId: number): Queue | Promise<Queue> {
    this.#queues.requireOpen()
    const admitted = this.#admission.admit(queueId, userId, lastEventId)
    return admitted instanceof Promise
      ? admitted.then(queue => this.#clear(queue, lastEventId))
      : this.#clear(admitted, lastEventId)
  }

  #clear(queue: Queue, lastEventId: number): Queue {
    this.#queues.requireOpen()
    this.#queues.acknowledge(queue, lastEventId)
    return queue
  }
}

/** A queue can end between its admission and now; its consumer would then wait forever. @throws {ApiError} SERVER_NOT_READY */
function requireLive({ state }: Queue): void {
  if (state !== 'live') throw notNow()
}
