import type { HttpResponse } from 'uWebSockets.js'
import { STATUS_CODES } from 'node:http'
import { type Answer, type Header, JsonBytes } from './answer.js'
import { writeChunks } from './write-chunks.js'

const statusLines: ReadonlyMap<number, string> = new Map(
  Object.entries(STATUS_CODES).map(([code, text]) => [Number(code), `${code} ${text}`]),
)

// Bytes: the size of uWebSockets' cork buffer. uWebSockets copies short bodies into it, so one shared buffer can assemble all of them.
const short = Buffer.allocUnsafe(16 * 1024)

/** How an answer ends. */
interface Ending {
  /** Write only the headers, as if the body followed. */
  readonly isHead: boolean
  /** Close the connection after this answer: what may still arrive would be read as the next request. */
  readonly closes: boolean
}

export interface Manner extends Ending {
  /** CORS headers and cookies. */
  readonly further: readonly Header[]
  /** The value of Content-Type with the following header lines; uWebSockets writes it unchanged. */
  readonly head: string
}

type Content = Answer['body']

/** Writes the answer of an operation. Must be called once, corked. */
export function writeAnswer(res: HttpResponse, { status, body, headers }: Answer, manner: Manner): void {
  writeStatus(res, status)
  if (status !== 204) res.writeHeader('Content-Type', manner.head)
  writeHeaders(res, headers)
  writeHeaders(res, manner.further)
  endAnswer(res, status, body, manner)
}

/** Writes the head of an answer whose events follow. Must be called once, corked. */
export function beginStream(res: HttpResponse, { headers }: Answer, { further, head }: Manner): void {
  res.writeHeader('Content-Type', head.replace(/^[^\r]+/, 'text/event-stream'))
  writeHeaders(res, headers)
  writeHeaders(res, further)
}

export function endStream(res: HttpResponse, closes: boolean): void {
  res.cork(() => res.end('', closes))
}

/**
 * Writes an answer that belongs to no operation. Must be called once.
 * @param body a number: the length in bytes of a body that is not at hand, for HEAD; undefined: there is none
 */
export function writeWhole(
  res: HttpResponse,
  status: number,
  {
    headers,
    body,
    ending,
  }: { readonly headers: readonly Header[]; readonly body?: Content | number; readonly ending: Ending },
): void {
  res.cork(() => {
    writeHead(res, status, headers)
    endAnswer(res, status, body, ending)
  })
}

/** Writes the status line and the headers of an answer whose body follows in chunks. Must be called corked. */
export function writeHead(res: HttpResponse, status: number, headers: readonly Header[]): void {
  writeStatus(res, status)
  writeHeaders(res, headers)
}

function writeStatus(res: HttpResponse, status: number): void {
  if (status !== 200) res.writeStatus(statusLines.get(status) ?? String(status))
}

function writeHeaders(res: HttpResponse, headers: readonly Header[]): void {
  for (const [name, value] of headers) res.writeHeader(name, value)
}

/** Ends every answer whose body does not follow in chunks (RFC 9110: 204 and 304 have no body, and no length of one). */
function endAnswer(
  res: HttpResponse,
  status: number,
  body: Content | number | undefined,
  { isHead, closes }: Ending,
): void {
  if (status === 304) endWithoutBody(res, undefined, closes)
  // uWebSockets closes a connection itself only if a length is named, and clients ignore it after 204 (RFC 9112, 6.3).
  else if (status === 204) endWithoutBody(res, closes ? 0 : undefined, closes)
  else if (isHead) endWithoutBody(res, lengthOf(body), closes)
  else if (body === undefined || typeof body === 'number') res.end('', closes)
  else if (!(body instanceof JsonBytes)) res.end(body as string | Uint8Array, closes)
  else if (body.most <= short.length) res.end(short.subarray(0, body.copyTo(short)), closes)
  else writeChunks(res, body, closes)
}

/** `length`: of the body that GET would have, in bytes; undefined: unknown, or none. */
function endWithoutBody(res: HttpResponse, length: number | undefined, closes: boolean): void {
  if (closes && length !== undefined) {
    // uWebSockets writes Content-Length and Connection itself, and reads no further request.
    res.endWithoutBody(length, true)
    return
  }
  if (length !== undefined) res.writeHeader('Content-Length', String(length))
  if (closes) res.writeHeader('Connection', 'close')
  // Without arguments: uWebSockets takes `undefined` for a length of 2^63, and waits for a body if a length is named.
  res.endWithoutBody()
}

function lengthOf(body: Content | number | undefined): number | undefined {
  if (body === undefined || typeof body === 'number') return body
  return body instanceof JsonBytes ? body.length : Buffer.byteLength(body as string | Uint8Array)
}
