import { jobsDue } from '../../shared/events/jobs-due.js'
import type { WorkerCtx } from '../ctx.js'
import { logFailure } from '../failures/log-failure.js'
import type { AddedJob } from '../job-types/job-type.js'
import {
  type ClaimedJob,
  claimJobs,
  leaseSeconds,
  moveUp,
  renewClaims,
  stuckKeys,
  untilNextDue,
} from '../store/jobs/jobs.js'
import { addPeriodicJobs } from '../store/jobs/periodic-jobs.js'
import { Attempt } from './attempt.js'
import { AwaitedJobs } from './awaited-jobs.js'
import { nextTime } from './cron.js'
import { Ends } from './ends.js'
import { JobCounts } from './job-counts.js'
import type { JobKind } from './job-kind.js'

// A worker looks for jobs that other programs left at this interval; those that it knows of it runs at their time.
const lookEveryMs = 5_000
// After a failure of the database.
const retryMs = 1_000
// Lines that a dead worker left are looked for with each of so many looks.
const looksPerRescue = 6
// Other workers are notified of jobs for which this one has no place at this interval at most.
const notifyEveryMs = 50

interface Lane {
  readonly kind: JobKind
  readonly counts: JobCounts
  readonly running: Set<Attempt>
  /** Jobs may be due that the worker has not claimed. */
  isWanted: boolean
}

/**
 * Runs the jobs of one worker. It claims due jobs when a transaction of this worker has added some, when another worker has more than it can
 * run, when a job is due that it knows of, and every 5 s.
 *
 * A job: `behind` → (first of its key) → `due` → claimed → done (no row) | failed → `due` after a pause | `dead`.
 */
export class JobRunner {
  readonly lanes: ReadonlyMap<string, Lane>
  private readonly ending = new AbortController()
  private ctx: WorkerCtx | undefined
  private ends: Ends | undefined
  /** Keys of which the first job may have to become due. */
  private keys: string[] = []
  private claiming: Promise<void> | undefined
  private timer: NodeJS.Timeout | undefined
  private timerAt = Number.POSITIVE_INFINITY
  private renewal: NodeJS.Timeout | undefined
  private looks = 0
  private notifiedAt = Number.NEGATIVE_INFINITY
  private readonly awaited = new AwaitedJobs()

  constructor(kinds: readonly JobKind[]) {
    this.lanes = new Map(
      kinds.map(kind => [
        kind.type.name,
        { kind, counts: new JobCounts(), running: new Set<Attempt>(), isWanted: false },
      ]),
    )
  }

  /** Adds the periodic jobs and begins to run jobs. */
  async start(ctx: WorkerCtx): Promise<void> {
    this.ctx = ctx
    this.ends = new Ends(ctx, kinds => this.follow(kinds))
    const now = new Date(ctx.clock.now())
    const periodic = [...this.lanes].flatMap(([name, { kind }]) =>
      kind.schedule ? [{ kind: name, at: nextTime(kind.schedule, now) }] : [],
    )
    await addPeriodicJobs(ctx.sql, periodic)
    this.renewal = setInterval(() => this.renew(), (leaseSeconds * 1000) / 3)
    this.look()
  }

  /** A transaction of this worker has added these jobs. */
  added(jobs: readonly AddedJob[]): void {
    const now = this.ctx?.clock.now() ?? 0
    for (const { kind, key, at, awaitedId } of jobs) {
      if (awaitedId !== undefined) this.awaited.add(awaitedId)
      const lane = this.lanes.get(kind)
      if (!lane) continue
      if (key !== undefined) this.keys.push(key)
      if (at && at.getTime() > now) this.lookIn(at.getTime() - now)
      else lane.isWanted = true
      if (this.ctx && lane.running.size >= lane.kind.atOnce) this.notify(this.ctx)
    }
    this.claim()
  }

  /** Waits until an attempt at each of these jobs has ended in this worker, for a second at most. */
  async ended(ids: readonly number[]): Promise<void> {
    if (!this.ending.signal.aborted) await this.awaited.ended(ids)
  }

  /** Looks for due jobs of all kinds. */
  look(): void {
    for (const lane of this.lanes.values()) lane.isWanted = true
    this.awaited.forgetOld()
    this.lookIn(lookEveryMs)
    this.claim()
  }

  /** Waits until running jobs have ended, which `run.signal` asks for, and gives back those that have not. */
  async stop(): Promise<void> {
    clearTimeout(this.timer)
    clearInterval(this.renewal)
    this.ending.abort()
    await this.claiming
    await Promise.all(this.attempts().map(attempt => attempt.ended))
    await this.ends?.flushed()
  }

  private attempts(): Attempt[] {
    return [...this.lanes.values()].flatMap(lane => [...lane.running])
  }

  /** The timer of the next look, unless an earlier one is set. */
  private lookIn(ms: number): void {
    const at = performance.now() + ms
    if (this.ending.signal.aborted || (this.timer && this.timerAt <= at)) return
    clearTimeout(this.timer)
    this.timerAt = at
    this.timer = setTimeout(
      () => {
        this.timer = undefined
        this.look()
        void this.findNext()
      },
      Math.max(1, ms),
    )
  }

  /** One claim at a time: jobs that are added meanwhile share the next one. */
  private claim(): void {
    if (!this.ctx || this.ending.signal.aborted || this.claiming) return
    const ctx = this.ctx
    this.claiming = this.claimAll(ctx).then(
      () => {
        this.claiming = undefined
        // Jobs that were added since the last look of the loop.
        if (this.hasWork()) this.claim()
      },
      error => {
        this.claiming = undefined
        logFailure(ctx, error, 'jobs were not claimed')
        this.lookIn(retryMs)
      },
    )
  }

  private hasWork(): boolean {
    return this.keys.length > 0 || this.places().size > 0
  }

  private async claimAll(ctx: WorkerCtx): Promise<void> {
    while (this.hasWork() && !this.ending.signal.aborted) {
      if (this.keys.length > 0) await this.moveUp(ctx, this.keys.splice(0))
      const places = this.places()
      for (const kind of places.keys()) (this.lanes.get(kind) as Lane).isWanted = false
      const claimed = places.size > 0 ? await claimJobs(ctx.sql, places) : []
      for (const job of claimed) this.begin(ctx, job)
      for (const [kind, count] of places) {
        const lane = this.lanes.get(kind) as Lane
        if (claimed.filter(job => job.kind === kind).length < count) continue
        lane.isWanted = true
        if (count > 1) this.notify(ctx)
      }
    }
  }

  private async moveUp({ sql }: WorkerCtx, keys: readonly string[]): Promise<void> {
    try {
      this.want(await moveUp(sql, keys))
    } catch (error) {
      this.keys.push(...keys)
      throw error
    }
  }

  private want(kinds: readonly string[]): void {
    for (const kind of kinds) {
      const lane = this.lanes.get(kind)
      if (lane) lane.isWanted = true
    }
  }

  /** The kinds of which jobs may be due, with the number that the worker can begin. */
  private places(): Map<string, number> {
    const places = new Map<string, number>()
    for (const [name, { isWanted, kind, running }] of this.lanes) {
      const free = kind.atOnce - running.size
      if (isWanted && free > 0) places.set(name, free)
    }
    return places
  }

  private begin(ctx: WorkerCtx, job: ClaimedJob): void {
    const lane = this.lanes.get(job.kind) as Lane
    const attempt = new Attempt(ctx, lane, job, this.ends as Ends, this.ending.signal)
    lane.running.add(attempt)
    void attempt.ended.then(waitMs => {
      lane.running.delete(attempt)
      this.awaited.end(job.id)
      if (waitMs !== undefined) this.lookIn(waitMs)
      if (lane.isWanted) this.claim()
    })
  }

  /** Jobs of these kinds are due, because the one before them has ended. */
  private follow(kinds: readonly string[]): void {
    this.want(kinds)
    this.claim()
  }

  /** Sets the timer for the next job that is due before the next look. */
  private async findNext(): Promise<void> {
    const ctx = this.ctx as WorkerCtx
    try {
      if (++this.looks % looksPerRescue === 0) {
        this.keys.push(...(await stuckKeys(ctx.sql)))
        this.claim()
      }
      const ms = await untilNextDue(ctx.sql, [...this.lanes.keys()])
      if (ms > 0) this.lookIn(Math.min(ms, lookEveryMs))
    } catch (error) {
      logFailure(ctx, error, 'the next job was not found')
    }
  }

  private renew(): void {
    const ctx = this.ctx as WorkerCtx
    const claims = this.attempts().map(attempt => attempt.claim)
    if (claims.length === 0) return
    renewClaims(ctx.sql, claims).catch(error => logFailure(ctx, error, 'claims of jobs were not renewed'))
  }

  /** Has other workers look for jobs, too. */
  private notify({ realtime }: WorkerCtx): void {
    const now = performance.now()
    if (now - this.notifiedAt < notifyEveryMs) return
    this.notifiedAt = now
    realtime.announce([{ def: jobsDue, payload: {}, audience: [] }])
  }
}
