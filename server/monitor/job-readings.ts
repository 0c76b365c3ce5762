import type { JobCounts } from '../jobs/job-counts.js'
import { distributionReading, type Reading, reading } from '../metrics/reading.js'
import type { Sql } from '../store/driver/db.js'
import { jobFigures } from '../store/jobs/job-figures.js'

/** The table of jobs, and what this worker counts of each kind. */
export interface JobsSource {
  readonly sql: Sql
  readonly lanes: ReadonlyMap<string, { readonly counts: JobCounts; readonly running: { readonly size: number } }>
}

/** What waits of each kind of job, over all workers. */
export async function waitingJobReadings({ sql, lanes }: JobsSource): Promise<Reading[]> {
  const figures = await jobFigures(sql, [...lanes.keys()])
  return figures.flatMap(({ kind, waiting, oldest, dead }) => [
    reading('parley_jobs_waiting', waiting, { kind }),
    reading('parley_jobs_oldest_seconds', oldest, { kind }),
    reading('parley_jobs_dead', dead, { kind }),
  ])
}

/** What this worker runs and has run of each kind. */
export const runningJobReadings = ({ lanes }: JobsSource): Reading[] =>
  [...lanes].flatMap(([kind, { counts, running }]) => [
    reading('parley_jobs_running', running.size, { kind }),
    ...Object.entries(counts.outcomes).flatMap(([outcome, n]) =>
      n > 0 ? [reading('parley_jobs_total', n, { kind, outcome })] : [],
    ),
    ...(counts.outcomes.done > 0
      ? [distributionReading('parley_job_duration_seconds', counts.duration, { kind })]
      : []),
  ])
