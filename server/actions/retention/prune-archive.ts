import type { Ctx } from '../../ctx.js'
import { deleteUnusedArchived } from '../../store/files/archived-files.js'
import { addSpace } from '../../store/files/attachments.js'
import { releaseFiles } from '../../store/files/loose-files.js'
import { deleteArchived } from '../../store/messages/archived-messages.js'
import { keysOf } from '../files/picture-of.js'

const dayMs = 86_400_000
/** Days for which deleted messages can be restored. */
export const archiveDays = 30
const batch = 500

/** Deletes some archived messages for good whose time is over, and the files that only they used; returns the number of messages. */
export async function pruneArchive({ sql, clock }: Pick<Ctx, 'sql' | 'clock'>): Promise<number> {
  const before = new Date(clock.now() - archiveDays * dayMs)
  return (await sql.begin(async tx => {
    const { count, fileIds } = await deleteArchived(tx, before, batch)
    if (fileIds.length > 0) {
      const files = await deleteUnusedArchived(tx, fileIds)
      await releaseFiles(tx, files.flatMap(keysOf))
      await addSpace(tx, 0, -files.reduce((sum, file) => sum + file.size, 0))
    }
    return count
  })) as number
}
