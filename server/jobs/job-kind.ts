import { z } from 'zod'
import type { WorkerCtx } from '../ctx.js'
import { type JobType, jobType } from '../job-types/job-type.js'
import type { JobRun } from './job-run.js'

/** What workers do with the jobs of one type. */
export interface JobKind<Payload extends object = object> {
  readonly type: JobType<Payload>
  /**
   * `exactly once`: the run makes its changes by `run.write` or `run.send`, in whose transaction the job ends. `at least once`: a run may
   * be repeated after a failure or the death of a worker, so its work is repeatable, or what goes out carries `run.stableId`.
   */
  readonly guarantee: 'exactly once' | 'at least once'
  /** Jobs of this kind that a worker runs at the same time. */
  readonly atOnce: number
  /** Seconds after which `run.signal` aborts, and the attempt has failed. */
  readonly seconds: number
  /** Attempts after which a job is dead. The pauses between them double from a second to an hour. */
  readonly attempts: number
  /** Whether another attempt would fail, too: the job is dead at once. What is refused, and payloads of another version, always are. */
  readonly isHopeless?: (failure: Error) => boolean
  /** When the kind runs by itself, as a cron expression; missed runs are made up once. */
  readonly schedule?: Schedule
  /** The kind has no rows: each worker runs it when it is woken (`Jobs.wake`), and every few seconds. Its work keeps workers apart. */
  readonly isStanding?: true
  run(ctx: WorkerCtx, payload: Payload, run: JobRun): Promise<void>
}

export interface Schedule {
  /** Of five fields, or of six that begin with seconds. */
  readonly cron: string
  /** IANA name; default: UTC. */
  readonly timeZone?: string
}

const usual = { guarantee: 'at least once', atOnce: 1, seconds: 60, attempts: 10 } as const

type Given<Payload extends object> = Partial<JobKind<Payload>> & Pick<JobKind<Payload>, 'run'>

/** Declares what workers do with jobs that changes add. */
export const jobKind = <Payload extends object>(type: JobType<Payload>, given: Given<Payload>): JobKind<Payload> => ({
  ...usual,
  ...given,
  type,
})

const nothing = z.object({})

/** Declares work that runs by a schedule, in one worker of all, and is repeated soon where it fails. */
export const periodicKind = (
  name: string,
  cron: string,
  given: Omit<Given<object>, 'schedule'> & { readonly timeZone?: string },
): JobKind => ({
  ...jobKind(jobType<object>(name, nothing), given),
  schedule: { cron, ...(given.timeZone === undefined ? {} : { timeZone: given.timeZone }) },
})

/** Declares work that each worker runs when it is woken, and every few seconds. */
export const standingKind = (type: JobType, given: Pick<Given<object>, 'run' | 'seconds'>): JobKind => ({
  ...jobKind(type, given),
  isStanding: true,
})
