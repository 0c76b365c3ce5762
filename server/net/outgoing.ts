import type { Log } from '../log.js'

export interface Flushable {
  /** Writes what is ready; called with no other socket corked. */
  flush(): void
}

/**
 * Puts writes off to the end of the turn. A promise that settles inside the handler of one request may complete another,
 * and a write there is not corked: each piece of the head would be a send of its own, 116 µs instead of 10.
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
