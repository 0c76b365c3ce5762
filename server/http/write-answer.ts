import type { HttpResponse } from 'uWebSockets.js'
import { STATUS_CODES } from 'node:http'
import { type Answer, type Header, JsonBytes } from './answer.js'
import { writeChunks } from './write-chunks.js'

const statusLines = new Map(Object.entries(STATUS_CODES).map(([code, text]) => [Number(code), `${code} ${text}`]))

// Bytes: the size of uWebSockets' cork buffer. uWebSockets copies short bodies into it, so one shared buffer can assemble all of them.
const short = Buffer.allocUnsafe(16 * 1024)

export interface Manner {
  /** Write only the headers, as if the body followed. */
  readonly isHead: boolean
  /** Close the connection after this answer. */
  readonly closes: boolean
  readonly cors: readonly Header[]
  /** The value of Content-Type with the following header lines; uWebSockets writes it unchanged. */
  readonly head: string
}

/** Writes a whole answer. Must be called once, corked. */
export function writeAnswer(
  res: HttpResponse,
  { status, body, headers }: Answer,
  { isHead, closes, cors, head }: Manner,
): void {
  if (status !== 200) res.writeStatus(statusLines.get(status) ?? String(status))
  if (status !== 204) res.writeHeader('Content-Type', head)
  for (const [name, value] of headers) res.writeHeader(name, value)
  for (const [name, value] of cors) res.writeHeader(name, value)
  if (status !== 204 && !isHead) {
    if (!(body instanceof JsonBytes)) res.end(body as string | Uint8Array, closes)
    else if (body.most <= short.length) res.end(short.subarray(0, body.copyTo(short)), closes)
    else writeChunks(res, body, closes)
    return
  }
  const length = !isHead ? 0 : body instanceof JsonBytes ? body.length : Buffer.byteLength(body as string)
  if (closes) {
    // uWebSockets writes Content-Length and Connection itself, and reads no further request.
    res.endWithoutBody(length, true)
    return
  }
  if (isHead) res.writeHeader('Content-Length', String(length))
  // Called without arguments: with a length, uWebSockets would wait for a body.
  res.endWithoutBody()
}
