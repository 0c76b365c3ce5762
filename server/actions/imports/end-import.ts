import type { Ctx } from '../../ctx.js'
import { importJob } from '../../job-types/import.js'
import type { Tx } from '../../store/driver/db.js'
import { releaseFiles } from '../../store/files/loose-files.js'
import {
  abandonedRequests,
  deleteImportRequest,
  endUndoing,
  failImportRequest,
  finishImportRequest,
  forgottenRequests,
} from '../../store/imports/import-requests.js'

/** Days for which an archive that is not imported is kept. */
const keptDays = 7

/** The import has finished: its archive is removed. */
export async function finishImport({ clock }: Ctx, tx: Tx, id: number): Promise<void> {
  const key = await finishImportRequest(tx, id, new Date(clock.now()))
  if (key !== null) await releaseFiles(tx, [key])
}

/** The import is taken away. An archive that was not imported as a whole is removed, too. */
export async function endUndo({ clock }: Ctx, tx: Tx, id: number): Promise<void> {
  const key = await endUndoing(tx, id, new Date(clock.now()))
  if (key !== null) await releaseFiles(tx, [key])
}

/** `reason`: for people; '' for a failure of the server. */
export const failImport = ({ clock }: Ctx, tx: Tx, id: number, reason: string): Promise<void> =>
  failImportRequest(tx, id, reason, new Date(clock.now()))

/** Forgets archives that are not imported, and marks those as failed whose job is dead. */
export async function endImports(ctx: Ctx): Promise<void> {
  const before = new Date(ctx.clock.now() - keptDays * 86_400_000)
  for (const id of await forgottenRequests(ctx.sql, before)) {
    await ctx.write(async tx => {
      const key = await deleteImportRequest(tx, id)
      if (key !== null) await releaseFiles(tx, [key])
    })
  }
  for (const id of await abandonedRequests(ctx.sql, importJob.name)) {
    await ctx.write(tx => failImport(ctx, tx, id, ''))
  }
}
