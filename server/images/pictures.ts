import { budgets } from '../config/budgets.js'
import type { PictureHeader, ThumbnailForm } from './drawing.js'
import { badImage, type PictureQueue, type PictureSource } from './picture-queue.js'

/** A square picture in two sizes, both PNG: 100 and 500 pixels. */
interface SquarePicture {
  readonly small: Buffer
  readonly medium: Buffer
}

/** The pictures of a custom emoji, 64 x 64 pixels. */
interface EmojiPicture {
  /** In the format of the given picture. */
  readonly picture: Buffer
  /** Of that format, with the dot. */
  readonly extension: string
  /** The first frame of an animated one, as PNG. */
  readonly still: Buffer | null
}

/** Reads the header of a picture. @throws the errors of `PictureQueue.draw` */
export async function pictureHeader(queue: PictureQueue, source: PictureSource): Promise<PictureHeader> {
  return (await queue.draw(source, { kind: 'header' })).header
}

/** Scales the shorter side to the square, and cuts the rest off around the centre. @throws as above */
export async function squarePicture(queue: PictureQueue, source: PictureSource): Promise<SquarePicture> {
  const [medium, small] = (await queue.draw(source, { kind: 'square' })).made
  if (!medium || !small) throw badImage()
  return { medium, small }
}

/** Scales a picture down to fit into 800 x 100 pixels, as PNG. @throws as above */
export async function widePicture(queue: PictureQueue, source: PictureSource): Promise<Buffer> {
  const [picture] = (await queue.draw(source, { kind: 'wide' })).made
  if (!picture) throw badImage()
  return picture
}

/** Scales a picture down to fit into each of the forms, as WebP. @throws as above */
export async function thumbnails(
  queue: PictureQueue,
  source: PictureSource,
  forms: readonly ThumbnailForm[],
): Promise<readonly Buffer[]> {
  return (await queue.draw(source, { kind: 'thumbnails', forms })).made
}

/** Scales a picture to the square of an emoji. @throws as above, and BAD_IMAGE if its format or result is not that of an emoji */
export async function emojiPicture(queue: PictureQueue, source: PictureSource): Promise<EmojiPicture> {
  const { header, made } = await queue.draw(source, { kind: 'emoji' })
  const [picture, still = null] = made
  // Of an animated one the still counts.
  if (!picture || (still ?? picture).length > budgets.emojiBytes.most) throw badImage()
  return { picture, extension: header.format === 'jpeg' ? '.jpg' : `.${header.format}`, still }
}
