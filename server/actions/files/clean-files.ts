import type { Ctx } from '../../ctx.js'
import { forgottenFiles } from '../../store/files/attachments.js'
import { forgetFiles, lockDueFiles, mayRemoveBytes } from '../../store/files/loose-files.js'
import { removeUnused } from './uses.js'

/** Days after which a file that no message uses is removed (docs/protocol/files.md#removal). */
const forgottenAfterDays = 35
const batch = 100

/**
 * Removes the bytes of some files that no row names; returns their number. Other workers skip these meanwhile. Removes nothing while a backup
 * runs.
 */
export async function removeBytes({ sql, storage }: Pick<Ctx, 'sql' | 'storage'>): Promise<number> {
  return sql.begin(async tx => {
    if (!(await mayRemoveBytes(tx))) return 0
    const keys = await lockDueFiles(tx)
    await storage.remove(keys)
    await forgetFiles(tx, keys)
    return keys.length
  })
}

/** Removes some of the files that no message has used for weeks; returns their number. */
export function removeForgotten(ctx: Pick<Ctx, 'write'>, days = forgottenAfterDays): Promise<number> {
  return ctx.write(async (tx, emit) => {
    const ids = await forgottenFiles(tx, days, batch)
    await removeUnused(tx, emit, ids)
    return ids.length
  })
}
