import type { Sharp } from 'sharp'
import { ApiError } from '../../shared/errors.js'
import { BoundedWork } from '../concurrency/bounded-work.js'
import { budgets } from '../config/budgets.js'

const secondsAtMost = 10
const work = new BoundedWork(2, 50, 'Too many pictures are waiting: try again.')

/** A square picture in two sizes, both PNG: 100 and 500 pixels. */
export interface SquarePicture {
  readonly small: Buffer
  readonly medium: Buffer
}

/**
 * Scales the shorter side to the square, and cuts the rest off around the centre.
 * @throws {ApiError} BAD_IMAGE for a file that is no picture, or one with too many pixels; SERVER_NOT_READY
 */
export function squarePicture(bytes: Buffer): Promise<SquarePicture> {
  return drawing(bytes, async open => {
    const medium = await open().resize(500, 500, { fit: 'cover' }).png().toBuffer()
    const small = await open().resize(100, 100, { fit: 'cover' }).png().toBuffer()
    return { small, medium }
  })
}

/** Scales a picture down to fit into 800 x 100 pixels, as PNG. @throws {ApiError} BAD_IMAGE, SERVER_NOT_READY */
export const widePicture = (bytes: Buffer): Promise<Buffer> =>
  drawing(bytes, open => open().resize(800, 100, { fit: 'inside', withoutEnlargement: true }).png().toBuffer())

/** What the header of a picture says. Sizes in pixels, as it is shown. */
export interface PictureHeader {
  /** `jpeg`, `png`, `webp`, `gif`, `tiff`, `avif` or `heif`. */
  readonly format: string
  readonly width: number
  readonly height: number
  /** More than one: it is animated. */
  readonly frames: number
}

/** Reads the header of a picture. @throws {ApiError} BAD_IMAGE as above, SERVER_NOT_READY */
export const pictureHeader = (bytes: Buffer): Promise<PictureHeader> => drawing(bytes, async (_, header) => header)

/** Scales a picture down to fit into a size, as WebP; with all frames or only the first one. @throws {ApiError} as above */
export const thumbnail = (
  bytes: Buffer,
  { width, height, isAnimated }: { width: number; height: number; isAnimated: boolean },
): Promise<Buffer> =>
  drawing(bytes, open =>
    open(isAnimated).resize(width, height, { fit: 'inside', withoutEnlargement: true }).webp().toBuffer(),
  )

/** Checks the header of a picture before its pixels are decoded; of several frames the first one counts. @throws {ApiError} as above */
export function drawing<T>(
  bytes: Buffer,
  draw: (open: (isAnimated?: boolean) => Sharp, header: PictureHeader) => Promise<T>,
): Promise<T> {
  const options = { limitInputPixels: budgets.picturePixels.most, failOn: 'error', sequentialRead: true } as const
  return work.run(async () => {
    // Loaded for the first picture: the library takes a third of a second and 14 MB of each worker.
    const { sharp } = await import('./sharp.js')
    const open = (animated = false) =>
      sharp(bytes, { ...options, animated })
        .autoOrient()
        .timeout({ seconds: secondsAtMost })
    try {
      const { format: kind, compression, pages = 1, autoOrient } = await sharp(bytes, options).metadata()
      const { width, height } = autoOrient
      if (width * height * pages > budgets.picturePixels.most) throw badImage()
      const format = kind === 'heif' && compression === 'av1' ? 'avif' : kind
      // The pages of other formats are no animation.
      const frames = format === 'gif' || format === 'webp' ? pages : 1
      return await draw(open, { format, width, height, frames })
    } catch (error) {
      // The library has plain errors only: whatever it cannot read is no picture for this server.
      throw error instanceof ApiError ? error : badImage()
    }
  })
}

export const badImage = () => new ApiError('BAD_IMAGE', 'Could not decode image; did you upload an image file?')
