import { badRequest } from '../../../shared/errors.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { importJob, importKey } from '../../job-types/import.js'
import { currentUser } from '../../lookups/find-user.js'
import { administrators } from '../../policies/allow.js'
import { requirePeople } from '../../policies/imports.js'
import { releaseFiles } from '../../store/files/loose-files.js'
import {
  deleteImportRequest,
  type ImportRequestRow,
  lockImportRequest,
  type StoredChoices,
  startImportRequest,
  undoImportRequest,
} from '../../store/imports/import-requests.js'

/**
 * Starts the import of an archive that was checked, or one that has failed again: it goes on where it was.
 * @throws {ApiError} BAD_REQUEST, UNAUTHORIZED_PRINCIPAL
 */
export async function startImport(ctx: Ctx, actor: Actor, id: number, choices: StoredChoices): Promise<void> {
  const { directory } = ctx
  await ctx.write(async (tx, _emit, { after, audit }) => {
    await directory.hold(tx, 'share')
    administrators({ user: currentUser(directory, actor.user) })
    const row = requestThatRests(await lockImportRequest(tx, id))
    if (row.digest === null) throw badRequest('The check of the archive has failed')
    if (row.state === 'finished') throw badRequest('The archive is imported already')
    if (row.state === 'undone') throw badRequest('The archive is not kept any more')
    requirePeople(directory, Object.values(choices.people))
    await startImportRequest(tx, id, choices)
    after(importJob, { id }, { key: importKey })
    audit('import/started', { subject: { import_id: id }, before: null, after: { name: row.name } })
  })
}

/**
 * Takes away what the archive has brought, or a part of it if the import has failed.
 * @throws {ApiError} BAD_REQUEST, UNAUTHORIZED_PRINCIPAL
 */
export async function undoImport(ctx: Ctx, actor: Actor, id: number): Promise<void> {
  const { directory } = ctx
  await ctx.write(async (tx, _emit, { after, audit }) => {
    await directory.hold(tx, 'share')
    administrators({ user: currentUser(directory, actor.user) })
    const { name, done } = requestThatRests(await lockImportRequest(tx, id))
    if (done === null) throw badRequest('Nothing is imported from the archive')
    await undoImportRequest(tx, id)
    after(importJob, { id }, { key: importKey })
    audit('import/undone', { subject: { import_id: id }, before: { name }, after: {} })
  })
}

/** Forgets a request, and removes its archive; what it has imported stays. @throws {ApiError} BAD_REQUEST */
export async function deleteImport(ctx: Ctx, id: number): Promise<void> {
  await ctx.write(async (tx, _emit, { audit }) => {
    await ctx.directory.hold(tx, 'share')
    const { name } = requestThatRests(await lockImportRequest(tx, id))
    const key = await deleteImportRequest(tx, id)
    if (key !== null) await releaseFiles(tx, [key])
    audit('import/deleted', { subject: { import_id: id }, before: { name }, after: {} })
  })
}

/** @throws {ApiError} BAD_REQUEST */
function requestThatRests(row: ImportRequestRow | undefined): ImportRequestRow {
  if (!row) throw badRequest('Invalid import ID')
  if (row.state === 'checking') throw badRequest('The archive is still being checked')
  if (row.state === 'running') throw badRequest('The import is still running')
  if (row.state === 'undoing') throw badRequest('The import is being undone')
  return row
}
