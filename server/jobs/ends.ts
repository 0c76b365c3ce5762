import type { Ctx } from '../ctx.js'
import { logFailure } from '../failures/log-failure.js'
import { type Claim, endJobs } from '../store/jobs/jobs.js'

/** Deletes done jobs: those that end while a statement runs share the next one. */
export class Ends {
  private claims: Claim[] = []
  private keys: string[] = []
  private running: Promise<void> | undefined

  /** `follow` is called with the kinds of jobs that are due because the one before them of their key has ended. */
  constructor(
    private readonly ctx: Ctx,
    private readonly follow: (kinds: readonly string[]) => void,
  ) {}

  /** A job has ended. Without a claim its row is gone, or dead. */
  add(claim: Claim | undefined, key: string | null): void {
    if (claim) this.claims.push(claim)
    if (key !== null) this.keys.push(key)
    if (claim || key !== null) this.running ??= this.flush()
  }

  /** Resolves when no ended job has a row any more. */
  async flushed(): Promise<void> {
    await this.running
  }

  private async flush(): Promise<void> {
    while (this.claims.length > 0 || this.keys.length > 0) {
      const [claims, keys] = [this.claims.splice(0), this.keys.splice(0)]
      try {
        this.follow(await endJobs(this.ctx.sql, claims, keys))
      } catch (error) {
        // Their claims run out, and then they run once more.
        logFailure(this.ctx, error, 'done jobs were not deleted', { jobs: claims.length })
      }
    }
    this.running = undefined
  }
}
