import { badRequest } from '../../../shared/errors.js'
import { attachmentRemove } from '../../../shared/events/attachment.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { addSpace, deleteFile } from '../../store/files/attachments.js'
import { releaseFiles } from '../../store/files/loose-files.js'
import { keysOf } from './picture-of.js'

/** Removes a file of the caller; messages keep their text, and its address answers 404 at once. @throws {ApiError} BAD_REQUEST */
export async function removeFile(ctx: Ctx, { user }: Actor, id: number): Promise<void> {
  await ctx.write(async (tx, emit) => {
    const file = await deleteFile(tx, user.id, id)
    if (!file) throw badRequest('Invalid attachment')
    await releaseFiles(tx, keysOf(file))
    emit(attachmentRemove, { attachment: { id }, upload_space_used: await addSpace(tx, -file.size) }, [user.id])
  })
}
