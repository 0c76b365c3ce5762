import type { StoredFile } from '../../store/files/attachments.js'
import type { Header } from '../answer.js'

// Types that browsers show without running anything of ours; every other type is downloaded (docs/protocol/files.md#answers).
const shown: ReadonlySet<string> = new Set([
  'application/pdf',
  ...['aac', 'flac', 'mp4', 'mpeg', 'wav', 'webm'].map(type => `audio/${type}`),
  ...['apng', 'avif', 'gif', 'jpeg', 'png', 'webp'].map(type => `image/${type}`),
  ...['mp4', 'webm'].map(type => `video/${type}`),
])

/** Headers of everything that is served from files. */
export const commonHeaders: readonly Header[] = [
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Allow-Headers', 'Authorization'],
  ['Access-Control-Allow-Methods', 'GET, POST, DELETE, PUT, PATCH, HEAD'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
]

/** Content Security Policy of everything that is no picture of people. */
export const contentPolicy =
  "default-src 'none'; media-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self'; object-src 'self'"

/** Headers of a file, without its content type. */
export function fileHeaders(
  file: Pick<StoredFile, 'name' | 'content_type' | 'path_id'>,
  isDownload: boolean,
): Header[] {
  const kind = isDownload || !shown.has(bareType(file.content_type)) ? 'attachment' : 'inline'
  return [
    ...commonHeaders,
    ['Content-Disposition', `${kind}; ${fileNameWords(file.name)}`],
    ['Content-Security-Policy', contentPolicy],
    ['Cache-Control', 'private, immutable'],
    ['ETag', etagOf(file)],
    ['Accept-Ranges', 'bytes'],
  ]
}

/** The bytes behind a path never change. */
export const etagOf = ({ path_id }: Pick<StoredFile, 'path_id'>): string => `"${path_id.split('/').at(-2)}"`

const bareType = (type: string): string => (type.split(';')[0] ?? '').trim().toLowerCase()

/** By RFC 6266: the plain form for old clients, the second for names with other characters. */
function fileNameWords(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  if (plain === name) return `filename="${plain}"`
  const encoded = encodeURIComponent(name).replace(/['()*]/g, one => `%${one.charCodeAt(0).toString(16)}`)
  return `filename="${plain}"; filename*=utf-8''${encoded}`
}
