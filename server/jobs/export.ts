import { ApiError } from '../../shared/errors.js'
import { abandonedExports, deleteOldExports, keptDays, settleExport } from '../actions/exports/end-export.js'
import { writeArchive } from '../actions/exports/write-archive.js'
import { notificationBot } from '../actions/messages/system-bots.js'
import { languageOfReader } from '../actions/notice-language.js'
import type { Ctx, WorkerCtx } from '../ctx.js'
import { logFailure } from '../failures/log-failure.js'
import { exportJob as type } from '../job-types/export.js'
import { addNotices } from '../job-types/notice.js'
import type { Emit } from '../realtime/emission.js'
import { fullMessage, StorageFailure } from '../storage/storage-failure.js'
import type { Tx } from '../store/driver/db.js'
import { type ExportRow, exportRow } from '../store/exports/exports.js'
import type { InLanguages } from '../text/page-language.js'
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
      return finish(ctx, row, run, { to: 'failed', content: failedText(ctx, row, isFull ? fullMessage : '') })
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

type Whose = 'all' | 'own' | 'other'

interface Words {
  /** Where the page shows the export. */
  readonly places: Readonly<Record<Whose, string>>
  /** The export in a message to its requester. */
  readonly names: Readonly<Record<Whose, (requested: string) => string>>
  readonly ready: (name: string, until: string, place: string) => string
  readonly failed: (name: string) => string
}

const inLanguages: InLanguages<Words> = {
  en: {
    places: { all: 'Exports', own: 'Your data', other: 'Data of the person' },
    names: {
      all: requested => `The export that you requested at ${requested}`,
      own: requested => `The export of your data that you requested at ${requested}`,
      other: requested => `The export of a person’s data that you requested at ${requested}`,
    },
    ready: (name, until, place) => `${name} is ready. It can be downloaded until ${until}: ${place}`,
    failed: name => `${name} has failed.`,
  },
  de: {
    places: { all: 'Exporte', own: 'Deine Daten', other: 'Daten der Person' },
    names: {
      all: requested => `Der Export, den du am ${requested} angefordert hast,`,
      own: requested => `Der Export deiner Daten, den du am ${requested} angefordert hast,`,
      other: requested => `Der Export der Daten einer Person, den du am ${requested} angefordert hast,`,
    },
    ready: (name, until, place) => `${name} ist fertig. Du kannst ihn bis ${until} herunterladen: ${place}`,
    failed: name => `${name} ist fehlgeschlagen.`,
  },
}

function wordsOf({ directory }: Ctx, { user_id, requester_id, requested }: ExportRow) {
  const { places, names, ...words } = inLanguages[languageOfReader(directory, directory.users.get(requester_id))]
  const whose = user_id === null ? 'all' : user_id === requester_id ? 'own' : 'other'
  const addresses = { all: 'organization/exports', own: 'settings/account', other: `organization/people/${user_id}` }
  return { ...words, name: names[whose](time(requested)), place: `[${places[whose]}](/#${addresses[whose]})` }
}

const time = (date: Date): string => `<time:${date.toISOString().replace(/\.\d+/, '')}>`

function readyText(ctx: Ctx, row: ExportRow): string {
  const { ready, name, place } = wordsOf(ctx, row)
  return ready(name, time(new Date(ctx.clock.now() + keptDays * 86_400_000)), place)
}

function failedText(ctx: Ctx, row: ExportRow, reason: string): string {
  const { failed, name, place } = wordsOf(ctx, row)
  return [failed(name), ...(reason ? [reason] : []), place].join(' ')
}

/** Deletes archives after a week, and marks exports as failed whose job is dead. */
export const endExports = periodicKind('end-exports', '*/5 * * * *', {
  async run(ctx) {
    await deleteOldExports(ctx)
    for (const id of await abandonedExports(ctx)) {
      const row = await exportRow(ctx.sql, id)
      if (!row) continue
      await ctx.write(async (tx, emit, { after }) => {
        if (!(await settleExport(ctx, tx, emit, { id, to: 'failed' }))) return
        addNotices(after, [{ to: { people: [row.requester_id] }, content: failedText(ctx, row, '') }])
      })
    }
  },
})
