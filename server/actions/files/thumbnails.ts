import { ApiError } from '../../../shared/errors.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import type { PictureHeader } from '../../images/drawing.js'
import type { GoneSignal } from '../../images/picture-queue.js'
import { pictureHeader, thumbnails } from '../../images/pictures.js'
import type { StoredFile } from '../../store/files/attachments.js'
import { type DuePicture, setSize } from '../../store/files/thumbnails.js'
import { formsOf, pictureOf, thumbnailKey } from './picture-of.js'

const types = /^image\/(?:avif|gif|jpeg|png|tiff|webp)$/i
// Larger files have no thumbnails: the decoder holds the whole file.
const mostBytes = 32 * 1024 * 1024
// Formats whose size is at the beginning of the file; the frames of the others are all over it.
const beginsWithSize = /^(?:jpeg|png)$/

/**
 * The header of an upload that is a picture, as thumbnails need it; null: it gets none. `later`: it could not be read quickly, so that it is
 * read with the thumbnails. An upload is never refused because of its picture.
 * @throws {StorageFailure}
 */
export async function headerOf(
  { storage, pictures }: Pick<Ctx, 'storage' | 'pictures'>,
  file: { readonly userId: number; readonly pathId: string; readonly size: number; readonly type: string },
): Promise<PictureHeader | 'later' | null> {
  if (!types.test(file.type) || file.size > mostBytes || file.size === 0) return null
  const bytes = Math.min(file.size, budgets.pictureHeadBytes.most)
  const isWhole = bytes === file.size
  const beginning = () => beginningOf(storage, file.pathId, bytes)
  try {
    const source = { account: file.userId, file: beginning, waitMs: budgets.pictureHeaderMs.most }
    const header = await pictureHeader(pictures, source)
    return isWhole || beginsWithSize.test(header.format) ? header : 'later'
  } catch (error) {
    if (error instanceof ApiError) return error.code === 'BAD_IMAGE' && isWhole ? null : 'later'
    if (error instanceof Missing) return null
    throw error
  }
}

async function beginningOf(storage: Ctx['storage'], pathId: string, bytes: number): Promise<Buffer> {
  const chunks = await storage.read(pathId, { start: 0, end: bytes - 1 })
  if (!chunks) throw new Missing()
  const beginning = Buffer.alloc(bytes)
  let filled = 0
  for await (const chunk of chunks) {
    beginning.set(chunk, filled)
    filled += chunk.length
  }
  return beginning
}

/**
 * The bytes of a thumbnail that may not be stored yet. Undefined: the picture has none of this name, or cannot be decoded.
 * @param reader the caller, whose turn at the decoder it uses if it is not stored
 */
export async function readThumbnail(
  { storage, pictures }: Pick<Ctx, 'storage' | 'pictures'>,
  file: StoredFile,
  name: string,
  reader: { readonly account: number | null; readonly signal: GoneSignal },
): Promise<Buffer | undefined> {
  const picture = pictureOf(file)
  if (!picture) return undefined
  const forms = formsOf(picture)
  const wanted = name.includes('-anim')
  const form = forms.find(one => one.name === name) ?? forms.find(one => one.isAnimated === wanted) ?? forms[0]
  if (!form) return undefined
  const stored = await storage.readWhole(thumbnailKey(file.path_id, form.name))
  if (stored) return stored
  const made = await orNull(thumbnails(pictures, { ...reader, file: bytesOf(storage, file) }, [form]))
  return made?.[0]
}

/**
 * Draws the thumbnails of a picture, by their keys, after reading its size if that is not known. Null: it cannot be decoded, or its bytes are
 * gone.
 * @throws {ApiError} SERVER_NOT_READY; {DecoderFailure}
 */
export const drawThumbnails = (ctx: Ctx, file: DuePicture): Promise<Record<string, Buffer> | null> =>
  orNull(drawForms(ctx, file))

async function drawForms(ctx: Ctx, file: DuePicture): Promise<Record<string, Buffer>> {
  const source = { account: file.user_id, file: bytesOf(ctx.storage, file) }
  const size = file.awaits_size ? await pictureHeader(ctx.pictures, source) : undefined
  if (size) await setSize(ctx.sql, file.id, size)
  const picture = pictureOf({ ...file, ...size, awaits_size: false })
  const forms = picture ? formsOf(picture) : []
  const made = await thumbnails(ctx.pictures, source, forms)
  return Object.fromEntries(forms.map(({ name }, i) => [thumbnailKey(file.path_id, name), made[i] as Buffer]))
}

/** Reads the file when the decoder has time for it. @throws {Missing} */
const bytesOf =
  (storage: Ctx['storage'], { path_id }: Pick<StoredFile, 'path_id'>) =>
  async (): Promise<Buffer> => {
    const bytes = await storage.readWhole(path_id)
    if (!bytes) throw new Missing()
    return bytes
  }

/** The bytes of the file are gone. */
class Missing extends Error {}

/** Null for a picture that cannot be decoded. */
async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Missing || (error instanceof ApiError && error.code === 'BAD_IMAGE')) return null
    throw error
  }
}
