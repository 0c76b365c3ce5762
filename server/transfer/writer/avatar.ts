import { avatarOf, exchangeFiles, notifyOfAvatar, withAvatar } from '../../actions/pictures/avatar.js'
import type { Ctx } from '../../ctx.js'
import { FilePart } from '../../params/file-part.js'
import { type ImportFile, personOf, setStored } from '../../store/imports/import-files.js'
import { changeUsers } from '../../store/users/user-changes.js'
import type { UserRow } from '../../store/users/users.js'
import { LostFile } from './download.js'

/** Gives an account that the import has made its picture. @throws {ApiError} BAD_IMAGE; {LostFile} if it has another one */
export async function setPicture(ctx: Ctx, file: ImportFile, bytes: Buffer): Promise<void> {
  const { directory } = ctx
  const id = await personOf(ctx.sql, file)
  const sent = { account: id, files: [new FilePart(file.name, '', bytes)], signal: new AbortController().signal }
  await withAvatar(ctx, sent, picture =>
    ctx.write(async (tx, emit) => {
      await directory.hold(tx, 'change')
      const before = directory.users.get(id)
      if (!before || before.is_deleted || before.avatar_path !== null)
        throw new LostFile('its person has another picture')
      const [user] = (await changeUsers(tx, [before], avatarOf(before, picture))) as [UserRow]
      await exchangeFiles(tx, before, picture)
      await notifyOfAvatar(ctx, tx, emit, user)
      await setStored(tx, file.id, null)
    }),
  )
  await directory.fresh()
}
