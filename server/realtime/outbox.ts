import type { OutboxedEmission } from './realtime.js'

/** Events of committed writes, as the database keeps them until they are safe in the feed. The store implements it. */
export interface Outbox {
  /**
   * Ids of rows above `above` that are at least that old, lowest first, at most `limit`. Ids alone: most rows are published
   * and wait for deletion.
   */
  pending(olderThanMs: number, limit: number, above: number): Promise<number[]>
  /** Those of the rows that are still there, lowest id first. */
  read(ids: readonly number[]): Promise<OutboxedEmission[]>
  /** Deletes rows: their events are safe in the feed. */
  published(ids: readonly number[]): Promise<void>
}
