import type { Log } from '../log.js'

export interface Flushable {
  /** Writes the pending data; called while no other socket is corked. */
  flush(): void
}

/**
 * Defers writes to the end of the event-loop iteration. A promise that settles inside the handler of one request may complete another,
 * whose write would not be corked: each header would be a send of its own, 116 µs instead of 10.
 */
export class Outgoing {
  private pending: Flushable[] = []
  private readonly run = () => this.flush()

  constructor(private readonly log: Log) {}

  push(item: Flushable): void {
    if (this.pending.push(item) === 1) setImmediate(this.run)
  }

  private flush(): void {
    const items = this.pending
    this.pending = []
    for (const item of items) {
      try {
        item.flush()
      } catch (err) {
        this.log.error({ err }, 'an answer could not be written')
      }
    }
  }
}
