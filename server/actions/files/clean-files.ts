import type { Ctx } from '../../ctx.js'
import { logFailure } from '../../failures/log-failure.js'
import { forgottenFiles } from '../../store/files/attachments.js'
import { forgetFiles, lockDueFiles, mayRemoveBytes } from '../../store/files/loose-files.js'
import { deleteExpired } from '../../store/files/resumable-uploads.js'
import { removeUnused } from './uses.js'

// Removed files lose their bytes after this time at the latest.
const intervalMs = 20_000
const forgottenEveryMs = 6 * 3_600_000
/** Days after which a file that no message uses is removed (docs/protocol/files.md#removal). */
const forgottenAfterDays = 35
const batch = 100

/** Removes the bytes of removed files, files that no message has used for weeks, and what dead writers left. Returns a function that stops it. */
export function startFileCleaning(ctx: Ctx): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  let lookForForgotten = 0
  const clean = async () => {
    try {
      if (performance.now() >= lookForForgotten) {
        while ((await removeForgotten(ctx)) > 0);
        await ctx.storage.removeUnfinished()
        await deleteExpired(ctx.sql)
        lookForForgotten = performance.now() + forgottenEveryMs
      }
      while ((await removeBytes(ctx)) > 0);
    } catch (error) {
      // The next interval retries.
      logFailure(ctx, error, 'files were not removed')
    }
  }
  const timer = setInterval(() => {
    running = running.then(clean)
  }, intervalMs)
  return () => {
    clearInterval(timer)
    return running
  }
}

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
