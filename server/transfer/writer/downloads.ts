import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { ExternalFailure } from '../../external/external-failure.js'
import { logFailure } from '../../failures/log-failure.js'
import { claimFiles, claimLostFiles, type ImportFile, spareHost, tryLater } from '../../store/imports/import-files.js'
import { BusySource, openDownload } from './download.js'
import { loseFile, storeFile } from './store-file.js'

interface Downloading {
  readonly token: string | null
  readonly signal: AbortSignal
}

// Seconds before each further attempt.
const pauses = [60, 3600]

/** Downloads some of the files that are due; returns their number. */
export async function downloadDue(ctx: Ctx, signal: AbortSignal): Promise<number> {
  const files = await claimFiles(ctx.sql, budgets.importDownloads.most)
  await downloadAll(ctx, files, { token: null, signal })
  return files.length
}

/** Downloads the lost files of an import once more. `advance`: as many have ended. */
export async function downloadLost(
  ctx: Ctx,
  importId: number,
  given: Downloading & { readonly advance: (files: number) => void },
): Promise<void> {
  for (let after = 0; ; ) {
    const files = await claimLostFiles(ctx.sql, importId, after, budgets.importDownloads.most)
    if (files.length === 0) return
    after = Math.max(...files.map(file => file.id))
    await downloadAll(ctx, files, given)
    given.advance(files.length)
  }
}

/** At once. */
async function downloadAll(ctx: Ctx, files: readonly ImportFile[], given: Downloading): Promise<void> {
  await Promise.all(files.map(file => download(ctx, file, given)))
}

async function download(ctx: Ctx, file: ImportFile, { token, signal }: Downloading): Promise<void> {
  const { external } = ctx
  if (!external) {
    await loseFile(ctx, file, 'the server reads nothing from other hosts (EXTERNAL_CONTENT)')
    return
  }
  // Not AbortSignal.any with AbortSignal.timeout: it holds the timeout weakly, and one that the garbage collector has removed never fires.
  const inTime = new AbortController()
  const end = () => inTime.abort()
  const timer = setTimeout(end, budgets.importDownloadMs.most)
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  try {
    await storeFile(ctx, file, () => openDownload(external, file, { token, signal: inTime.signal }))
  } catch (error) {
    await later(ctx, file, error)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
}

/** @throws what is no failure of the source, after which the file is tried again */
async function later(ctx: Ctx, file: ImportFile, error: unknown): Promise<void> {
  if (error instanceof BusySource) {
    if (!(await spareHost(ctx.sql, file, error.seconds))) await loseFile(ctx, file, 'the source has been busy for days')
    return
  }
  const seconds = pauses[file.attempts - 1]
  if (!(error instanceof ExternalFailure)) {
    await tryLater(ctx.sql, file.id, seconds ?? (pauses.at(-1) as number))
    throw error
  }
  if (seconds === undefined) await loseFile(ctx, file, 'the source did not answer, or broke off')
  else {
    await tryLater(ctx.sql, file.id, seconds)
    logFailure(ctx, error, 'a file of an archive is downloaded later', { file: file.id })
  }
}
