import { badRequest } from '../../../shared/errors.js'
import { attachmentRemove } from '../../../shared/events/attachment.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { importJob, importKey } from '../../job-types/import.js'
import { currentUser } from '../../lookups/find-user.js'
import { administrators } from '../../policies/allow.js'
import { addSpace, takeUnusedFile } from '../../store/files/attachments.js'
import { releaseFiles } from '../../store/files/loose-files.js'
import { insertImportRequest, lockImportRequests } from '../../store/imports/import-requests.js'
import { keysOf } from '../files/picture-of.js'

/** Archives that are kept, because each takes room. */
const mostKept = 5

/**
 * Requests the check of an archive that the caller has uploaded, and returns the id of the request. The archive is no file of the caller any more:
 * it belongs to the request.
 * @throws {ApiError} BAD_REQUEST, UNAUTHORIZED_PRINCIPAL
 */
export async function requestImport(ctx: Ctx, actor: Actor, pathId: string): Promise<number> {
  const { directory } = ctx
  return ctx.write(async (tx, emit, { after, audit }) => {
    await directory.hold(tx, 'share')
    const { id: requester_id } = currentUser(directory, actor.user)
    administrators({ user: currentUser(directory, actor.user) })
    if ((await lockImportRequests(tx)) >= mostKept) {
      throw badRequest(`There are ${mostKept} archives to import already: delete one of them.`)
    }
    const file = await takeUnusedFile(tx, requester_id, pathId)
    if (!file) throw badRequest('Invalid attachment')
    const { name, size, path_id: key } = file
    await releaseFiles(
      tx,
      keysOf(file).filter(one => one !== key),
    )
    emit(attachmentRemove, { attachment: { id: file.id }, upload_space_used: await addSpace(tx, -size) }, [
      requester_id,
    ])
    const requested = new Date(ctx.clock.now())
    const id = await insertImportRequest(tx, { requester_id, requested, name, size, key })
    after(importJob, { id }, { key: importKey })
    audit('import/requested', { subject: { import_id: id }, before: null, after: { name } })
    return id
  })
}
