import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { extraEmojiPicture } from '../../text/emoji.js'

/** A file of the built pages, with its compressed forms where these are smaller. */
export interface SiteFile {
  /** The request path: `/`, `/status`, `/assets/chat-B1x9.js`. */
  readonly path: string
  readonly type: string
  readonly isPage: boolean
  /** The name changes with the content, so clients need no revalidation. */
  readonly isImmutable: boolean
  readonly etag: string
  readonly bytes: Buffer
  readonly gzip?: Buffer
  readonly brotli?: Buffer
}

const extraEmoji = extraEmojiPicture('service')

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
}

/** Reads the built pages; an empty list when the build has none. `brand`: the name of the extra emoji, and of its picture. */
export function readSite(directory: string, brand: string): SiteFile[] {
  if (!existsSync(directory)) return []
  return (
    readdirSync(directory, { withFileTypes: true, recursive: true })
      .filter(entry => entry.isFile() && Object.hasOwn(types, extname(entry.name)))
      .map(entry => readFile(directory, join(entry.parentPath ?? entry.path, entry.name)))
      // Clients link to many pages of help; this server has one.
      .flatMap(file => (file.path === '/help' ? [file, { ...file, path: '/help/*' }] : [file]))
      .map(file => (file.path === extraEmoji ? { ...file, path: extraEmojiPicture(brand) } : file))
  )
}

function readFile(directory: string, file: string): SiteFile {
  const name = relative(directory, file).replaceAll('\\', '/')
  const bytes = readFileSync(file)
  const packed = (ending: string) => (existsSync(file + ending) ? readFileSync(file + ending) : undefined)
  return {
    path: pathOf(name),
    type: types[extname(name)] as string,
    isPage: name.endsWith('.html'),
    isImmutable: name.startsWith('assets/'),
    etag: `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    bytes,
    gzip: packed('.gz'),
    brotli: packed('.br'),
  }
}

/** `index.html` is the page of its folder. */
function pathOf(name: string): string {
  const path = `/${name}`.replace(/\/index\.html$/, '')
  return path === '' ? '/' : path
}
