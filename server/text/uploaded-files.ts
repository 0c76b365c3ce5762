import { budgets } from '../config/budgets.js'

/** A picture whose thumbnail a message shows. */
export interface UploadedPicture {
  /** In pixels, as the picture is shown; null: not known yet. */
  readonly size: { readonly width: number; readonly height: number } | null
  readonly isAnimated: boolean
  /** The thumbnails exist; until then messages hold a placeholder. */
  readonly isReady: boolean
  /** Name of the full-size copy, for types that browsers do not show; null: none. */
  readonly transcoded: string | null
}

/** An uploaded file that the author of a message may read. */
export interface UploadedFile {
  /** Content type as the uploader gave it. */
  readonly type: string
  /** Null: the file has no thumbnails. */
  readonly picture: UploadedPicture | null
}

const root = '/user_uploads/'
const reference = /\/user_uploads\/(\d+\/[\p{L}\p{N}\p{M}_/.-]+)/gu

/** Paths of all files that a text may link to, before it is parsed; at most `budgets.filesInMessage`. */
export function pathsIn(content: string): string[] {
  if (!content.includes(root)) return []
  const paths = new Set<string>()
  for (const [, path = ''] of content.matchAll(reference)) {
    paths.add(path)
    // Full stops behind an address are no part of it.
    paths.add(path.replace(/\.+$/, ''))
    if (paths.size >= budgets.filesInMessage.most) break
  }
  return [...paths]
}

/** The path of the uploaded file that an address on this server names. */
export function pathOfFile(url: string): string | undefined {
  if (!url.startsWith(root)) return undefined
  const [path = ''] = url.slice(root.length).split(/[?#]/, 1)
  try {
    return /^\d+\/[\p{L}\p{N}\p{M}_/.-]+$/u.exec(decodeURIComponent(path))?.[0]
  } catch {
    return undefined
  }
}

/** The file that an address names, if the author may read it. */
export function fileAt(
  names: { uploadedFile(path: string): UploadedFile | undefined },
  url: string,
): (UploadedFile & { readonly path: string }) | undefined {
  const path = pathOfFile(url)
  const file = path === undefined ? undefined : names.uploadedFile(path)
  return file && path !== undefined ? { ...file, path } : undefined
}

/** Attributes of the `img` that shows a picture, in the order of the alphabet (docs/protocol/message-html.md#pictures). */
export function pictureAttributes(
  path: string,
  { type, picture }: UploadedFile & { readonly picture: UploadedPicture },
  more: Readonly<Record<string, string>> = {},
): [string, string][] {
  const { class: kind, ...rest } = more
  const classes = [kind, !picture.isReady && 'image-loading-placeholder'].filter(Boolean).join(' ')
  const attributes: Record<string, string> = {
    ...rest,
    ...(classes !== '' && { class: classes }),
    ...(picture.isAnimated && { 'data-animated': 'true' }),
    'data-original-content-type': type,
    ...(picture.size && { 'data-original-dimensions': `${picture.size.width}x${picture.size.height}` }),
    ...(picture.transcoded !== null && { 'data-transcoded-image': picture.transcoded }),
    src: picture.isReady
      ? `${root}thumbnail/${path}/840x560${picture.isAnimated ? '-anim' : ''}.webp`
      : '/static/images/loading/loader-black.svg',
  }
  return Object.entries(attributes).sort(([one], [other]) => (one < other ? -1 : 1))
}
