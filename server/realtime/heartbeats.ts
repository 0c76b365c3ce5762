import type { Backlog } from './backlog.js'
import { emptyFrame } from './frames.js'
import { gapEnd } from './ids.js'
import type { Parts } from './parts.js'
import type { Pump } from './pump.js'
import type { Queue } from './queue.js'
import type { Recent } from './recent.js'

/** Heartbeat events. Each belongs to one queue; its id is from the gap behind the newest feed entry. */
export class Heartbeats {
  readonly #parts: Parts
  readonly #recent: Recent
  readonly #backlog: Backlog
  readonly #pump: Pump
  readonly #makeRoom: () => void

  constructor(parts: Parts, recent: Recent, backlog: Backlog, pump: Pump, makeRoom: () => void) {
    this.#parts = parts
    this.#recent = recent
    this.#backlog = backlog
    this.#pump = pump
    this.#makeRoom = makeRoom
  }

  /** Schedules the queue's next heartbeat, with a random offset so that the heartbeats of all queues do not coincide. */
  schedule(queue: Queue): void {
    queue.heartbeatAt = this.#parts.clock.now() + this.#parts.config.heartbeatSeconds * (900 + Math.random() * 100)
  }

  send(queue: Queue): void {
    const { reader } = queue
    if (reader === null) return
    const highest = Math.max(queue.issued, queue.last, this.#recent.newest)
    if (highest + 1 > gapEnd(highest)) {
      // No id is free in the gap. The sweeper's tick event advances the feed, and maintenance then sends the heartbeat.
      this.#makeRoom()
      return
    }
    // A socket that is not live, or is about to receive a frame, needs no heartbeat.
    if (reader.kind === 'poll' || (reader.isLive && reader.frame === 0)) {
      queue.appendHeartbeat(highest + 1)
      this.#parts.counts.heartbeats++
      if (reader.kind === 'poll') this.#pump.wake(queue)
      else this.#pump.send(reader, emptyFrame().with(this.#backlog.heartbeat(highest + 1)))
    }
    this.schedule(queue)
  }
}
