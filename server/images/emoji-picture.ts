import type { Sharp } from 'sharp'
import { budgets } from '../config/budgets.js'
import { badImage, drawing } from './pictures.js'

/** The pictures of a custom emoji, 64 x 64 pixels. */
export interface EmojiPicture {
  /** In the format of the given picture. */
  readonly picture: Buffer
  /** Of that format, with the dot. */
  readonly extension: string
  /** The first frame of an animated one, as PNG. */
  readonly still: Buffer | null
}

const side = 64
const clear = { r: 0, g: 0, b: 0, alpha: 0 }

const formats: Readonly<Record<string, readonly [extension: string, encode: (picture: Sharp) => Sharp]>> = {
  avif: ['.avif', picture => picture.avif()],
  gif: ['.gif', picture => picture.gif()],
  jpeg: ['.jpg', picture => picture.jpeg()],
  png: ['.png', picture => picture.png()],
  webp: ['.webp', picture => picture.webp()],
}

/**
 * Scales a picture to the square of an emoji: a still one is cut around its centre; the frames of an animated one are shown as a whole.
 * @throws {ApiError} BAD_IMAGE for other formats and too large pictures; SERVER_NOT_READY
 */
export function emojiPicture(bytes: Buffer): Promise<EmojiPicture> {
  return drawing(bytes, async (open, { format, frames }) => {
    const [extension, encode] = formats[format] ?? []
    if (extension === undefined || encode === undefined || frames > budgets.emojiFrames.most) throw badImage()
    if (frames === 1) {
      const picture = await encode(open().resize(side, side, { fit: 'cover' })).toBuffer()
      if (picture.length > budgets.emojiBytes.most) throw badImage()
      return { picture, extension, still: null }
    }
    const whole = (picture: Sharp) => picture.resize(side, side, { fit: 'contain', background: clear })
    const still = await whole(open()).png().toBuffer()
    if (still.length > budgets.emojiBytes.most) throw badImage()
    return { picture: await encode(whole(open(true))).toBuffer(), extension, still }
  })
}
