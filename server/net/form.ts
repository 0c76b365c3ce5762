import { isUtf8 } from 'node:buffer'
import { badRequest } from '../../shared/errors.js'

/**
 * Adds the pairs of a query or an urlencoded body. The last of equal names wins.
 * @throws {ApiError} BAD_REQUEST for a malformed escape or text that is not UTF-8.
 */
export function readForm(text: string, into: Map<string, unknown>): void {
  let start = 0
  while (start < text.length) {
    let end = text.indexOf('&', start)
    if (end < 0) end = text.length
    if (end > start) {
      const equals = text.indexOf('=', start)
      if (equals < 0 || equals >= end) into.set(decode(text.slice(start, end)), '')
      else into.set(decode(text.slice(start, equals)), decode(text.slice(equals + 1, end)))
    }
    start = end + 1
  }
}

/** @throws {ApiError} BAD_REQUEST when the bytes are not UTF-8. */
export function readText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw badRequest('The request is not valid UTF-8.')
  return bytes.toString('utf8')
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    throw badRequest('A parameter has a malformed escape or is not valid UTF-8.')
  }
}
