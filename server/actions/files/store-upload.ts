import mime from 'mime'
import { badRequest } from '../../../shared/errors.js'
import { attachmentAdd } from '../../../shared/events/attachment.js'
import type { Attachment } from '../../../shared/resources/attachment.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { logFailure } from '../../failures/log-failure.js'
import type { After } from '../../job-types/job-type.js'
import { thumbnails } from '../../job-types/thumbnails.js'
import { currentUser } from '../../lookups/find-user.js'
import { fileOfForm, tooLarge } from '../../params/file-of-form.js'
import type { SentBody } from '../../params/sent-body.js'
import type { Emit } from '../../realtime/emission.js'
import type { Tx } from '../../store/driver/db.js'
import { addSpace, insertFile } from '../../store/files/attachments.js'
import { adoptFile, announceFile, releaseFiles } from '../../store/files/loose-files.js'
import { displayName, newPathId, unescaped } from './path-id.js'
import { whileReserved } from './reserve-space.js'
import { headerOf } from './thumbnails.js'

const mib = 1024 * 1024
// What a form adds to its file: boundaries, heads, other fields.
const mostAround = 65_536
const noSize = { width: null, height: null, frames: null }

/**
 * Stores the file of a form while it arrives. It belongs to the caller, who alone may read it until a message uses it. A file that is
 * refused, cut off, or left by a dead worker is removed later.
 * @throws {ApiError} BAD_REQUEST, REALM_UPLOAD_QUOTA; {StorageFailure}; the errors of the body
 */
export async function storeUpload(ctx: Ctx, actor: Actor, body: SentBody): Promise<Attachment> {
  const most = ctx.config.maxFileUploadMib * mib
  // A form whose length is not known reserves the largest one.
  const least = body.length === undefined ? most : Math.max(0, body.length - mostAround)
  if (least > most) throw badRequest(tooLarge(most))
  return whileReserved(ctx, actor.user.id, least, settle => storeForm(ctx, actor, body, { most, settle }))
}

type Settle = (tx: Tx, size: number) => Promise<void>

interface StoredBytes {
  readonly pathId: string
  readonly size: number
  readonly name: string
  readonly type: string
}

async function storeForm(
  ctx: Ctx,
  actor: Actor,
  body: SentBody,
  { most, settle }: { readonly most: number; readonly settle: Settle },
): Promise<Attachment> {
  return storeAnnounced(ctx, actor, settle, announce =>
    fileOfForm(body, most, async ({ name: given, type, bytes }) => {
      const name = displayName(unescaped(given))
      const pathId = await announce(name)
      return { pathId, size: await ctx.storage.write(pathId, bytes), name, type }
    }),
  )
}

function storeAnnounced(
  ctx: Ctx,
  actor: Actor,
  settle: Settle,
  store: (announce: (name: string) => Promise<string>) => Promise<StoredBytes>,
): Promise<Attachment> {
  return whileAnnounced(ctx, async announce => {
    const stored = await store(announce)
    return await addFile(ctx, actor, stored, tx => settle(tx, stored.size))
  })
}

/** `work` stores bytes under the path that `announce` returns, and makes them a file. If it fails, they are removed later. */
export async function whileAnnounced<T>(
  ctx: Ctx,
  work: (announce: (name: string) => Promise<string>) => Promise<T>,
): Promise<T> {
  let announced: string | undefined
  try {
    return await work(async name => {
      const pathId = newPathId(name)
      await announceFile(ctx.sql, pathId)
      announced = pathId
      return pathId
    })
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
 * Stores a file that is in memory, as `storeUpload` does.
 * @throws {ApiError} BAD_REQUEST, REALM_UPLOAD_QUOTA; {StorageFailure}
 */
export async function storeBytes(
  ctx: Ctx,
  actor: Actor,
  { name: given, type, bytes }: { readonly name: string; readonly type: string; readonly bytes: Uint8Array },
): Promise<Attachment> {
  const most = ctx.config.maxFileUploadMib * mib
  if (bytes.length > most) throw badRequest(tooLarge(most))
  return whileReserved(ctx, actor.user.id, bytes.length, settle =>
    storeAnnounced(ctx, actor, settle, async announce => {
      const name = displayName(given)
      const pathId = await announce(name)
      return { pathId, size: await ctx.storage.write(pathId, oneChunk(bytes)), name, type }
    }),
  )
}

async function* oneChunk(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}

/**
 * Makes stored bytes a file of the caller; the key was announced before the bytes were stored.
 * @param settle ends the reservation of its space, which it locks, in the same transaction
 * @throws {ApiError} BAD_REQUEST if the upload took more than a day, UNAUTHORIZED; what `settle` throws
 */
export async function addFile(
  ctx: Ctx,
  { user }: Actor,
  { pathId, size, name, type }: StoredBytes,
  settle: (tx: Tx) => Promise<void>,
): Promise<Attachment> {
  const content_type = contentTypeOf(type, name)
  // The account may have been deactivated while the bytes arrived.
  await ctx.directory.fresh()
  currentUser(ctx.directory, user)
  const header = await headerOf(ctx, { userId: user.id, pathId, size, type: content_type })
  return await ctx.write(async (tx, emit, { after }) => {
    await settle(tx)
    return insertStored({ tx, emit, after }, { pathId, size, name, content_type, userId: user.id, header })
  })
}

interface StoredFile {
  readonly pathId: string
  readonly size: number
  readonly name: string
  readonly content_type: string
  readonly userId: number
  /** What `headerOf` has found. */
  readonly header: Awaited<ReturnType<typeof headerOf>>
}

/** Inserts stored bytes, which were announced, as a file of the user. @throws {ApiError} BAD_REQUEST if they were removed meanwhile */
export async function insertStored(
  { tx, emit, after }: { readonly tx: Tx; readonly emit: Emit; readonly after: After },
  { pathId, size, name, content_type, userId, header }: StoredFile,
): Promise<Attachment> {
  if (!(await adoptFile(tx, pathId))) throw badRequest('The upload took too long.')
  const { width, height, frames } = header === 'later' || !header ? noSize : header
  const attachment = await insertFile(tx, {
    user_id: userId,
    path_id: pathId,
    name,
    content_type,
    size,
    width,
    height,
    frames,
    awaits_size: header === 'later',
  })
  emit(attachmentAdd, { attachment, upload_space_used: await addSpace(tx, size) }, [userId])
  if (header) after(thumbnails, {})
  return attachment
}

const wellFormedType = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}(?:;[\x20-\x7e]{0,200})?$/

/** The type as the client gave it; else by the name's extension. Stored for the answer's header, never trusted. */
export const contentTypeOf = (given: string, name: string): string =>
  wellFormedType.test(given) ? given : (mime.getType(name) ?? 'application/octet-stream')
