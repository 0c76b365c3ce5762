import { ApiError } from '../../shared/errors.js'
import { languageOfReader } from '../actions/notice-language.js'
import type { WorkerCtx } from '../ctx.js'
import { addNotices } from '../job-types/notice.js'
import type { Emit } from '../realtime/emission.js'
import type { Tx } from '../store/driver/db.js'
import type { UserRow } from '../store/users/users.js'
import type { InLanguages, PageLanguage } from '../text/page-language.js'
import { quoted } from '../text/quote.js'
import type { JobRun } from './job-run.js'

// A message that comes later than this may say what is no longer so.
const longestDelaySeconds = 600

interface Words {
  readonly missed: string
  readonly notSent: (what: string) => string
  readonly place: string
}

const inLanguages: InLanguages<Words> = {
  en: {
    missed: 'The server could not send it at that time.',
    notSent: what => `${what} could not be sent:`,
    place: 'Scheduled messages',
  },
  de: {
    missed: 'Der Server konnte zu dieser Zeit nicht senden.',
    notSent: what => `${what} konnte nicht gesendet werden:`,
    place: 'Geplante Nachrichten',
  },
}

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
  /** The beginning of the sentence that says to its owner that it was not sent. `time`: Markdown. */
  readonly what: InLanguages<(time: string) => string>
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
  const language = languageOfReader(ctx.directory, owner)
  const { missed } = inLanguages[language]
  if (ctx.clock.now() / 1000 - row.due > longestDelaySeconds) return fail(run, row, thing, { language, reason: missed })
  try {
    await thing.send(row, owner)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    await fail(run, row, thing, { language, reason: error.message })
  }
}

interface Failure {
  readonly language: PageLanguage
  readonly reason: string
}

const fail = <Row extends TimedRow>(run: JobRun, row: Row, thing: TimedThing<Row>, failure: Failure): Promise<void> =>
  run.write(async (tx, emit, { after }) => {
    const failed = await thing.markFailed(tx, row.id)
    if (!failed) return
    thing.emitFailure(emit, failed)
    const time = `<time:${new Date(row.due * 1000).toISOString().replace('.000Z', 'Z')}>`
    const what = thing.what[failure.language](time)
    addNotices(after, [{ to: { people: [row.user_id] }, content: failureText(what, failure) }])
  })

function failureText(what: string, { language, reason }: Failure): string {
  const { notSent, place } = inLanguages[language]
  return [notSent(what), '', quoted(reason), '', `[${place}](/#scheduled)`].join('\n')
}
