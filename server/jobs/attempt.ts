import { ApiError } from '../../shared/errors.js'
import type { WorkerCtx } from '../ctx.js'
import { logFailure } from '../failures/log-failure.js'
import { type Claim, type ClaimedJob, failJob, returnJob } from '../store/jobs/jobs.js'
import { setNextRun } from '../store/jobs/periodic-jobs.js'
import { nextTime } from './cron.js'
import type { Ends } from './ends.js'
import type { JobCounts, Outcome } from './job-counts.js'
import { type JobKind, NotNow } from './job-kind.js'
import { ClaimLost, JobRun } from './job-run.js'

const firstPauseMs = 1_000
const longestPauseMs = 3_600_000
// Errors are for people who read the list of dead jobs.
const longestError = 2_000

/** Runs one claimed job and notes how that ended. */
export class Attempt {
  readonly claim: Claim
  /** Resolves when the attempt is over, with the pause in ms before the next one, if there is a next one. It does not reject. */
  readonly ended: Promise<number | undefined>

  constructor(
    private readonly ctx: WorkerCtx,
    private readonly lane: { readonly kind: JobKind; readonly counts: JobCounts },
    private readonly job: ClaimedJob,
    private readonly ends: Ends,
    private readonly ending: AbortSignal,
  ) {
    this.claim = { id: job.id, attempts: job.attempts }
    this.ended = this.run()
  }

  private async run(): Promise<number | undefined> {
    const { kind, counts } = this.lane
    const begin = performance.now()
    const late = AbortSignal.timeout(kind.seconds * 1000)
    const run = new JobRun(this.ctx, this.claim, AbortSignal.any([late, this.ending]))
    try {
      // A job at which workers die must not be tried for ever.
      if (this.job.attempts > kind.attempts && !kind.schedule) throw new Error('workers ended while they ran this job')
      await Promise.race([kind.run(this.ctx, kind.type.payload.parse(this.job.payload), run), aborted(late)])
      this.count('done')
      counts.duration.observe((performance.now() - begin) / 1000)
      return await this.done(run)
    } catch (error) {
      return await this.failed(error, run)
    }
  }

  private async done(run: JobRun): Promise<number | undefined> {
    const { schedule } = this.lane.kind
    if (schedule) {
      const now = this.ctx.clock.now()
      const next = nextTime(schedule, new Date(now))
      await setNextRun(this.ctx.sql, this.claim, next)
      return next.getTime() - now
    }
    this.ends.add(run.isEnded ? undefined : this.claim, this.job.key)
    return undefined
  }

  /** Notes the failure; if that fails, too, the claim runs out and another attempt follows. */
  private async failed(error: unknown, run: JobRun): Promise<number | undefined> {
    if (error instanceof ClaimLost) return undefined
    try {
      if (this.ending.aborted && !run.isEnded) {
        this.count('returned')
        await returnJob(this.ctx.sql, this.claim, 0)
        return undefined
      }
      if (error instanceof NotNow) {
        this.count('returned')
        await returnJob(this.ctx.sql, this.claim, error.waitMs)
        return error.waitMs
      }
      return await this.retry(error)
    } catch (failure) {
      logFailure(this.ctx, failure, 'the end of a job was not noted', { job: this.job.id })
      return undefined
    }
  }

  private async retry(error: unknown): Promise<number | undefined> {
    const { kind } = this.lane
    const isLast = !kind.schedule && (this.job.attempts >= kind.attempts || isHopeless(error))
    this.count(isLast ? 'dead' : 'failed')
    const fields = { job: this.job.id, kind: kind.type.name, attempt: this.job.attempts }
    logFailure(this.ctx, error, isLast ? 'a job failed for the last time' : 'a job failed', fields)
    const waitMs = isLast ? null : pause(this.job.attempts)
    const text = (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, longestError)
    await failJob(this.ctx.sql, this.claim, text.replaceAll('\0', ''), waitMs)
    if (isLast) this.ends.add(undefined, this.job.key)
    return waitMs ?? undefined
  }

  private count(outcome: Outcome): void {
    this.lane.counts.outcomes[outcome]++
  }
}

/** Doubles with each attempt. A random part of a quarter keeps jobs that failed together from returning together. */
const pause = (attempts: number): number =>
  Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(attempts - 1, 20)) * (1 - Math.random() / 4)

/** Another attempt would be refused, too: its payload is of another version, or what it asks for is not allowed. */
const isHopeless = (error: unknown): boolean =>
  (error instanceof Error && error.name === 'ZodError') || (error instanceof ApiError && error.status < 500)

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(new Error('it took too long')), { once: true }),
  )
