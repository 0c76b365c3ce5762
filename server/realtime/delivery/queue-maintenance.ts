import type { EngineDeps } from '../engine-deps.js'
import type { Eviction, Queue, Queues, SocketConsumer } from '../queues/index.js'
import type { Heartbeats } from './heartbeats.js'

// A registration that takes longer counts as failed, and its queue is evicted.
const longestRegister = 120_000

/**
 * Queue maintenance: sends heartbeats, detaches stalled sockets, evicts idle and incomplete queues. A pass over 10,000 queues
 * takes about 1 ms, so single queues need no timers.
 */
export class QueueMaintenance {
  constructor(
    private readonly deps: EngineDeps,
    private readonly queues: Queues,
    private readonly heartbeats: Heartbeats,
    private readonly eviction: Eviction,
  ) {}

  /** `oldest`: the oldest entry id in the feed; a queue that refers to an older entry is incomplete. */
  pass(oldest: number): void {
    const now = this.deps.clock.now()
    for (const queue of this.queues.byId.values()) {
      if (queue.state === 'new' && now - queue.idleSince > longestRegister) this.eviction.end(queue, 'gone')
      if (queue.state !== 'live') continue
      const { consumer } = queue
      if (consumer === null) {
        if (now - queue.idleSince > queue.options.idleSeconds * 1000) {
          this.eviction.end(queue, 'gone')
          continue
        }
      } else {
        if (now >= queue.heartbeatAt) this.heartbeats.send(queue)
        if (consumer.kind === 'socket' && consumer.isFull) this.checkStalled(queue, consumer, now)
      }
      if (now >= queue.log.renewAt) {
        queue.log.require()
        this.queues.markDirty(queue)
      }
      const first = queue.firstInFeed
      if (first > 0 && first < oldest) this.eviction.evict(queue, 'fell behind the feed')
    }
  }

  private checkStalled(queue: Queue, consumer: SocketConsumer, now: number): void {
    // I5: a stalled socket is closed; its queue stays.
    const { socketBufferBytes, socketStallSeconds } = this.deps.config
    const unsent = consumer.socket.buffered()
    const isStalled = consumer.stalledMs(unsent, now) > socketStallSeconds * 1000
    if (isStalled || unsent > socketBufferBytes) this.queues.endConsumer(queue, 'tooSlow')
  }
}
