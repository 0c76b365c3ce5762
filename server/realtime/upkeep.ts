import type { Heartbeats } from './heartbeats.js'
import type { Parts } from './parts.js'
import type { Queue } from './queue.js'
import type { Queues } from './queues.js'
import type { SocketReader } from './readers.js'

// A register whose reading failed leaves its queue behind.
const longestRegister = 120_000

/**
 * Looks at every queue once a turn: whose heartbeat is due, who reads too slowly, which nobody reads any more. 10,000 queues
 * take about a millisecond, so there are no timers for single queues.
 */
export class Upkeep {
  readonly #parts: Parts
  readonly #queues: Queues
  readonly #heartbeats: Heartbeats
  readonly #collect: (queue: Queue) => void
  readonly #lose: (queue: Queue, error: Error) => void

  constructor(
    parts: Parts,
    queues: Queues,
    heartbeats: Heartbeats,
    collect: (queue: Queue) => void,
    lose: (queue: Queue, error: Error) => void,
  ) {
    this.#parts = parts
    this.#queues = queues
    this.#heartbeats = heartbeats
    this.#collect = collect
    this.#lose = lose
  }

  /** `oldest`: first id of the feed; a queue that refers to something older cannot be delivered whole. */
  pass(oldest: number): void {
    const now = this.#parts.clock.now()
    for (const queue of this.#queues.byId.values()) {
      if (queue.state === 'new' && now - queue.idleSince > longestRegister) this.#collect(queue)
      if (queue.state !== 'live') continue
      const { reader } = queue
      if (reader === null) {
        if (now - queue.idleSince > queue.options.idleSeconds * 1000) {
          this.#collect(queue)
          continue
        }
      } else {
        if (now >= queue.heartbeatAt) this.#heartbeats.send(queue)
        if (reader.kind === 'socket' && reader.isFull) this.#checkStalled(queue, reader, now)
      }
      if (now >= queue.renewAt) {
        queue.mustSettle = true
        this.#queues.markDirty(queue)
      }
      const first = queue.firstInFeed
      if (first > 0 && first < oldest) this.#lose(queue, new Error('fell behind the feed'))
    }
  }

  #checkStalled(queue: Queue, reader: SocketReader, now: number): void {
    // I5: a socket that takes nothing is closed; its queue stays.
    const { socketBufferBytes, socketStallSeconds } = this.#parts.config
    const unsent = reader.consumer.buffered()
    if (unsent < reader.unsent) reader.stalledSince = now
    reader.unsent = unsent
    const isStalled = unsent > 0 && now - reader.stalledSince > socketStallSeconds * 1000
    if (isStalled || unsent > socketBufferBytes) this.#queues.endReader(queue, 'tooSlow')
  }
}
