import type { ByteRange } from '../../storage/storage.js'

/**
 * The one range of a Range header (RFC 9110, 14.1.2) within a file of `size` bytes. Undefined: the whole file, also for a header that is
 * malformed or has several ranges. Null: no byte of the range exists.
 */
export function rangeOf(header: string, size: number): ByteRange | undefined | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.replace(/\s/g, ''))
  if (!match) return undefined
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? null : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start >= size ? null : { start, end }
}
