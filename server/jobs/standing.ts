import type { WorkerCtx } from '../ctx.js'
import { logFailure } from '../failures/log-failure.js'
import { failureOf, type Lane } from './attempt.js'
import { JobRun } from './job-run.js'

// A run begins so long after the begin of the last one at the earliest: what happens meanwhile shares it. A message that is stored while a run looks
// waits for the next one, and then its push still comes within 300 ms.
const leastPauseMs = 120
// What other workers left when they died is found at this interval.
const runEveryMs = 5_000
const retryMs = 1_000

/**
 * A job without a row, which each worker runs when it is woken and every few seconds: one run at a time, and one that follows. Its work
 * keeps the runs of several workers apart.
 */
export class StandingJob {
  private ctx: WorkerCtx | undefined
  private begunAt = Number.NEGATIVE_INFINITY
  private timer: NodeJS.Timeout | undefined
  private timerAt = Number.POSITIVE_INFINITY
  private run: { readonly job: JobRun; readonly ended: Promise<void> } | undefined
  private isStopped = false

  constructor(private readonly lane: Lane) {}

  start(ctx: WorkerCtx): void {
    this.ctx = ctx
    this.wake(0)
  }

  wake(inMs: number): void {
    const at = Math.max(performance.now() + inMs, this.begunAt + leastPauseMs)
    if (this.isStopped || !this.ctx || at >= this.timerAt) return
    const { ctx } = this
    clearTimeout(this.timer)
    this.timerAt = at
    this.timer = setTimeout(() => this.begin(ctx), at - performance.now())
  }

  async stop(): Promise<void> {
    this.isStopped = true
    clearTimeout(this.timer)
    this.run?.job.abort('draining')
    await this.run?.ended
  }

  private begin(ctx: WorkerCtx): void {
    this.timerAt = Number.POSITIVE_INFINITY
    // The wish stays until the run has ended.
    if (this.run) return void this.run.ended.then(() => this.wake(0))
    this.begunAt = performance.now()
    const job = new JobRun(ctx, { id: 0, attempts: 1 })
    const ended = this.attempt(ctx, job).then(inMs => {
      this.run = undefined
      this.wake(inMs)
    })
    this.run = { job, ended }
  }

  /** Returns in how many ms the next run begins, unless it is woken. */
  private async attempt(ctx: WorkerCtx, run: JobRun): Promise<number> {
    const { kind, counts } = this.lane
    const failure = await failureOf(ctx, kind, { ...run.claim, kind: kind.type.name, key: null, payload: {} }, run)
    if (!failure) {
      counts.outcomes.done++
      counts.duration.observe((performance.now() - this.begunAt) / 1000)
      return runEveryMs
    }
    counts.outcomes[run.signal.reason === 'draining' ? 'returned' : 'failed']++
    if (run.signal.reason !== 'draining') logFailure(ctx, failure, 'a job failed', { kind: kind.type.name })
    return retryMs
  }
}
