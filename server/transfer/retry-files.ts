import type { Ctx } from '../ctx.js'
import { type ImportRow, whileAlone } from '../store/imports/imports.js'
import { withSource } from './check.js'
import { Faults } from './faults.js'
import { UnusableArchive } from './source.js'
import { storeArchivedFiles } from './writer/archived-files.js'
import { digestOf } from './writer/digest.js'
import { downloadLost } from './writer/downloads.js'

interface Retry {
  /** The path of the archive; null: only what is downloaded is tried. */
  readonly archive: string | null
  /** With which the source gives its files; null: as the archive says. */
  readonly token: string | null
  readonly signal: AbortSignal
}

/** Tries the lost files of an import once more. @throws {UnusableArchive} */
export async function retryFiles(ctx: Ctx, row: ImportRow, { archive, token, signal }: Retry): Promise<void> {
  const alone = await whileAlone(ctx.sql, async () => {
    if (archive !== null) {
      if ((await digestOf(archive)) !== row.digest)
        throw new UnusableArchive(`${archive} is not the archive of import ${row.id}.`)
      await withSource(archive, new Faults(), source =>
        storeArchivedFiles(ctx, row.id, { source, state: 'lost', advance: () => {} }),
      )
    }
    await downloadLost(ctx, row.id, { token, signal, advance: () => {} })
  })
  if (!alone) throw new UnusableArchive('Another import runs on this organization.')
}
