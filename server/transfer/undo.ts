import { removeUnused } from '../actions/files/uses.js'
import { avatarPaths } from '../actions/pictures/avatar.js'
import { pictureKey } from '../actions/pictures/stored-picture.js'
import type { Ctx } from '../ctx.js'
import { stillPath } from '../presenters/custom-emoji.js'
import type { Tx } from '../store/driver/db.js'
import { releaseFiles } from '../store/files/loose-files.js'
import { takeStoredFiles } from '../store/imports/import-files.js'
import { type ImportRow, whileAlone } from '../store/imports/imports.js'
import {
  deleteImport,
  deleteImported,
  deleteImportedChannels,
  deleteImportedConversations,
  deleteImportedEmoji,
  deleteImportedFolders,
  deleteUnusedAccount,
  importedAccounts,
} from '../store/imports/undo-import.js'
import { dataComplaint, tried } from '../store/transfer/prepare-import.js'
import { OtherImportRuns } from './source.js'

/** What an undone import has taken away, and what stays because it is used. */
export interface Undone {
  readonly messages: number
  readonly accounts: number
  readonly accounts_that_stay: number
  readonly channels_that_stay: number
}

/** Takes away what an import has made, as far as it was not used since. No worker runs meanwhile: it would remember what is gone. */
export async function undoImport(ctx: Ctx, { id, first_id, last_id }: ImportRow): Promise<Undone> {
  const { sql } = ctx
  const alone = await whileAlone(sql, async () => {
    const messages = await deleteImported(sql, first_id, last_id)
    while ((await removeFiles(ctx, id)) > 0);
    return (await sql.begin(async tx => {
      const channels_that_stay = await deleteImportedChannels(tx, id)
      await deleteImportedFolders(tx, id)
      await deleteImportedConversations(tx, id)
      const emoji = await deleteImportedEmoji(tx, id)
      await releasePictures(
        tx,
        emoji.flatMap(({ path, is_animated }) => (is_animated ? [path, stillPath(path)] : [path])),
      )
      let [accounts, accounts_that_stay] = [0, 0]
      for (const account of await importedAccounts(tx, id)) {
        let isGone = false
        try {
          await tried(tx, async inner => {
            isGone = await deleteUnusedAccount(inner, account.id)
            if (isGone && account.avatar_path !== null) {
              await releasePictures(inner, avatarPaths(account.avatar_path))
            }
          })
        } catch (error) {
          // Something names the account: it stays.
          if (dataComplaint(error) === undefined) throw error
          isGone = false
        }
        if (isGone) accounts++
        else accounts_that_stay++
      }
      await deleteImport(tx, id)
      return { messages, accounts, accounts_that_stay, channels_that_stay }
    })) as Undone
  })
  if (!alone) throw new OtherImportRuns()
  return alone.value
}

/** The pictures with these paths are removed soon. */
const releasePictures = (tx: Tx, paths: readonly string[]): Promise<void> => releaseFiles(tx, paths.map(pictureKey))

// Files per transaction.
const together = 100

/** Removes files that no message uses any more; returns how many it has looked at. */
const removeFiles = (ctx: Ctx, importId: number): Promise<number> =>
  ctx.write(async (tx, emit) => {
    const ids = await takeStoredFiles(tx, importId, together)
    await removeUnused(tx, emit, ids)
    return ids.length
  })
