import type { Sending } from '../actions/messages/prepare.js'
import { sendMessage } from '../actions/messages/send.js'
import type { WorkerCtx, Write } from '../ctx.js'
import { type Claim, endInside } from '../store/jobs/jobs.js'

type Work = Parameters<Write>[0]

/** One attempt at a job. */
export class JobRun {
  private readonly abortion = new AbortController()
  private hasEnded = false

  constructor(
    private readonly ctx: WorkerCtx,
    readonly claim: Claim,
  ) {}

  /** Aborts when the attempt has taken too long, or the worker drains: the work ends soon, or is taken over by another worker. */
  get signal(): AbortSignal {
    return this.abortion.signal
  }

  /** `reason`: the worker drains, or the attempt has taken too long. */
  abort(reason: 'draining' | 'late'): void {
    this.abortion.abort(reason)
  }

  /** The same for each attempt: what goes out of the server carries it, so that a receiver recognizes a repetition. */
  get stableId(): string {
    return `${this.ctx.directory.organization.uuid}-job-${this.claim.id}`
  }

  /** Whether a transaction of the run has ended the job. */
  get isEnded(): boolean {
    return this.hasEnded
  }

  /** Exactly once: the work and the end of the job are one transaction. @throws {ClaimLost} with the work undone */
  async write(work: (...args: Parameters<Work>) => Promise<void>): Promise<void> {
    await this.ctx.write(async (...args) => {
      await work(...args)
      if (!(await endInside(args[0], this.claim))) throw new ClaimLost()
    })
    this.hasEnded = true
  }

  /** Exactly once: the message and the end of the job are one transaction. @throws {ApiError} the message is refused */
  async send(sending: Sending): Promise<void> {
    await sendMessage(this.ctx, { ...sending, ends: this.claim })
    this.hasEnded = true
  }
}

/** Another worker runs the job, because the claim of this one has run out. */
export class ClaimLost extends Error {
  constructor() {
    super('another worker has this job')
  }
}
