import { ApiError } from '../../../shared/errors.js'
import type { Ctx } from '../../ctx.js'
import { type PictureHeader, pictureHeader, thumbnail } from '../../images/pictures.js'
import type { StoredFile } from '../../store/attachments.js'
import { adoptFile } from '../../store/loose-files.js'
import {
  claimPicture,
  type DuePicture,
  endPicture,
  messagesWithPlaceholder,
  returnPicture,
  setNoPicture,
  setThumbnails,
} from '../../store/thumbnails.js'
import { renderAgain } from '../messages/render-again.js'
import { withStored } from '../pictures/stored-picture.js'
import { formsOf, pictureOf, thumbnailKey } from './picture-of.js'

const types = /^image\/(?:avif|gif|heic|jpeg|png|tiff|webp)$/i
// Larger files have no thumbnails: a worker holds the whole file while it decodes the picture.
const mostBytes = 32 * 1024 * 1024
// A worker that dies of a picture must not die of it for ever.
const mostAttempts = 3

/** The header of an upload that is a picture, as thumbnails need it; null: it gets none. @throws {StorageFailure} */
export async function headerOf(
  { storage }: Pick<Ctx, 'storage'>,
  { pathId, size, type }: { readonly pathId: string; readonly size: number; readonly type: string },
): Promise<PictureHeader | null> {
  if (!types.test(type) || size > mostBytes) return null
  const bytes = await storage.readWhole(pathId)
  return bytes ? orNull(pictureHeader(bytes)) : null
}

/** The bytes of a thumbnail that may not be stored yet. Undefined: the picture has none of this name, or cannot be decoded. */
export async function readThumbnail(
  { storage }: Pick<Ctx, 'storage'>,
  file: StoredFile,
  name: string,
): Promise<Buffer | undefined> {
  const picture = pictureOf(file)
  if (!picture) return undefined
  const forms = formsOf(picture)
  const wanted = name.includes('-anim')
  const form = forms.find(one => one.name === name) ?? forms.find(one => one.isAnimated === wanted) ?? forms[0]
  if (!form) return undefined
  const stored = await storage.readWhole(thumbnailKey(file.path_id, form.name))
  if (stored) return stored
  const bytes = await storage.readWhole(file.path_id)
  return bytes && ((await orNull(thumbnail(bytes, form))) ?? undefined)
}

/**
 * Makes the thumbnails of one picture that waits for them, and renders the messages that show it again. A message may be stored shortly after
 * that with the placeholder, so the messages are looked at a second time: when its sender's worker has stored it (`hastenPictures`), or, if
 * that worker died, after a minute.
 * @returns false if no picture was due
 */
export async function makeThumbnails(ctx: Ctx): Promise<boolean> {
  const picture = await claimPicture(ctx.sql)
  if (!picture) return false
  const isSecondLook = picture.has_thumbnails || picture.width === null
  if (!isSecondLook) {
    try {
      await draw(ctx, picture)
    } catch (error) {
      await returnPicture(ctx.sql, picture.id)
      throw error
    }
  }
  for (const id of await messagesWithPlaceholder(ctx.sql, picture.id)) await renderAgain(ctx, id)
  if (isSecondLook) await endPicture(ctx.sql, picture.id)
  return true
}

async function draw(ctx: Ctx, file: DuePicture): Promise<void> {
  const picture = pictureOf(file)
  const bytes = file.thumbnail_attempts > mostAttempts ? undefined : await ctx.storage.readWhole(file.path_id)
  const drawn: Record<string, Buffer> = {}
  for (const form of picture && bytes ? formsOf(picture) : []) {
    const made = bytes && (await orNull(thumbnail(bytes, form)))
    if (!made) return setNoPicture(ctx.sql, file.id)
    drawn[thumbnailKey(file.path_id, form.name)] = made
  }
  if (Object.keys(drawn).length === 0) return setNoPicture(ctx.sql, file.id)
  await withStored(ctx, drawn, keys =>
    ctx.sql.begin(async tx => {
      if (!(await setThumbnails(tx, file.id))) throw new Removed()
      for (const key of keys) await adoptFile(tx, key)
    }),
  ).catch(error => {
    if (!(error instanceof Removed)) throw error
  })
}

/** The file was removed while its thumbnails were made: these are removed, too. */
class Removed extends Error {}

/** Null for a picture that cannot be decoded. */
async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ApiError && error.code === 'BAD_IMAGE') return null
    throw error
  }
}
