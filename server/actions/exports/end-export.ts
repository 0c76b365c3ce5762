import { badRequest } from '../../../shared/errors.js'
import { realmExport } from '../../../shared/events/realm-export.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { exportJob } from '../../job-types/export.js'
import { receivesExportConsent } from '../../policies/accounts.js'
import { activeUsers } from '../../policies/users.js'
import { exportObject } from '../../presenters/exports.js'
import type { Emit } from '../../realtime/emission.js'
import type { Tx } from '../../store/driver/db.js'
import { deleteParts } from '../../store/exports/export-parts.js'
import * as store from '../../store/exports/exports.js'
import { releaseFiles } from '../../store/files/loose-files.js'

/** Days for which an archive can be downloaded. */
export const keptDays = 7

type End = 'ready' | 'failed' | 'deleted'

/** Ends an export, with its event; of an archive that is not ready the bytes are removed. False: its state did not allow it. */
export async function settleExport(
  ctx: Ctx,
  tx: Tx,
  emit: Emit,
  { id, to }: { id: number; to: End },
): Promise<boolean> {
  const from = to === 'deleted' ? 'ready' : 'pending'
  const ended = await store.endExport(tx, id, { from, to, at: new Date(ctx.clock.now()) })
  if (!ended) return false
  if (to !== 'ready') await releaseFiles(tx, await deleteParts(tx, id))
  if (ended.user_id === null) await announceExports(ctx, tx, emit)
  return true
}

/** Emits the list of exports to the people who are administrators. */
export async function announceExports({ directory, publicUrl }: Ctx, tx: Tx, emit: Emit): Promise<void> {
  const exports = (await store.readExports(tx)).map(row => exportObject(row, publicUrl))
  const audience = directory.derived(activeUsers).filter(id => {
    const user = directory.users.get(id)
    return user && receivesExportConsent(user)
  })
  emit(realmExport, { exports }, audience)
}

/** Deletes the archive of an export of the organization. @throws {ApiError} BAD_REQUEST if there is none */
export async function deleteExport(ctx: Ctx, { user }: Actor, id: number): Promise<void> {
  await ctx.write(async (tx, emit, { audit }) => {
    await ctx.directory.hold(tx, 'share')
    const row = await store.exportRow(tx, id)
    await deleteArchive(ctx, tx, emit, row?.user_id === null ? row : undefined)
    audit('realm_export/deleted', { subject: { export_id: id }, before: null, after: { acting_user_id: user.id } })
  })
}

/** Deletes the archive of an export. @throws {ApiError} BAD_REQUEST if there is none */
export async function deleteArchive(ctx: Ctx, tx: Tx, emit: Emit, row: store.ExportRow | undefined): Promise<void> {
  if (!row || !(await settleExport(ctx, tx, emit, { id: row.id, to: 'deleted' }))) throw badRequest(refusalOf(row))
}

function refusalOf(row: store.ExportRow | undefined): string {
  switch (row?.state) {
    case 'deleted':
      return 'Export already deleted'
    case 'failed':
      return 'Export failed, nothing to delete'
    case 'pending':
      return 'Export still in progress'
    default:
      return 'Invalid data export ID'
  }
}

/** Deletes archives whose time is over. */
export async function deleteOldExports(ctx: Ctx): Promise<void> {
  const before = new Date(ctx.clock.now() - keptDays * 86_400_000)
  for (const id of await store.exportsFinishedBefore(ctx.sql, before)) {
    await ctx.write(async (tx, emit) => {
      await settleExport(ctx, tx, emit, { id, to: 'deleted' })
    })
  }
}

/** The ids of exports whose job is dead, because workers ended again and again while they ran it. */
export const abandonedExports = ({ sql }: Ctx): Promise<number[]> => store.abandonedExports(sql, exportJob.name)
