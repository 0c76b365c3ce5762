import { ApiError } from '../../shared/errors.js'
import type { WorkerCtx } from '../ctx.js'
import { addNotices } from '../job-types/notice.js'
import type { Emit } from '../realtime/emission.js'
import type { Tx } from '../store/driver/db.js'
import type { UserRow } from '../store/users/users.js'
import { quoted } from '../text/quote.js'
import type { JobRun } from './job-run.js'

// A message that comes later than this may say what is no longer so.
const longestDelaySeconds = 600
const missedTime = 'The server could not send it at that time.'

/** Of jobs that send messages at a time. Attempts go on for longer than a message may be late. */
export const timed = { guarantee: 'exactly once', atOnce: 25, seconds: 30, attempts: 20 } as const

interface TimedRow {
  readonly id: number
  readonly user_id: number
  /** UNIX seconds. */
  readonly due: number
  readonly failed: boolean
}

/** What is sent at a time: a row with a job. */
interface TimedThing<Row extends TimedRow> {
  /** The beginning of the sentence that says to its owner that it was not sent. */
  readonly what: string
  /** Sends it and deletes the row, in the transaction that ends the job. @throws {ApiError} it is refused */
  send(row: Row, owner: UserRow): Promise<void>
  /** Undefined: there is no such row any more. */
  markFailed(tx: Tx, id: number): Promise<Row | undefined>
  /** Emits to the owner that it failed. */
  emitFailure(emit: Emit, failed: Row): void
}

/**
 * Sends what is due. What is refused or too late stays with its owner, who gets a notice; if the account is deactivated, silently, because
 * it has no queues. `row`: undefined if it was deleted.
 */
export async function runTimed<Row extends TimedRow>(
  ctx: WorkerCtx,
  run: JobRun,
  row: Row | undefined,
  thing: TimedThing<Row>,
): Promise<void> {
  if (!row || row.failed) return
  await ctx.directory.fresh()
  const owner = ctx.directory.users.get(row.user_id)
  if (!owner?.is_active)
    return run.write(async tx => {
      await thing.markFailed(tx, row.id)
    })
  if (ctx.clock.now() / 1000 - row.due > longestDelaySeconds) return fail(run, row, thing, missedTime)
  try {
    await thing.send(row, owner)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    await fail(run, row, thing, error.message)
  }
}

const fail = <Row extends TimedRow>(run: JobRun, row: Row, thing: TimedThing<Row>, reason: string): Promise<void> =>
  run.write(async (tx, emit, { after }) => {
    const failed = await thing.markFailed(tx, row.id)
    if (!failed) return
    thing.emitFailure(emit, failed)
    addNotices(after, [{ to: { people: [row.user_id] }, content: failureText(thing.what, row.due, reason) }])
  })

const failureText = (what: string, due: number, reason: string): string =>
  [
    `${what} for <time:${new Date(due * 1000).toISOString().replace('.000Z', 'Z')}> could not be sent:`,
    '',
    quoted(reason),
    '',
    '[Scheduled messages](/#scheduled)',
  ].join('\n')
