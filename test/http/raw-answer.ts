export interface RawAnswer {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** The values of a header of an answer, in order. */
export const valuesOf = ({ head }: RawAnswer, name: string): string[] =>
  [...head.matchAll(new RegExp(`^${name}: *(.*?) *\\r?$`, 'gim'))].map(([, value]) => value as string)

/** Whether the server ends the connection after this answer. */
export const closes = (answer: RawAnswer): boolean =>
  valuesOf(answer, 'connection').some(value => value.toLowerCase() === 'close')

/**
 * The first answer in these bytes, to a request of this method, and where it ends; undefined: it has not arrived whole.
 * @throws if its framing is not what HTTP allows: a client that reads it as written loses track of the connection.
 */
export function takeAnswer(
  received: string,
  method: string,
  isClosed: boolean,
): { answer: RawAnswer; end: number } | undefined {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const start = headEnd + 4
  const answer = { status: Number(received.slice(9, 12)), head: received.slice(0, headEnd), body: '' }
  if (answer.status === 100) {
    const next = takeAnswer(received.slice(start), method, isClosed)
    return next && { answer: next.answer, end: start + next.end }
  }
  const length = lengthOf(answer)
  if (answer.status < 200 || [204, 304].includes(answer.status) || method === 'HEAD') return { answer, end: start }
  if (length === 'chunked') return takeChunks(answer, received, start)
  // Only the end of the connection tells the end of such a body.
  if (length === undefined) {
    return isClosed ? { answer: { ...answer, body: received.slice(start) }, end: received.length } : undefined
  }
  const end = start + length
  return received.length < end ? undefined : { answer: { ...answer, body: received.slice(start, end) }, end }
}

function lengthOf(answer: RawAnswer): number | 'chunked' | undefined {
  const lengths = valuesOf(answer, 'content-length')
  const encodings = valuesOf(answer, 'transfer-encoding')
  if (lengths.length + encodings.length > 1) throw malformed(answer)
  if (answer.status < 200 || answer.status === 204) {
    // The native layer closes a connection only after an answer with a length, which clients ignore after 204 (RFC 9112, 6.3).
    if (encodings.length > 0 || (lengths[0] ?? '0') !== '0') throw malformed(answer)
    return undefined
  }
  if (encodings[0] !== undefined) {
    if (encodings[0].toLowerCase() !== 'chunked') throw malformed(answer)
    return 'chunked'
  }
  const [length] = lengths
  if (length === undefined) return undefined
  if (!/^(?:0|[1-9]\d{0,11})$/.test(length)) throw malformed(answer)
  return Number(length)
}

function takeChunks(
  answer: RawAnswer,
  received: string,
  start: number,
): { answer: RawAnswer; end: number } | undefined {
  let body = ''
  for (let at = start; ; ) {
    const lineEnd = received.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const line = received.slice(at, lineEnd)
    if (!/^[0-9a-f]+$/i.test(line)) throw malformed(answer)
    const size = Number.parseInt(line, 16)
    const end = lineEnd + 2 + size
    if (received.length < end + 2) return undefined
    if (received.slice(end, end + 2) !== '\r\n') throw malformed(answer)
    if (size === 0) return { answer: { ...answer, body }, end: end + 2 }
    body += received.slice(lineEnd + 2, end)
    at = end + 2
  }
}

const malformed = ({ head }: RawAnswer) => new Error(`an answer whose framing is wrong:\n${head}`)
