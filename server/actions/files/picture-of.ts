import { budgets } from '../../config/budgets.js'
import type { ThumbnailForm } from '../../images/drawing.js'
import type { StoredFile } from '../../store/files/attachments.js'
import type { UploadedPicture } from '../../text/uploaded-files.js'

/** A form in which the server offers smaller copies of uploaded pictures (docs/protocol/files.md#thumbnails). */
interface ThumbnailFormat {
  readonly name: string
  readonly max_width: number
  readonly max_height: number
  readonly format: string
  readonly animated: boolean
}

const form = { max_width: 840, max_height: 560, format: 'webp' }

/** All forms, the preferred one first; animated ones exist only of animated pictures. */
export const thumbnailFormats: readonly ThumbnailFormat[] = [
  { name: '840x560-anim.webp', ...form, animated: true },
  { name: '840x560.webp', ...form, animated: false },
]

// Types that browsers do not show; a larger copy than WebP can hold, or than the decoder has memory for, is not made.
const unseen = /^image\/tiff$/i
const mostWebpSide = 16_383

type PictureColumns = Pick<
  StoredFile,
  'content_type' | 'width' | 'height' | 'frames' | 'has_thumbnails' | 'awaits_size'
>

/** The picture that a file holds; null: it has no thumbnails. */
export function pictureOf(file: PictureColumns): UploadedPicture | null {
  const { content_type, width, height, frames, has_thumbnails } = file
  if (file.awaits_size) return { size: null, isAnimated: false, isReady: false, transcoded: null }
  if (width === null || height === null) return null
  const hasCopy =
    unseen.test(content_type) && Math.max(width, height) <= mostWebpSide && width * height <= budgets.copiedPixels.most
  return {
    size: { width, height },
    isAnimated: (frames ?? 1) > 1,
    isReady: has_thumbnails,
    transcoded: hasCopy ? `${width}x${height}.webp` : null,
  }
}

/** Forms in which a picture exists, with their names in its addresses; none while its size is not known. */
export function formsOf(picture: UploadedPicture): (ThumbnailForm & { readonly name: string })[] {
  if (!picture.size) return []
  const forms = thumbnailFormats
    .filter(({ animated }) => !animated || picture.isAnimated)
    .map(({ name, max_width, max_height, animated }) => ({
      name,
      width: max_width,
      height: max_height,
      isAnimated: animated,
    }))
  const { transcoded, size } = picture
  return transcoded === null ? forms : [...forms, { name: transcoded, ...size, isAnimated: false }]
}

/** The key of a thumbnail in the store of files. */
export const thumbnailKey = (pathId: string, name: string): string => `thumbnails/${pathId}/${name}`

/** All keys that belong to a file. */
export function keysOf(file: PictureColumns & Pick<StoredFile, 'path_id'>): string[] {
  const picture = pictureOf(file)
  const thumbnails = picture ? formsOf(picture).map(({ name }) => thumbnailKey(file.path_id, name)) : []
  return [file.path_id, ...thumbnails]
}
