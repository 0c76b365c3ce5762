import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { jobsDue } from '../../shared/events/jobs-due.js'
import type { Jobs, WorkerCtx } from '../ctx.js'
import { logFailure } from '../failures/log-failure.js'
import type { AddedJob, JobType } from '../job-types/job-type.js'
import * as store from '../store/jobs/jobs.js'
import { attempt } from './attempt.js'
import { nextTime } from './cron.js'
import { JobCounts } from './job-counts.js'
import type { JobKind } from './job-kind.js'
import { JobRun } from './job-run.js'
import { StandingJob } from './standing.js'

// A worker looks for jobs that other programs left at this interval, and renews its claims; jobs that it knows of it runs at their time.
const lookEveryMs = (store.leaseSeconds * 1000) / 3
// After a failure of the database.
const retryMs = 1_000
// Keys that a dead worker left are looked for with each of so many looks.
const looksPerRescue = 6
// Other workers are notified of jobs for which this one has no place at this interval at most.
const notifyEveryMs = 50
// A request waits for so long for the end of a job that it added: another worker may run it, or it may wait for another attempt.
const longestAwaitMs = 1_000
// A place stays empty for as long as its job took, and so long at most: due jobs leave other work half of the time, and slow ones lose none.
const longestRestMs = 25

interface Lane {
  readonly kind: JobKind
  readonly counts: JobCounts
  readonly running: Map<JobRun, Promise<void>>
  /** Further jobs that the worker can begin. */
  places: number
  /** Jobs may be due that the worker has not claimed. */
  isWanted: boolean
}

/**
 * Runs the jobs of one worker. It claims due jobs when a transaction of this worker has added some, when another worker has more than it can
 * run, when a job is due that it knows of, and every 5 s.
 *
 * A job: `behind` → (first of its key) → `due` → claimed → done (no row) | failed → `due` after a pause | `dead`.
 */
export class JobRunner implements Jobs {
  readonly lanes: ReadonlyMap<string, Lane>
  private readonly standing = new Map<string, StandingJob>()
  private ctx: WorkerCtx | undefined
  private isDraining = false
  /** Jobs that are over: rows to delete, and keys of which the next job follows. */
  private over: { readonly claim: store.Claim | undefined; readonly key: string | null }[] = []
  /** Keys of which the first job may have to become due. */
  private keys: string[] = []
  private readonly awaited = new Map<number, () => void>()
  private isWorking = false
  private working = Promise.resolve()
  private timer: NodeJS.Timeout | undefined
  private timerAt = Number.POSITIVE_INFINITY
  private looks = 0
  private notifiedAt = Number.NEGATIVE_INFINITY

  constructor(kinds: readonly JobKind[]) {
    this.lanes = new Map(
      kinds.map(kind => [
        kind.type.name,
        {
          kind,
          counts: new JobCounts(),
          running: new Map(),
          places: kind.isStanding ? 0 : kind.atOnce,
          isWanted: false,
        },
      ]),
    )
    for (const [name, lane] of this.lanes) if (lane.kind.isStanding) this.standing.set(name, new StandingJob(lane))
  }

  /** Adds the periodic jobs and begins to run jobs. */
  async start(ctx: WorkerCtx): Promise<void> {
    this.ctx = ctx
    const now = new Date(ctx.clock.now())
    const periodic = [...this.lanes].flatMap(
      ([
        name,
        {
          kind: { schedule },
        },
      ]) => (schedule ? [{ kind: name, at: nextTime(schedule, now) }] : []),
    )
    await store.addPeriodicJobs(ctx.sql, periodic)
    void this.lookAround(ctx)
    for (const job of this.standing.values()) job.start(ctx)
  }

  wake({ name }: JobType, inMs = 0): void {
    this.standing.get(name)?.wake(inMs)
  }

  added(jobs: readonly AddedJob[], awaited?: Promise<void>[]): void {
    const now = this.ctx?.clock.now() ?? 0
    for (const { id, kind, key, at, isAwaited } of jobs) {
      const lane = this.lanes.get(kind)
      if (isAwaited && id !== undefined && !this.isDraining) awaited?.push(this.endOf(id))
      if (key !== undefined) this.keys.push(key)
      if (at && at.getTime() > now) this.lookIn(at.getTime() - now)
      else if (lane && key === undefined) lane.isWanted = true
      if (lane?.places === 0) this.notify()
    }
    void this.work()
  }

  /** Looks for due jobs of all kinds. */
  look(): void {
    for (const lane of this.lanes.values()) lane.isWanted = true
    void this.work()
  }

  /** Waits until running jobs have ended, which `run.signal` asks for, and gives back those that have not. */
  async stop(): Promise<void> {
    this.isDraining = true
    clearTimeout(this.timer)
    await Promise.all([...this.standing.values()].map(job => job.stop()))
    await this.working
    const running = [...this.lanes.values()].flatMap(lane => [...lane.running])
    for (const [run] of running) run.abort('draining')
    await Promise.all(running.map(([, ended]) => ended))
    await this.work()
  }

  private endOf(id: number): Promise<void> {
    return new Promise(resolve => {
      const end = () => {
        clearTimeout(timer)
        this.awaited.delete(id)
        resolve()
      }
      const timer = setTimeout(end, longestAwaitMs)
      this.awaited.set(id, end)
    })
  }

  /** Sets the timer, unless it is set to an earlier time. */
  private lookIn(ms: number): void {
    const at = performance.now() + ms
    if (this.isDraining || !this.ctx || at >= this.timerAt) return
    const { ctx } = this
    clearTimeout(this.timer)
    this.timerAt = at
    this.timer = setTimeout(() => void this.lookAround(ctx), Math.max(1, ms))
  }

  /** What no event causes: looks for jobs and for keys that wait, renews the claims, and sets the timer to the next job that will be due. */
  private async lookAround(ctx: WorkerCtx): Promise<void> {
    const { sql } = ctx
    this.timerAt = Number.POSITIVE_INFINITY
    this.lookIn(lookEveryMs)
    this.look()
    try {
      const claims = [...this.lanes.values()].flatMap(lane => [...lane.running.keys()].map(run => run.claim))
      if (claims.length > 0) await store.renewClaims(sql, claims)
      if (++this.looks % looksPerRescue === 0) this.keys.push(...(await store.stuckKeys(sql)))
      const ms = await store.untilNextDue(sql, [...this.lanes.keys()])
      if (ms > 0) this.lookIn(ms)
    } catch (error) {
      logFailure(ctx, error, 'a look for jobs failed')
    }
    void this.work()
  }

  /** One statement at a time: what is added or ends meanwhile shares the next ones. */
  private work(): Promise<void> {
    if (this.ctx && !this.isWorking) this.working = this.workOff(this.ctx)
    return this.working
  }

  private async workOff(ctx: WorkerCtx): Promise<void> {
    this.isWorking = true
    try {
      while (this.hasWork()) {
        // All jobs that end in this turn of the event loop share the statements.
        await nextTurn()
        await this.moveUp(ctx)
        await this.claim(ctx)
      }
    } catch (error) {
      logFailure(ctx, error, 'jobs were not claimed')
      this.lookIn(retryMs)
    } finally {
      this.isWorking = false
    }
  }

  private hasWork(): boolean {
    return this.over.length > 0 || this.keys.length > 0 || this.places(true).size > 0
  }

  private async moveUp(ctx: WorkerCtx): Promise<void> {
    const keys = this.keys.splice(0)
    if (keys.length === 0) return
    try {
      // A job may be the first of its kind that waits, but not pass others.
      for (const job of await store.moveUp(ctx.sql, keys, this.places(false))) {
        const lane = this.lanes.get(job.kind)
        if (job.is_claimed) this.begin(ctx, job)
        else if (lane) lane.isWanted = true
      }
    } catch (error) {
      this.keys.push(...keys)
      throw error
    }
  }

  private async claim(ctx: WorkerCtx): Promise<void> {
    const [over, places] = [this.over.splice(0), this.places(true)]
    const done = over.flatMap(({ claim }) => claim ?? [])
    for (const kind of places.keys()) this.laneOf(kind).isWanted = false
    try {
      const claimed = done.length + places.size > 0 ? await store.claimJobs(ctx.sql, done, places) : []
      for (const job of claimed) this.begin(ctx, job)
      for (const [kind, count] of places) {
        if (claimed.filter(job => job.kind === kind).length < count) continue
        this.laneOf(kind).isWanted = true
        if (count > 1) this.notify()
      }
    } catch (error) {
      this.over.push(...over)
      throw error
    }
    this.keys.push(...over.flatMap(({ key }) => key ?? []))
  }

  private laneOf(kind: string): Lane {
    return this.lanes.get(kind) as Lane
  }

  /** The kinds of which jobs may be due (`areWanted`), or of which none are, with the number that the worker can begin. */
  private places(areWanted: boolean): Map<string, number> {
    const some = [...this.lanes].filter(([, { isWanted, places }]) => isWanted === areWanted && places > 0)
    return new Map(this.isDraining ? [] : some.map(([name, lane]) => [name, lane.places]))
  }

  private begin(ctx: WorkerCtx, job: store.ClaimedJob): void {
    const lane = this.laneOf(job.kind)
    const run = new JobRun(ctx, { id: job.id, attempts: job.attempts })
    lane.places--
    lane.running.set(run, this.run(ctx, lane, job, run))
  }

  private async run(ctx: WorkerCtx, lane: Lane, job: store.ClaimedJob, run: JobRun): Promise<void> {
    const begin = performance.now()
    const { over, inMs } = await attempt(ctx, lane, job, run)
    lane.running.delete(run)
    const claim = over === 'done' && !run.isEnded ? run.claim : undefined
    if (over && (claim || job.key !== null)) this.over.push({ claim, key: job.key })
    if (inMs !== undefined) this.lookIn(inMs)
    this.awaited.get(job.id)?.()
    void this.work()
    void sleep(Math.min(longestRestMs, performance.now() - begin)).then(() => {
      lane.places++
      void this.work()
    })
  }

  /** Has other workers look for jobs, too. */
  private notify(): void {
    const now = performance.now()
    if (now - this.notifiedAt < notifyEveryMs) return
    this.notifiedAt = now
    this.ctx?.realtime.announce([{ def: jobsDue, payload: {}, audience: [] }])
  }
}
