import { ApiError } from '../../shared/errors.js'
import type { WorkerCtx } from '../ctx.js'
import { logFailure } from '../failures/log-failure.js'
import { type ClaimedJob, type Repetition, repeatJob } from '../store/jobs/jobs.js'
import { nextTime } from './cron.js'
import type { JobCounts } from './job-counts.js'
import type { JobKind } from './job-kind.js'
import { ClaimLost, type JobRun } from './job-run.js'

const firstPauseMs = 1_000
const longestPauseMs = 3_600_000
// Errors are for people who read the list of dead jobs.
const longestError = 2_000

/** A kind of job, and what a worker counts of it. */
export interface Lane {
  readonly kind: JobKind
  readonly counts: JobCounts
}

/** `over`: the job is done or dead, so the next one of its key follows. `inMs`: it is due again after this time. Neither: its claim runs out. */
interface Left {
  readonly over?: 'done' | 'dead'
  readonly inMs?: number
}

/** Runs a claimed job, and notes how it goes on unless it is done. It does not reject. */
export async function attempt(ctx: WorkerCtx, lane: Lane, job: ClaimedJob, run: JobRun): Promise<Left> {
  const begin = performance.now()
  const failure = await failureOf(ctx, lane.kind, job, run)
  if (failure instanceof ClaimLost) return {}
  const next = failure ? afterFailure(ctx, lane, job, { run, failure }) : nextRun(ctx, lane.kind)
  if (!failure) {
    lane.counts.outcomes.done++
    lane.counts.duration.observe((performance.now() - begin) / 1000)
  }
  if (!next) return { over: 'done' }
  try {
    await repeatJob(ctx.sql, job, next)
    return next.isDead ? { over: 'dead' } : next
  } catch (error) {
    logFailure(ctx, error, 'the end of a job was not noted', { job: job.id })
    return {}
  }
}

/** Runs a job within its time. Undefined: it has not failed. */
export async function failureOf(
  ctx: WorkerCtx,
  kind: JobKind,
  job: ClaimedJob,
  run: JobRun,
): Promise<Error | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      run.abort('late')
      reject(new Error('it took too long'))
    }, kind.seconds * 1000)
  })
  try {
    // Workers that die while they run this job use up its attempts, too.
    if (job.attempts > kind.attempts && !kind.schedule) throw new Error('workers ended while they ran this job')
    await Promise.race([kind.run(ctx, kind.type.payload.parse(job.payload), run), late])
    return undefined
  } catch (error) {
    if (!run.isEnded) return error instanceof Error ? error : new Error(String(error))
    logFailure(ctx, error, 'a run failed after the end of its job', { job: job.id })
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

function nextRun({ clock }: WorkerCtx, { schedule }: JobKind): Repetition | undefined {
  if (!schedule) return undefined
  const now = clock.now()
  const at = nextTime(schedule, new Date(now))
  return { at, inMs: at.getTime() - now, attempts: 0 }
}

function afterFailure(
  ctx: WorkerCtx,
  { kind, counts }: Lane,
  job: ClaimedJob,
  { run, failure }: { readonly run: JobRun; readonly failure: Error },
): Repetition {
  if (run.signal.reason === 'draining') {
    counts.outcomes.returned++
    return { inMs: 0, attempts: job.attempts - 1 }
  }
  const isDead =
    !kind.schedule && (job.attempts >= kind.attempts || isHopeless(failure) || kind.isHopeless?.(failure) === true)
  counts.outcomes[isDead ? 'dead' : 'failed']++
  const fields = { job: job.id, kind: kind.type.name, attempt: job.attempts }
  logFailure(ctx, failure, isDead ? 'a job failed for the last time' : 'a job failed', fields)
  const error = `${failure.name}: ${failure.message}`.slice(0, longestError).replaceAll('\0', '')
  return { inMs: isDead ? 0 : pause(job.attempts), attempts: job.attempts, error, isDead }
}

/** Doubles with each attempt. A random part of a quarter keeps jobs that failed together from returning together. */
const pause = (attempts: number): number =>
  Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(attempts - 1, 20)) * (1 - Math.random() / 4)

/** Another attempt would be refused, too: its payload is of another version, or what it asks for is not allowed. */
const isHopeless = (error: Error): boolean =>
  error.name === 'ZodError' || (error instanceof ApiError && error.status < 500)
