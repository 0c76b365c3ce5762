import type { OutboxedEmission } from './realtime.js'

/** The outbox in PostgreSQL: it holds the events of committed transactions until the feed holds them safely. The store implements it. */
export interface Outbox {
  /**
   * Ids of rows with ids above `above` and an age of at least `olderThanMs`, lowest first, at most `limit`. It returns ids only,
   * because most rows are published already and wait for deletion.
   */
  pending(olderThanMs: number, limit: number, above: number): Promise<number[]>
  /** The rows among `ids` that still exist, lowest id first. */
  read(ids: readonly number[]): Promise<OutboxedEmission[]>
  /** Deletes rows whose events the feed holds safely. */
  published(ids: readonly number[]): Promise<void>
}
