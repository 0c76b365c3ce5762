import { ApiError } from '../../shared/errors.js'
import { abandonedExports, deleteOldExports, keptDays, settleExport } from '../actions/exports/end-export.js'
import { writeArchive } from '../actions/exports/write-archive.js'
import { notificationBot } from '../actions/messages/system-bots.js'
import type { Ctx, WorkerCtx } from '../ctx.js'
import { logFailure } from '../failures/log-failure.js'
import { exportJob as type } from '../job-types/export.js'
import { addNotices } from '../job-types/notice.js'
import type { Emit } from '../realtime/emission.js'
import { fullMessage, StorageFailure } from '../storage/storage-failure.js'
import type { Tx } from '../store/driver/db.js'
import { type ExportRow, exportRow } from '../store/exports/exports.js'
import { jobKind, periodicKind } from './job-kind.js'
import type { JobRun } from './job-run.js'

const attempts = 10

/**
 * Writes the archive of an export; a further attempt goes on behind the last part. The message to the requester, the new state and the end of the
 * job are one transaction. A full disk ends the export at once.
 */
export const exportKind = jobKind(type, {
  guarantee: 'exactly once',
  seconds: 12 * 3600,
  attempts,
  async run(ctx, { id }, run) {
    const row = await exportRow(ctx.sql, id)
    if (row?.state !== 'pending') return
    try {
      await writeArchive(ctx, row, run.signal)
    } catch (error) {
      const isFull = error instanceof StorageFailure && error.message === fullMessage
      if (run.signal.aborted || (!isFull && run.claim.attempts < attempts)) throw error
      logFailure(ctx, error, 'an export has failed', { export: id })
      return finish(ctx, row, run, { to: 'failed', content: failedText(row, isFull ? fullMessage : '') })
    }
    return finish(ctx, row, run, { to: 'ready', content: readyText(ctx, row) })
  },
})

interface Outcome {
  readonly to: 'ready' | 'failed'
  /** Of the message to the requester. */
  readonly content: string
}

async function finish(ctx: WorkerCtx, row: ExportRow, run: JobRun, { to, content }: Outcome): Promise<void> {
  const settle = async (tx: Tx, emit: Emit) => {
    if (!(await settleExport(ctx, tx, emit, { id: row.id, to }))) throw new Error('the export has ended meanwhile')
  }
  const { id: senderId } = await notificationBot(ctx)
  const message = { senderId, client: 'Internal', to: { people: [row.requester_id] }, content, readBySender: true }
  try {
    await run.send({ ...message, alongside: settle })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    // The requester is deactivated.
    await run.write(settle)
  }
}

/** Where the page shows the export. */
function placeOf({ user_id, requester_id }: ExportRow): string {
  if (user_id === null) return '[Exports](/#organization/exports)'
  return user_id === requester_id
    ? '[Your data](/#settings/account)'
    : `[Data of the person](/#organization/people/${user_id})`
}

/** The export in a message to its requester. */
const nameOf = ({ user_id, requester_id, requested }: ExportRow): string => {
  const whose = user_id === null ? '' : user_id === requester_id ? ' of your data' : ' of a person\u2019s data'
  return `The export${whose} that you requested at ${time(requested)}`
}
const time = (date: Date): string => `<time:${date.toISOString().replace(/\.\d+/, '')}>`

const readyText = ({ clock }: Ctx, row: ExportRow): string =>
  `${nameOf(row)} is ready. It can be downloaded until ${time(new Date(clock.now() + keptDays * 86_400_000))}: ${placeOf(row)}`

const failedText = (row: ExportRow, reason: string): string =>
  [`${nameOf(row)} has failed.`, ...(reason ? [reason] : []), placeOf(row)].join(' ')

/** Deletes archives after a week, and marks exports as failed whose job is dead. */
export const endExports = periodicKind('end-exports', '*/5 * * * *', {
  async run(ctx) {
    await deleteOldExports(ctx)
    for (const id of await abandonedExports(ctx)) {
      const row = await exportRow(ctx.sql, id)
      if (!row) continue
      await ctx.write(async (tx, emit, { after }) => {
        if (!(await settleExport(ctx, tx, emit, { id, to: 'failed' }))) return
        addNotices(after, [{ to: { people: [row.requester_id] }, content: failedText(row, '') }])
      })
    }
  },
})
