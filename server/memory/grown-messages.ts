import { LRUCache } from 'lru-cache'

// Authors append to far fewer messages within a second.
const mostMessages = 10_000

/**
 * Ids of messages that have grown through this worker, and are to be shown whole to readers who get no pieces.
 *
 * Source: the pieces that this worker has accepted.
 * Version: none: the Function `show` says whether a text has grown since it was last shown.
 * Bound: 10,000 messages. A message that is dropped is shown after its next piece, or when it ends.
 * Dropped: by the job that shows them, and the least recently used.
 */
export class GrownMessages {
  private readonly ids = new LRUCache<number, true>({ maxSize: mostMessages, sizeCalculation: () => 1 })

  note(messageId: number): void {
    this.ids.set(messageId, true)
  }

  /** Returns all, and forgets them. */
  take(): number[] {
    const ids = [...this.ids.keys()]
    this.ids.clear()
    return ids
  }
}
