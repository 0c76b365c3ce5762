import { ApiError } from '../../shared/errors.js'
import type { Codec } from '../../shared/wire/codec.js'
import { EventStream } from '../api/event-stream.js'
import { type Fields, type JsonChunk, JsonFields, Redirect } from '../api/route.js'
import type { Ctx } from '../ctx.js'
import { type DatabaseFailure, databaseFailure } from '../failures/database-failure.js'
import { isRedisAway } from '../redis/redis-away.js'
import { StorageFailure } from '../storage/storage-failure.js'

export type Header = readonly [name: string, value: string]

/** A body of chunks. Some are bytes that other answers share, so they must not be modified. */
export class JsonBytes {
  /** Upper bound of the length in bytes. */
  readonly most: number
  /** Lower bound of the length in bytes. */
  readonly least: number
  private bytes: readonly Uint8Array[] | undefined

  constructor(private readonly parts: readonly JsonChunk[]) {
    let texts = 0
    let bytes = 0
    for (const part of parts) {
      if (typeof part === 'string') texts += part.length
      else bytes += part.length
    }
    this.most = texts * 3 + bytes
    this.least = texts + bytes
  }

  get chunks(): readonly Uint8Array[] {
    this.bytes ??= joined(this.parts)
    return this.bytes
  }

  get length(): number {
    return this.chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  }

  /** Writes the body to a target with room for `most` bytes; returns the number of bytes written. */
  copyTo(target: Buffer): number {
    let end = 0
    for (const part of this.parts) {
      if (typeof part === 'string') end += target.write(part, end)
      else {
        target.set(part, end)
        end += part.length
      }
    }
    return end
  }
}

/** The result of an operation, for both transports. */
export interface Answer {
  readonly status: number
  /**
   * JSON text, or the chunks of its UTF-8 bytes, or for a MessagePack socket the value, or over HTTP events that go on. Bytes as they stand are valid only until the
   * caller returns, so the answer is written at once.
   */
  readonly body: string | JsonBytes | Uint8Array | Record<string, unknown> | EventStream
  readonly headers: readonly Header[]
  /** The error code; absent on success. */
  readonly code?: string
  /** The operation's result; undefined for an error. */
  readonly fields?: Fields
  /** It contains credentials, so it is never compressed. */
  readonly isSecret?: boolean
  /** Bytes from which it is compressed, where this is not the usual number. */
  readonly leastPacked?: number
}

/** Lower bound of a body's size in bytes, without reading the body; 0 for a value that is encoded later. */
export function sizeOf({ body }: Answer): number {
  if (typeof body === 'string' || body instanceof Uint8Array) return body.length
  return body instanceof JsonBytes ? body.least : 0
}

/** The text of a body of JSON that is whole. */
export function jsonTextOf(body: Answer['body']): string {
  if (body instanceof JsonBytes) return Buffer.concat(body.chunks).toString('utf8')
  return typeof body === 'string' ? body : Buffer.from(body as Uint8Array).toString('utf8')
}

const noHeaders: readonly Header[] = []
const unbuffered: readonly Header[] = [['X-Accel-Buffering', 'no']]
const head = '{"result":"success","msg":""'

/** The success envelope (docs/protocol/conventions.md#success). */
export function success(fields: Fields | EventStream, ignored: readonly string[], codec: Codec): Answer {
  // A proxy must pass on each event at once.
  if (fields instanceof EventStream) return { status: 200, body: fields, headers: unbuffered }
  const body = codec === 'json' ? successText(fields, ignored) : successValue(fields, ignored)
  if (fields instanceof Redirect) return { status: 302, body, headers: [['Location', fields.location]], fields }
  return { status: 200, body, headers: noHeaders, fields }
}

function successText(fields: Fields, ignored: readonly string[]): string | JsonBytes {
  const tail = ignored.length > 0 ? `,"ignored_parameters_unsupported":${JSON.stringify(ignored)}}` : '}'
  if (fields instanceof JsonFields && fields.chunks.some(chunk => typeof chunk !== 'string')) {
    return new JsonBytes([`${head},`, ...fields.chunks, tail])
  }
  const own = fields instanceof JsonFields ? fields.text : JSON.stringify(fields).slice(1, -1)
  return own === '' ? head + tail : `${head},${own}${tail}`
}

/** Joins adjacent texts into one chunk. */
function joined(chunks: readonly JsonChunk[]): Uint8Array[] {
  const bytes: Uint8Array[] = []
  let text = ''
  for (const chunk of chunks) {
    if (typeof chunk === 'string') {
      text += chunk
      continue
    }
    if (text !== '') bytes.push(Buffer.from(text))
    text = ''
    bytes.push(chunk)
  }
  if (text !== '') bytes.push(Buffer.from(text))
  return bytes
}

function successValue(fields: Fields, ignored: readonly string[]): Record<string, unknown> {
  const own = fields instanceof JsonFields ? (JSON.parse(`{${fields.text}}`) as Record<string, unknown>) : fields
  const body = { result: 'success', msg: '', ...own }
  return ignored.length > 0 ? { ...body, ignored_parameters_unsupported: ignored } : body
}

/** What identifies a request in the log. */
export interface Named {
  readonly requestId: string
  /** The client's address. Empty: the client left before it was read. */
  readonly address: string
}

/** The fields of log lines about a request. */
export const namedFields = ({ requestId, address }: Named) => ({ requestId, address: address || undefined })

/** The answer for any thrown value. Only an ApiError's message reaches the caller; other errors are logged. */
export function refusal(
  ctx: Ctx,
  thrown: unknown,
  { operation, codec, named }: { readonly operation: string; readonly codec: Codec; readonly named: Named },
): Answer {
  const error = notReady(ctx, thrown, operation, named) ?? thrown
  if (!(error instanceof ApiError)) return internalError(ctx, error, { operation, codec, named })
  try {
    const { status, code } = error
    return { status, code, body: encode(error.body(), codec), headers: headersOf(ctx, error) }
  } catch (failure) {
    return internalError(ctx, failure, { operation, codec, named })
  }
}

/** SERVER_NOT_READY for transient failures, which the caller may retry. The message says whether a write may have taken effect. */
function notReady({ log }: Ctx, thrown: unknown, operation: string, named: Named): ApiError | undefined {
  if (thrown instanceof ApiError) return undefined
  if (isAbort(thrown)) return new ApiError('SERVER_NOT_READY', 'The server is restarting.')
  if (thrown instanceof StorageFailure) {
    log.warn({ err: thrown, operation, ...namedFields(named) }, 'refused: the store of files failed')
    return new ApiError('SERVER_NOT_READY', thrown.message)
  }
  const failure = databaseFailure(thrown)
  const message = failure
    ? failures[failure]
    : isRedisAway(thrown)
      ? 'The event queues are away: try again.'
      : undefined
  if (message === undefined) return undefined
  const fields = { error: String(thrown), operation, ...namedFields(named) }
  if (failure === 'slow' || failure === 'locked') log.warn(fields, 'refused: a statement took too long')
  // At level debug, one line per request: the connection logs the outage once.
  else log.debug(fields, 'refused: a database is unavailable')
  return new ApiError('SERVER_NOT_READY', message)
}

const failures: Readonly<Record<DatabaseFailure, string>> = {
  broken: 'The database broke off: whether this took effect is not known.',
  refused: 'The database is away: try again.',
  slow: 'This took the database too long and was given up: ask for less.',
  locked: 'Something else was changing the same for too long: try again.',
}

/** The operation stopped waiting: its client is gone, or the server stops. */
const isAbort = (thrown: unknown) => thrown instanceof Error && thrown.name === 'AbortError'

function internalError(
  ctx: Ctx,
  err: unknown,
  { operation, codec, named }: { readonly operation: string; readonly codec: Codec; readonly named: Named },
): Answer {
  ctx.log.error({ err, operation, ...namedFields(named) }, 'an operation failed')
  const error = new ApiError('INTERNAL_ERROR', 'Internal server error')
  const { status, code } = error
  return { status, code, body: encode(error.body(), codec), headers: noHeaders }
}

const encode = (body: Record<string, unknown>, codec: Codec) => (codec === 'json' ? JSON.stringify(body) : body)

function headersOf(ctx: Ctx, { code, fields }: ApiError): readonly Header[] {
  switch (code) {
    case 'UNAUTHORIZED':
      return [['WWW-Authenticate', `Basic realm="${ctx.config.wireBrand}"`]]
    case 'METHOD_NOT_ALLOWED':
      return [['Allow', (fields.allowed_methods as readonly string[]).join(', ')]]
    case 'RATE_LIMIT_HIT':
      // Whole seconds in the header (RFC 9110), a fraction in the body.
      return [['Retry-After', String(Math.ceil(Number(fields['retry-after'])))]]
    case 'SERVER_NOT_READY':
      // Seconds: an immediate retry would arrive before anything has changed.
      return [['Retry-After', '1']]
    default:
      return noHeaders
  }
}
