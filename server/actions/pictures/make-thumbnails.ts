import { ApiError } from '../../../shared/errors.js'
import type { Ctx } from '../../ctx.js'
import { DecoderFailure } from '../../images/picture-queue.js'
import { adoptFile } from '../../store/files/loose-files.js'
import {
  claimPicture,
  type DuePicture,
  endPicture,
  messagesWithPlaceholder,
  returnPicture,
  setNoPicture,
  setThumbnails,
} from '../../store/files/thumbnails.js'
import { drawThumbnails } from '../files/thumbnails.js'
import { renderAgain } from '../messages/render-again.js'
import { withStored } from './stored-picture.js'

// After so many attempts at which the decoder died or took too long, the picture gets no thumbnails.
const mostAttempts = 3

/**
 * Makes the thumbnails of one picture that waits for them, and renders the messages that show it again. A message may be stored shortly after
 * that with the placeholder, so the messages are looked at a second time: when its sender's worker has stored it (`hastenPictures`), or, if
 * that worker died, after a minute.
 * @returns false if no picture was due, or the decoder has no time
 */
export async function makeThumbnails(ctx: Ctx): Promise<boolean> {
  const picture = await claimPicture(ctx.sql, ctx.pictures.use.all)
  if (!picture) return false
  const isSecondLook = picture.has_thumbnails || (picture.width === null && !picture.awaits_size)
  if (!isSecondLook) {
    try {
      await draw(ctx, picture)
    } catch (error) {
      // The claim ends after a minute: another attempt, which counts.
      if (error instanceof DecoderFailure) return true
      await returnPicture(ctx.sql, picture.id)
      // The decoder had no time for it: the next interval tries again.
      if (error instanceof ApiError) return false
      throw error
    }
  }
  for (const id of await messagesWithPlaceholder(ctx.sql, picture.id)) await renderAgain(ctx, id)
  if (isSecondLook) await endPicture(ctx.sql, picture.id)
  return true
}

async function draw(ctx: Ctx, file: DuePicture): Promise<void> {
  const drawn = file.thumbnail_attempts > mostAttempts ? null : await drawThumbnails(ctx, file)
  if (!drawn) return setNoPicture(ctx.sql, file.id)
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
