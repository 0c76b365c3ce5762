import { logFailure } from '../../failures/log-failure.js'
import type { EngineDeps } from '../engine-deps.js'
import { type Eviction, ofUser, type Queue, type Queues, receives, type SocketConsumer } from '../queues/index.js'
import type { Heartbeats } from './heartbeats.js'

// A registration that takes longer counts as failed, and its queue is evicted.
const longestRegister = 120_000

/**
 * Queue maintenance: sends heartbeats, detaches stalled sockets, evicts idle and incomplete queues. A pass over 10,000 queues
 * takes about 1 ms, so single queues need no timers.
 */
export class QueueMaintenance {
  /** Acts on the collection of a user's last queue here that receives messages, before it ends; set by the owner of the engine. */
  lastCollected: ((userId: number, idleSince: number) => Promise<void>) | undefined
  private readonly collecting = new Set<Queue>()

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
          this.collect(queue)
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

  /** The queue ends when its collection has been acted on: until then another worker would collect it if this one died. */
  private collect(queue: Queue): void {
    const isLast = ofUser(this.queues.firstOf(queue.userId)).every(other => other === queue || !receives(other))
    if (!this.lastCollected || !isLast || !receives(queue)) {
      this.eviction.end(queue, 'gone')
      return
    }
    if (this.collecting.has(queue)) return
    const { idleSince } = queue
    this.collecting.add(queue)
    this.lastCollected(queue.userId, idleSince)
      .then(() => {
        // Its client may have returned meanwhile.
        if (queue.state === 'live' && queue.consumer === null && queue.idleSince === idleSince)
          this.eviction.end(queue, 'gone')
      })
      .catch(error => logFailure(this.deps, error, 'an idle queue could not be collected', { queue: queue.id }))
      .finally(() => this.collecting.delete(queue))
  }

  private checkStalled(queue: Queue, consumer: SocketConsumer, now: number): void {
    // I5: a stalled socket is closed; its queue stays.
    const { socketBufferBytes, socketStallSeconds } = this.deps.config
    const unsent = consumer.socket.buffered()
    const isStalled = consumer.stalledMs(unsent, now) > socketStallSeconds * 1000
    if (isStalled || unsent > socketBufferBytes) this.queues.endConsumer(queue, 'tooSlow')
  }
}
