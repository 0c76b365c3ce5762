import { emptyFrame } from '../encoding/index.js'
import type { EngineDeps } from '../engine-deps.js'
import type { EventIdCheck, Opening } from '../ownership/index.js'
import { notNow, PollConsumer, type Queue, type Queues, SocketConsumer, wasNotIn } from '../queues/index.js'
import type { Attachment, EventSocket, PollAnswer, RequestSignal, WaitingReceiver } from '../realtime.js'
import type { CatchUp } from './catch-up.js'
import type { Heartbeats } from './heartbeats.js'

interface ConsumersParts {
  readonly queues: Queues
  readonly opening: Opening
  readonly ids: EventIdCheck
  readonly heartbeats: Heartbeats
  readonly catchUp: CatchUp
}

/** Makes a long poll or a socket the consumer of a queue, in place of the previous consumer. */
export class Consumers {
  constructor(
    private readonly deps: Pick<EngineDeps, 'clock'>,
    private readonly parts: ConsumersParts,
  ) {}

  /** See `Realtime.poll`. */
  poll(
    queueId: string,
    userId: number,
    lastEventId: number,
    { dontBlock, signal }: { dontBlock: boolean; signal: RequestSignal },
  ): Promise<PollAnswer> {
    return new Promise((resolve, reject) => {
      const consumer = new PollConsumer(queueId, dontBlock, { answered: resolve, failed: reject })
      const queue = this.parts.opening.open(queueId, userId, lastEventId)
      if (queue instanceof Promise) queue.then(opened => this.wait(opened, consumer, signal)).catch(reject)
      else this.wait(queue, consumer, signal)
    })
  }

  /** See `Realtime.pollHere`. */
  pollHere(queueId: string, userId: number, lastEventId: number, receiver: WaitingReceiver): boolean {
    const { signal } = receiver
    const queue = signal.aborted ? undefined : this.parts.opening.openHere(queueId, userId, lastEventId)
    if (!queue) return false
    this.wait(queue, new PollConsumer(queue.id, false, receiver), signal)
    return true
  }

  private wait(queue: Queue, consumer: PollConsumer, signal: RequestSignal): void {
    if (signal.aborted) {
      consumer.answer(emptyFrame())
      return
    }
    // Not earlier: two polls can wait for the same claim, and the later one replaces the earlier one.
    this.replaceConsumer(queue, consumer)
    if (consumer.dontBlock || !queue.isEmpty) this.parts.catchUp.wake(queue)
    else {
      signal.addEventListener('abort', () => {
        if (queue.consumer === consumer) this.parts.queues.endConsumer(queue, 'replaced')
      })
    }
  }

  /** See `Realtime.attach`. */
  async attach(queueId: string, userId: number, lastEventId: number, socket: EventSocket): Promise<Attachment> {
    const queue = await this.parts.opening.open(queueId, userId, lastEventId)
    const consumer = new SocketConsumer(socket, queue.acked)
    this.replaceConsumer(queue, consumer)
    this.parts.catchUp.wake(queue)
    return new SocketAttachment(this, queue, consumer)
  }

  private replaceConsumer(queue: Queue, consumer: PollConsumer | SocketConsumer): void {
    // A queue can end between its opening and now; its consumer would then wait forever.
    if (queue.state !== 'live') throw notNow()
    this.parts.queues.endConsumer(queue, 'replaced')
    const now = this.deps.clock.now()
    queue.consumeBy(consumer, now)
    this.parts.heartbeats.schedule(queue, now)
  }

  /** An attached socket acknowledges events. @throws {ApiError} BAD_REQUEST if the queue never issued the id. */
  acknowledge(queue: Queue, id: number): void {
    if (queue.check(id) === 'ask' && !this.parts.ids.isInEntry(queue, id)) throw wasNotIn(id)
    this.parts.queues.acknowledge(queue, id)
  }

  /** An attached socket has room again. */
  resume(queue: Queue): void {
    this.parts.catchUp.wake(queue)
  }

  detach(queue: Queue): void {
    queue.release(this.deps.clock.now())
  }
}

/** One object for each attached socket. A class with fields, because closures for thousands of sockets take five times the memory. */
class SocketAttachment implements Attachment {
  constructor(
    private readonly consumers: Consumers,
    private readonly queue: Queue,
    private readonly consumer: SocketConsumer,
  ) {}

  get queueId(): string {
    return this.queue.id
  }

  private get isAttached(): boolean {
    return this.queue.consumer === this.consumer
  }

  acknowledge(id: number): void {
    if (this.isAttached && id > this.queue.acked) this.consumers.acknowledge(this.queue, id)
  }

  drained(): void {
    this.consumer.drained()
    if (this.isAttached) this.consumers.resume(this.queue)
  }

  detach(): void {
    if (this.isAttached) this.consumers.detach(this.queue)
  }
}
