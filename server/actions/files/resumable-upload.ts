import { randomBytes } from 'node:crypto'
import { ApiError } from '../../../shared/errors.js'
import type { Actor } from '../../auth/actor.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { logFailure } from '../../failures/log-failure.js'
import type { SentBody } from '../../params/sent-body.js'
import { announceFile, dropAnnounced, releaseFiles } from '../../store/files/loose-files.js'
import {
  deleteUpload,
  finishUpload,
  freeUpload,
  insertPart,
  keepUpload,
  partsOf,
  type ResumableUpload,
  readUpload,
  takeUpload,
} from '../../store/files/resumable-uploads.js'
import { lockSpace } from '../../store/files/upload-reservations.js'
import { PartReader } from './part-reader.js'
import { displayName, newPathId } from './path-id.js'
import { reserveUpload } from './reserve-space.js'
import { addFile, contentTypeOf } from './store-upload.js'

const keepEveryMs = 3000
// A client that sends nothing for this long loses its turn to another request for the same upload.
const silentMs = 5000
const mib = 1024 * 1024

interface NewUpload {
  readonly length: number
  readonly name: string
  readonly type: string
  readonly metadata: string
}

/**
 * Begins an upload; returns its path, which is also that of the file to be.
 * @throws {ApiError} REQUEST_TOO_LARGE, REALM_UPLOAD_QUOTA, BAD_REQUEST (429) beyond the budget of unfinished ones; {StorageFailure} if the
 *   disk has no room
 */
export async function createUpload(
  ctx: Ctx,
  actor: Actor,
  { length, name, type, metadata }: NewUpload,
): Promise<string> {
  const { maxFileUploadMib } = ctx.config
  if (length > maxFileUploadMib * mib || maxFileUploadMib === 0) {
    throw new ApiError('REQUEST_TOO_LARGE', `Uploaded file is larger than the allowed limit of ${maxFileUploadMib} MiB`)
  }
  const display = displayName(name)
  // Clients derive the address of the file from that of the upload, so it needs no escapes.
  const path_id = newPathId(display.replace(/[^\w\s.-]/g, ''))
  await reserveUpload(ctx, {
    path_id,
    user_id: actor.user.id,
    name: display,
    content_type: contentTypeOf(type, display),
    metadata,
    length,
  })
  return path_id
}

/**
 * Stores the bytes of one request, in parts, so that they outlive a broken connection and, but for the last part, a dead worker. With its
 * last byte the upload becomes a file.
 * @throws {ApiError} BAD_REQUEST (404, 409, 423), REQUEST_TOO_LARGE; {StorageFailure}; the errors of the body
 */
export async function continueUpload(
  ctx: Ctx,
  actor: Actor,
  pathId: string,
  { offset, body }: { readonly offset: number; readonly body: SentBody | undefined },
): Promise<ResumableUpload> {
  const store: Work = async (upload, writer, watch) => {
    if (upload.received !== offset) throw conflict(`The upload has ${upload.received} bytes.`)
    const left = upload.length - offset
    if ((body?.length ?? 0) > left) {
      throw new ApiError('REQUEST_TOO_LARGE', 'These are more bytes than the upload has.')
    }
    const received = body ? await storeParts(ctx, upload, writer, watch(new PartReader(body.stream, left))) : offset
    if (received < upload.length || upload.is_done) return { ...upload, received }
    return complete(ctx, actor, upload, writer)
  }
  return ctx.workLimits.uploads.run(actor.user.id, () => asWriter(ctx, actor, pathId, store))
}

/**
 * The state of an upload. All bytes of one may be there without a file, because the store was away: then it becomes a file now.
 * @throws {ApiError} BAD_REQUEST (404, 423); {StorageFailure}
 */
export async function uploadState(ctx: Ctx, actor: Actor, pathId: string): Promise<ResumableUpload> {
  const upload = await readUpload(ctx.sql, actor.user.id, pathId)
  if (!upload) throw missing()
  if (upload.is_done || upload.received < upload.length) return upload
  return continueUpload(ctx, actor, pathId, { offset: upload.length, body: undefined })
}

/** Removes an unfinished upload with its bytes. @throws {ApiError} BAD_REQUEST (404) */
export async function endUpload(ctx: Ctx, { user }: Actor, pathId: string): Promise<void> {
  await ctx.sql.begin(async tx => {
    const keys = await deleteUpload(tx, user.id, pathId)
    if (!keys) throw missing()
    await releaseFiles(tx, keys)
  })
}

type Watch = (reader: PartReader) => PartReader
type Work = (upload: ResumableUpload, writer: string, watch: Watch) => Promise<ResumableUpload>

/** Runs `work` as the only request, of all workers, that stores bytes of the upload. */
async function asWriter(ctx: Ctx, { user }: Actor, pathId: string, work: Work): Promise<ResumableUpload> {
  const writer = randomBytes(18).toString('base64url')
  const upload = await takeUpload(ctx.sql, user.id, pathId, writer)
  if (!upload) throw (await readUpload(ctx.sql, user.id, pathId)) ? locked() : missing()
  let reader: PartReader | undefined
  const timer = setInterval(() => {
    const { waitingSince } = reader ?? {}
    if (waitingSince !== undefined && performance.now() - waitingSince > silentMs) return
    keepUpload(ctx.sql, pathId, writer).catch(error => logFailure(ctx, error, 'an upload may lose its turn'))
  }, keepEveryMs)
  try {
    return await work(upload, writer, watched => {
      reader = watched
      return watched
    })
  } finally {
    clearInterval(timer)
    await freeUpload(ctx.sql, pathId, writer)
  }
}

/** Returns the number of bytes that the upload then has. */
async function storeParts(ctx: Ctx, upload: ResumableUpload, writer: string, reader: PartReader): Promise<number> {
  let start = upload.received
  while (await reader.hasMore()) {
    // A directory of its own, because the store removes an empty one together with its last file.
    const key = `parts/${randomBytes(18).toString('base64url')}/part`
    start += await storing(ctx, key, async () => {
      const size = await ctx.storage.write(key, reader.part(budgets.uploadPart.most))
      const isStored = await ctx.sql.begin(tx => insertPart(tx, upload.path_id, writer, { start, size, key }))
      if (!isStored) throw locked()
      return size
    })
  }
  if (reader.failure !== undefined) throw reader.failure
  return start
}

async function complete(ctx: Ctx, actor: Actor, upload: ResumableUpload, writer: string): Promise<ResumableUpload> {
  const { path_id: pathId, name, content_type: type, length } = upload
  const parts = await partsOf(ctx.sql, pathId)
  await storing(ctx, pathId, async () => {
    const size = await ctx.storage.write(pathId, bytesOf(ctx, parts))
    await addFile(ctx, actor, { pathId, size, name, type }, async tx => {
      await lockSpace(tx)
      // Its space was reserved when it began.
      if (!(await finishUpload(tx, pathId, writer))) throw locked()
      await releaseFiles(
        tx,
        parts.map(part => part.key),
      )
    })
  })
  return { ...upload, received: length, is_done: true }
}

async function* bytesOf({ storage }: Ctx, parts: readonly { key: string; size: number }[]): AsyncIterable<Uint8Array> {
  for (const { key, size } of parts) {
    const chunks = await storage.read(key, { start: 0, end: size - 1 })
    if (!chunks) throw missing()
    yield* chunks
  }
}

/** Announces bytes before `work` stores them; if it fails they are removed soon. */
async function storing<T>(ctx: Ctx, key: string, work: () => Promise<T>): Promise<T> {
  await announceFile(ctx.sql, key)
  try {
    return await work()
  } catch (error) {
    await dropAnnounced(ctx.sql, key).catch(failure => logFailure(ctx, failure, 'bytes are removed only after a day'))
    throw error
  }
}

const missing = () => new ApiError('BAD_REQUEST', 'There is no such upload.', {}, 404)
const locked = () => new ApiError('BAD_REQUEST', 'Another request is sending this upload.', {}, 423)
const conflict = (message: string) => new ApiError('BAD_REQUEST', message, {}, 409)
