import type { z } from 'zod'

/** The name and the payload of a kind of job: what changes need to add one. `server/jobs/` says what the job does. */
export interface JobType<Payload extends object = object> {
  /** Stored in rows, so it never changes. */
  readonly name: string
  readonly payload: z.ZodType<Payload>
  /** A request that adds such a job is answered when the job has ended, or after a second: its client finds what the job did. */
  readonly isAwaited?: boolean
}

/** Declares a kind of job that changes add. */
export const jobType = <Payload extends object>(
  name: string,
  payload: z.ZodType<Payload>,
  options: { readonly isAwaited?: true } = {},
): JobType<Payload> => ({ name, payload, ...options })

export interface JobOptions {
  /** Jobs with the same key, of any kind, run one after the other, in the order of their commits. A job replaces no earlier one. */
  readonly key?: string
  /** When the job runs; default: at once after the commit. */
  readonly at?: Date
}

/** Adds a job to the running transaction: it exists if the transaction commits, and then a worker runs it. */
export type After = <Payload extends object>(type: JobType<Payload>, payload: Payload, options?: JobOptions) => void

/** A job that was committed. */
export interface AddedJob extends JobOptions {
  readonly kind: string
  readonly id?: number | undefined
  readonly isAwaited?: boolean
}
