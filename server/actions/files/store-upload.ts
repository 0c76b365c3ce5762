import mime from 'mime'
import { ApiError, badRequest } from '../../../shared/errors.js'
import { attachmentAdd } from '../../../shared/events/attachment.js'
import type { Attachment } from '../../../shared/resources/attachment.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { logFailure } from '../../failures/log-failure.js'
import { fileOfForm } from '../../params/file-of-form.js'
import type { SentBody } from '../../params/sent-body.js'
import { realmSetting } from '../../policies/settings.js'
import { addSpace, insertFile, lockSpace, readSpace, spaceOf } from '../../store/attachments.js'
import type { ISql, Tx } from '../../store/db.js'
import { adoptFile, announceFile, releaseFiles } from '../../store/loose-files.js'
import { displayName, newPathId, unescaped } from './path-id.js'
import { headerOf } from './thumbnails.js'

const mib = 1024 * 1024

/**
 * Stores the file of a form while it arrives. It belongs to the caller, who alone may read it until a message uses it. A file that is
 * refused, cut off, or left by a dead worker is removed later.
 * @throws {ApiError} BAD_REQUEST, REALM_UPLOAD_QUOTA; {StorageFailure}; the errors of the body
 */
export async function storeUpload(ctx: Ctx, actor: Actor, body: SentBody): Promise<Attachment> {
  let announced: string | undefined
  try {
    const stored = await fileOfForm(body, ctx.config.maxFileUploadMib * mib, async ({ name: given, type, bytes }) => {
      const name = displayName(unescaped(given))
      const pathId = newPathId(name)
      await announceFile(ctx.sql, pathId)
      announced = pathId
      return { pathId, size: await ctx.storage.write(pathId, bytes), name, type }
    })
    return await addFile(ctx, actor, stored)
  } catch (error) {
    if (announced !== undefined) {
      await releaseFiles(ctx.sql, [announced]).catch(failure =>
        logFailure(ctx, failure, 'a refused upload could not be released: its file stays for a day'),
      )
    }
    throw error
  }
}

/**
 * Makes stored bytes a file of the caller; the key was announced before the bytes were stored.
 * @param finish what else is written in the same transaction
 * @throws {ApiError} REALM_UPLOAD_QUOTA, BAD_REQUEST if the upload took more than a day
 */
export async function addFile(
  ctx: Ctx,
  { user }: Actor,
  { pathId, size, name, type }: { pathId: string; size: number; name: string; type: string },
  finish: (tx: Tx) => Promise<void> = async () => {},
): Promise<Attachment> {
  const content_type = contentTypeOf(type, name)
  const header = await headerOf(ctx, { pathId, size, type: content_type })
  const added = await ctx.write(async (tx, emit) => {
    await requireSpace(ctx, tx, user.id, size, await lockSpace(tx))
    if (!(await adoptFile(tx, pathId))) throw badRequest('The upload took too long.')
    await finish(tx)
    const { width, height, frames } = header ?? { width: null, height: null, frames: null }
    const attachment = await insertFile(tx, {
      user_id: user.id,
      path_id: pathId,
      name,
      content_type,
      size,
      width,
      height,
      frames,
    })
    emit(attachmentAdd, { attachment, upload_space_used: await addSpace(tx, size) }, [user.id])
    return attachment
  })
  if (header) ctx.thumbnails.wake()
  return added
}

/** Refuses a file of this size before its bytes arrive. @throws {ApiError} REALM_UPLOAD_QUOTA */
export async function requireSpaceFor(ctx: Ctx, { user }: Actor, size: number): Promise<void> {
  await requireSpace(ctx, ctx.sql, user.id, size, await readSpace(ctx.sql))
}

async function requireSpace(ctx: Ctx, sql: ISql, userId: number, size: number, used: number): Promise<void> {
  const quota = realmSetting(ctx.directory, 'upload_quota_mib')
  if (quota !== null && used + size > quota * mib) {
    throw new ApiError('REALM_UPLOAD_QUOTA', 'Upload would exceed your organization\u2019s upload quota.')
  }
  const own = ctx.config.uploadQuotaUserMib
  if (own > 0 && (await spaceOf(sql, userId)) + size > own * mib) {
    throw new ApiError('REALM_UPLOAD_QUOTA', 'Upload would exceed the space for files of your account.')
  }
}

const wellFormedType = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}(?:;[\x20-\x7e]{0,200})?$/

/** The type as the client gave it; else by the name's extension. Stored for the answer's header, never trusted. */
export const contentTypeOf = (given: string, name: string): string =>
  wellFormedType.test(given) ? given : (mime.getType(name) ?? 'application/octet-stream')
