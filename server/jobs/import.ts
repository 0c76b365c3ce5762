import { endImports, endUndo, failImport, finishImport } from '../actions/imports/end-import.js'
import { withLocalCopy } from '../actions/imports/local-copy.js'
import type { WorkerCtx } from '../ctx.js'
import { logFailure } from '../failures/log-failure.js'
import { importJob as type } from '../job-types/import.js'
import { type ImportRequestRow, importRequest, storePlan } from '../store/imports/import-requests.js'
import { inImportProcess, type Order, type Reply } from '../transfer/import-process.js'
import { UnusableArchive } from '../transfer/source.js'
import { jobKind, periodicKind } from './job-kind.js'
import type { JobRun } from './job-run.js'

const attempts = 10

/**
 * Checks an archive, imports it, or takes its import away, in a process of its own; a further attempt at an import goes on where it was. The new state and the end of
 * the job are one transaction. An archive that cannot be imported ends the request at once.
 */
export const importKind = jobKind(type, {
  guarantee: 'exactly once',
  seconds: 24 * 3600,
  attempts,
  async run(ctx, { id }, run) {
    const row = await importRequest(ctx.sql, id)
    if (!row) return
    try {
      const reply = await replyTo(ctx, row, run)
      if (reply) await end(ctx, row, run, reply)
    } catch (error) {
      const isUnusable = error instanceof UnusableArchive
      if (run.signal.aborted || (!isUnusable && run.claim.attempts < attempts)) throw error
      if (!isUnusable) logFailure(ctx, error, 'an import has failed', { import: id })
      await run.write(tx => failImport(ctx, tx, id, isUnusable ? error.message : ''))
    }
  },
})

/** Does what the state of the request asks for; undefined: nothing. */
async function replyTo(ctx: WorkerCtx, row: ImportRequestRow, { signal }: JobRun): Promise<Reply | undefined> {
  const { state, choices, digest, requester_id: requesterId } = row
  const onArchive = (order: (file: string) => Order) => {
    if (row.key === null) throw new Error('the archive of an import is removed')
    return withLocalCopy(ctx, { ...row, key: row.key }, file => inImportProcess(ctx.config, order(file), signal))
  }
  if (state === 'checking') return onArchive(file => ({ kind: 'plan', file, requesterId }))
  if (state === 'running' && choices) return onArchive(file => ({ kind: 'run', file, requesterId, choices }))
  if (state === 'undoing' && digest !== null) {
    return inImportProcess(ctx.config, { kind: 'undo', digest, requesterId }, signal)
  }
  return undefined
}

const end = (ctx: WorkerCtx, { id }: ImportRequestRow, run: JobRun, reply: Reply): Promise<void> =>
  run.write(async tx => {
    if (reply.kind === 'planned') await storePlan(tx, id, reply.plan)
    else if (reply.kind === 'undone') await endUndo(ctx, tx, id)
    else await finishImport(ctx, tx, id)
  })

/** Removes archives that are not imported within a week, and marks requests as failed whose job is dead. */
export const endImportsKind = periodicKind('end-imports', '*/5 * * * *', { run: endImports })
