import { emptyFrame } from '../encoding/index.js'
import type { EngineDeps } from '../engine-deps.js'
import { type EntryCache, gapEnd, type Publisher } from '../feed/index.js'
import type { Queue } from '../queues/index.js'
import type { Backlog } from './backlog.js'
import type { CatchUp } from './catch-up.js'

interface HeartbeatsParts {
  readonly cache: EntryCache
  readonly backlog: Backlog
  readonly catchUp: CatchUp
  readonly publisher: Pick<Publisher, 'tick'>
}

/** Heartbeat events. Each belongs to one queue; its id is from the gap behind the newest feed entry. */
export class Heartbeats {
  constructor(
    private readonly deps: EngineDeps,
    private readonly parts: HeartbeatsParts,
  ) {}

  /** Schedules the queue's next heartbeat, with a random offset so that the heartbeats of all queues do not coincide. */
  schedule(queue: Queue, now: number): void {
    queue.scheduleHeartbeat(now + this.deps.config.heartbeatSeconds * (900 + Math.random() * 100))
  }

  send(queue: Queue): void {
    const { consumer } = queue
    if (consumer === null) return
    const highest = Math.max(queue.issued, queue.last, this.parts.cache.newest)
    if (highest + 1 > gapEnd(highest)) {
      // No id is free in the gap. A tick advances the feed, and maintenance then sends the heartbeat.
      this.parts.publisher.tick()
      return
    }
    // A socket that is not live, or is about to receive a frame, needs no heartbeat.
    if (consumer.kind === 'poll' || (consumer.isLive && consumer.frame === 0)) {
      queue.appendHeartbeat(highest + 1)
      this.deps.counts.heartbeats++
      if (consumer.kind === 'poll') this.parts.catchUp.wake(queue)
      else consumer.send(emptyFrame().with(this.parts.backlog.heartbeat(highest + 1)), this.deps)
    }
    this.schedule(queue, this.deps.clock.now())
  }
}
