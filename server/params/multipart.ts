import { badRequest } from '../../shared/errors.js'
import { budgets } from '../config/budgets.js'
import { FilePart } from './file-part.js'
import { type Pairs, readText } from './form.js'

// Spaces between a delimiter and its line end, which some proxies add (RFC 2046 5.1.1).
const maxPadding = 80
const headEnd = Buffer.from('\r\n\r\n')

/**
 * Adds the parts of a multipart/form-data body; the value of a file is a FilePart. Not by the platform's `FormData`: it bounds neither the number of parts nor their heads, replaces
 * bytes that are not UTF-8, copies each part, and is asynchronous.
 * @throws {ApiError} BAD_REQUEST for a malformed body, or too many parts.
 */
export function readMultipart(body: Buffer, contentType: string, into: Pairs): void {
  const boundary = headerWord(contentType, 'boundary')
  if (!boundary || boundary.length > 200) throw malformed()
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
  let at = firstDelimiter(body, delimiter)
  for (;;) {
    // After a delimiter: `--` ends the body, spaces and a line end begin a part.
    if (body[at] === 0x2d && body[at + 1] === 0x2d) return
    for (const most = at + maxPadding; at < most && (body[at] === 0x20 || body[at] === 0x09); ) at++
    if (body[at] !== 0x0d || body[at + 1] !== 0x0a) throw malformed()
    into.count(1)
    const head = body.indexOf(headEnd, at)
    if (head < 0 || head - at > budgets.partHead.most) throw malformed()
    const valueStart = head + headEnd.length
    const valueEnd = body.indexOf(delimiter, valueStart - 2)
    if (valueEnd < 0) throw malformed()
    // A part without a value may share its line end with the delimiter.
    addPart(readText(body.subarray(at + 2, head)), body.subarray(valueStart, Math.max(valueStart, valueEnd)), into)
    at = valueEnd + delimiter.length
  }
}

function firstDelimiter(body: Buffer, delimiter: Buffer): number {
  if (body.subarray(0, delimiter.length - 2).equals(delimiter.subarray(2))) return delimiter.length - 2
  const at = body.indexOf(delimiter)
  if (at < 0) throw malformed()
  return at + delimiter.length
}

function addPart(head: string, value: Buffer, into: Pairs): void {
  const disposition = headerLine(head, 'content-disposition')
  const name = disposition && headerWord(disposition, 'name')
  if (disposition === undefined || name === undefined) throw malformed()
  const filename = headerWord(disposition, 'filename')
  into.set(
    name,
    filename === undefined ? readText(value) : new FilePart(filename, headerLine(head, 'content-type') ?? '', value),
  )
}

/** The value of a part's header. */
function headerLine(head: string, name: string): string | undefined {
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon >= 0 && line.slice(0, colon).trim().toLowerCase() === name) return line.slice(colon + 1).trim()
  }
  return undefined
}

/** The value of a header's parameter (`…; name="value"`), without quotes. */
export function headerWord(header: string, name: string): string | undefined {
  let at = header.indexOf(';')
  while (at >= 0) {
    const equals = header.indexOf('=', at)
    if (equals < 0) return undefined
    const isMeant =
      header
        .slice(at + 1, equals)
        .trim()
        .toLowerCase() === name
    let value: string
    if (header[equals + 1] === '"') {
      const end = closingQuote(header, equals + 2)
      // `replaceAll` costs ten times as much per match.
      value = header
        .slice(equals + 2, end)
        .split('\\"')
        .join('"')
        .split('%22')
        .join('"')
      at = header.indexOf(';', end)
    } else {
      const end = header.indexOf(';', equals)
      value = header.slice(equals + 1, end < 0 ? undefined : end).trim()
      at = end
    }
    if (isMeant) return value
  }
  return undefined
}

function closingQuote(header: string, start: number): number {
  for (let i = start; i < header.length; i++) {
    if (header[i] === '\\') i++
    else if (header[i] === '"') return i
  }
  return header.length
}

const malformed = () => badRequest('The multipart body is malformed.')
