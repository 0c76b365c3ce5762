import { posix } from 'node:path'
import type { Archive } from '../archive.js'
import { firstText, inside, type Loose, listOf } from '../loose.js'
import type { SourceBytes, SourceFile } from '../source.js'

/** The bytes of an address: with `--media` of the exporter a path beside the file. Undefined: they are nowhere. */
export function fileAt(archive: Archive, file: string, address: string): SourceBytes | undefined {
  if (address === '') return undefined
  if (/^https?:/i.test(address)) return { at: 'download', bytes: 0, address }
  const entry = [address, unescaped(address)]
    .map(path => posix.join(posix.dirname(file), path.replaceAll('\\', '/')))
    .find(path => archive.has(path))
  return entry === undefined ? undefined : { at: 'archive', bytes: archive.sizeOf(entry), entry }
}

/** The exporter escapes paths as addresses are. */
function unescaped(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** The files of a message. */
export function filesOf({ attachments }: Loose, bytesAt: (address: string) => SourceBytes | undefined): SourceFile[] {
  return listOf(attachments).map(one => {
    const { url, fileName, fileSizeBytes } = inside(one)
    const address = firstText(url)
    const name = firstText(fileName, posix.basename(address), 'file')
    if (hasExpired(address)) return { name, at: 'nowhere', why: 'the link has expired' }
    const found = bytesAt(address)
    if (!found) return { name, at: 'nowhere', why: 'not in the archive' }
    const bytes = typeof fileSizeBytes === 'number' && fileSizeBytes > 0 ? fileSizeBytes : 0
    return { name, ...found, bytes: found.bytes || bytes }
  })
}

/** Discord's links hold until when they are good, in seconds as hexadecimal digits. */
function hasExpired(address: string): boolean {
  const [, until] = /^https?:.*[?&]ex=([0-9a-f]{1,10})(?:&|$)/i.exec(address) ?? []
  return until !== undefined && Number.parseInt(until, 16) * 1000 < Date.now()
}
