import type { FloorWork, LoadRequest } from './protocol.js'

/** One kind of request to measure. */
export interface RequestCase {
  readonly name: string
  /** Sent in turn, again from the first after the last. */
  readonly requests: readonly LoadRequest[]
  readonly floor: FloorWork
  /** The target: the server's CPU time, without databases, as a multiple of the floor's. */
  readonly atMostTimesFloor?: number
  /** The target: the server's CPU time, in ms. */
  readonly atMostMs?: number
  /** The target: the CPU time of PostgreSQL, in ms. */
  readonly atMostPostgresMs?: number
  /** The target: the 99th percentile of the time until the whole answer has arrived, in ms. */
  readonly atMostP99Ms?: number
  /** The target: how much longer others may wait for a message meanwhile than at rest, in ms. It is measured in a run of its own. */
  readonly othersWaitAtMostMs?: number
}
