import type { Ctx } from '../../ctx.js'
import { archivedFiles } from '../../store/imports/import-files.js'
import type { Source } from '../source.js'
import { storeFile } from './store-file.js'

// Rows per statement.
const together = 100

/** Stores the files that the archive holds, one after the other; those that are stored already are skipped. */
export async function storeArchivedFiles(
  ctx: Ctx,
  importId: number,
  {
    source,
    state,
    advance,
  }: { readonly source: Source; readonly state: 'waiting' | 'lost'; readonly advance: (files: number) => void },
): Promise<void> {
  for (let after = 0; ; ) {
    const files = await archivedFiles(ctx.sql, importId, { after, state, most: together })
    const last = files.at(-1)
    if (!last) return
    for (const file of files) {
      await storeFile(ctx, file, async () => ({
        type: '',
        bytes: file.bytes,
        pieces: source.file(file.entry ?? ''),
      }))
    }
    advance(files.length)
    after = last.id
  }
}
