import { coarseBounds, Distribution } from '../metrics/distribution.js'

/** How an attempt at a job ended. `returned`: the worker stopped. */
type Outcome = 'done' | 'failed' | 'dead' | 'returned'

/** What a worker counts of one kind of job. */
export class JobCounts {
  readonly outcomes: Record<Outcome, number> = { done: 0, failed: 0, dead: 0, returned: 0 }
  readonly duration = new Distribution(coarseBounds)
}
