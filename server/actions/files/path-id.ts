import { randomBytes } from 'node:crypto'

// The protocol has a number for the organization here; a server has one organization.
const organization = 1
// A file system takes names of 255 bytes.
const mostBytes = 200

/**
 * The path of a new file: `1/<two digits>/<random>/<name>`. Only characters that the references in messages may have, and nothing that
 * is special in a path (docs/protocol/files.md#addresses).
 */
export function newPathId(name: string): string {
  // A reference ends before a character that is not a word character, so a leading `-` or `_` is as good as any other.
  const random = randomBytes(18).toString('base64url')
  const directory = randomBytes(1).toString('hex')
  return `${organization}/${directory}/${random}/${storedName(name)}`
}

/** A file's name for people: the last segment of what the client gave, without characters that mislead or cannot be seen. */
export function displayName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? ''
  const name = last
    .replace(/[\p{Cc}\p{Cs}]/gu, '')
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()
  return name === '' || /^\.{1,2}$/.test(name) ? 'uploaded-file' : name
}

/** The name of a form's file: clients escape names that are not ASCII with percents. */
export function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The last segment of a path, from the name that the client gave. */
export function storedName(name: string): string {
  const kept = name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}\p{M}_\s.-]/gu, '')
    .trim()
    .replace(/[\s-]+/g, '-')
  const short = shorten(kept)
  return short === '' || /^\.{1,2}$/.test(short) ? 'uploaded-file' : short
}

/** Cuts the beginning, so that the extension stays. */
function shorten(name: string): string {
  const characters = [...name]
  let bytes = Buffer.byteLength(name)
  let first = 0
  while (bytes > mostBytes) bytes -= Buffer.byteLength(characters[first++] as string)
  return characters.slice(first).join('')
}
