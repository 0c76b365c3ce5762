import { randomBytes } from 'node:crypto'
import { cleanName, withoutInvisible } from '../../text/clean-name.js'

// The protocol has a number for the organization here; a server has one organization.
const organization = 1
// A file system takes names of 255 bytes.
const mostBytes = 200
// Of a name for people; file systems take about as many.
const mostCharacters = 255
const fallback = 'uploaded-file'
const onlyDots = /^[.\s]*$/
// The Braille blank shows nothing either.
const blankEnds = /^[\s\u2800]+|[\s\u2800]+$/g

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
  const last = shorten((given.split(/[/\\]/).at(-1) ?? '').trim())
  const name = withoutInvisible(last.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, '')).replace(blankEnds, '')
  if (onlyDots.test(name) || cleanName(name) === '') return fallback
  // Nothing could be seen before the extension.
  return name.startsWith('.') && !last.startsWith('.') ? fallback + name : name
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
  const short = cut(kept)
  return onlyDots.test(short) ? fallback : short
}

/** Cuts the beginning, so that the extension stays. */
const shorten = (name: string): string => [...name].slice(-mostCharacters).join('')

/** The same for a name on the disk. */
function cut(name: string): string {
  const characters = [...name]
  let bytes = Buffer.byteLength(name)
  let first = 0
  while (bytes > mostBytes) bytes -= Buffer.byteLength(characters[first++] as string)
  return characters.slice(first).join('')
}
