import type { z } from 'zod'
import type { ErrorCode } from '../../shared/errors.js'
import type { Actor } from '../auth/actor.js'
import type { Config } from '../config.js'
import type { WorkerCtx } from '../ctx.js'
import type { Condition } from '../params/conditions.js'
import type { FilePart } from '../params/file-part.js'
import type { SentBody } from '../params/sent-body.js'
import type { RequestSignal } from '../realtime/realtime.js'
import type { RequestKey } from '../store/messages/idempotency-keys.js'
import type { EventStream } from './event-stream.js'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** JSON as text, or as UTF-8 bytes that many answers share without copying or encoding them again. */
export type JsonChunk = string | Uint8Array

/** Success fields that are already JSON (`"events":[…],"queue_id":"…"`), in chunks to be concatenated. */
export class JsonFields {
  readonly chunks: readonly JsonChunk[]

  constructor(...chunks: readonly JsonChunk[]) {
    this.chunks = chunks
  }

  /** The whole text; expensive with large chunks of bytes. */
  get text(): string {
    return this.chunks.map(chunk => (typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString())).join('')
  }

  /** The first chunk if it is text, otherwise empty. */
  get beginning(): string {
    const [first = ''] = this.chunks
    return typeof first === 'string' ? first : ''
  }
}

/** Characters of a query that a redirect passes on: clients such as Node's refuse answers whose headers have more than 16 KiB. */
export const mostPassedOn = 2048

/** A success with status 302 that leads to an address on this server; a frame of a socket gets the address as `location`. */
export class Redirect extends JsonFields {
  constructor(readonly location: string) {
    super(`"location":${JSON.stringify(location)}`)
  }

  /** The same with the parameters of the request, but for credentials and long ones: clients add some that make the address new. */
  passingOn(sent: ReadonlyMap<string, unknown>): Redirect {
    const passed = new URLSearchParams()
    for (const [name, value] of sent) if (name !== 'api_key') passed.append(name, String(value))
    if (passed.size === 0 || passed.toString().length > mostPassedOn) return this
    return new Redirect(`${this.location}${this.location.includes('?') ? '&' : '?'}${passed}`)
  }
}

/**
 * Who may call an operation. `anyone`: the server ignores credentials. `optional`: without credentials `actor` is null.
 * Otherwise a function that throws an ApiError for an account that may not call it.
 */
export type Allow = 'anyone' | 'optional' | ((actor: Actor) => void)

/**
 * An error code; with a status if the operation answers with another one than the code's
 * (docs/protocol/conventions.md#error-codes).
 */
export type DeclaredError = ErrorCode | readonly [code: ErrorCode, status: number]

/** The success fields of an answer. */
export type Fields = Record<string, unknown> | JsonFields

/**
 * Runs an action that creates something, and returns the fields of the answer: those of `answerOf`, or for a repeated request the stored ones.
 * The action has one transaction, which returns what the action returns, and uses `ctx.write` for it, or stores `key` itself (a message).
 * @throws {ApiError} also IDEMPOTENCY_KEY_REUSED, IDEMPOTENT_ANSWER_NOT_STORED
 */
export type Creating = <Made>(
  action: (ctx: WorkerCtx, key: RequestKey | undefined) => Promise<Made>,
  answerOf: (made: Made) => Record<string, unknown>,
) => Promise<Fields>

export interface Call<Params, Who> {
  readonly ctx: WorkerCtx
  readonly actor: Who
  readonly params: Params
  /** Aborts when the caller disconnects or the server drains. */
  readonly signal: RequestSignal
  /** Name of the client program, also without credentials. */
  readonly client: string
  /** The client's IP address, for limits and logs. */
  readonly address: string
  /** See RequestHead; false for a frame of a socket. */
  readonly isLocal: boolean
  /** See RequestHead; undefined for a frame of a socket. */
  readonly streamFrom: string | undefined
  /** Of an operation with `file: 'stream'`: the body; undefined: the request has none, or came in a frame of a socket. */
  readonly body: SentBody | undefined
  /** Of an operation with `file: 'bytes'`: the files of the form. */
  readonly files: readonly FilePart[]
  /** Of an operation with `creates`. */
  readonly creating: Creating
}

export interface Route {
  /** Name of the operation: the file's name with underscores. */
  readonly operation: string
  readonly method: Method
  /** Below /api/v1; `{name}` matches one segment, `{name*}` the rest of the path with its slashes. */
  readonly path: string
  readonly doc: string
  readonly allow: Allow
  /**
   * The OpenAPI document is generated from these schemas: a limit that only a refinement checks needs `.meta({
   * maxLength })`, too.
   */
  readonly params: z.ZodObject
  /** What the operation requires of its parameters together; checked after each of them. */
  readonly requires?: readonly Condition[]
  /** All success fields: tests validate every answer with this schema. */
  readonly returns: z.ZodType
  /** The errors of the operation itself, without those that every operation has (credentials, form of parameters). */
  readonly errors: readonly DeclaredError[]
  /**
   * Changes users or permissions: its callers are logged at level info, because operators look for them later; others
   * at debug.
   */
  readonly isAdministrative?: true
  /** Names of fields of the answer contain the brand, so clients of another brand cannot use it; these are logged. */
  readonly isBranded?: true
  /** Its answer contains credentials, so it is never compressed (docs/security.md#compressed-answers). */
  readonly isSecret?: true
  /** Assistants may call it (docs/protocol/assistants.md). */
  readonly isTool?: true
  /** Its successes are a Redirect. */
  readonly redirects?: true
  /**
   * Creates something, so a repeated request would create it twice: takes the header `Idempotency-Key`, and calls its action by
   * `creating`.
   */
  readonly creates?: true
  /** Largest body in bytes, for an operation that needs more than MAX_BODY_BYTES. */
  readonly largeBody?: (config: Config) => number
  /**
   * The operation takes a file in a multipart form. `bytes`: in memory, at most `largeBody`. `stream`: the operation reads the body
   * itself while it arrives, so its parameters are those of the query.
   */
  readonly file?: 'bytes' | 'stream'
  handle(call: Call<never, never>): Promise<Fields | EventStream>
}

type Who<A extends Allow> = A extends 'anyone' ? null : A extends 'optional' ? Actor | null : Actor

/** Declares an operation; each file has one call. The server checks parameters in the order of the schema's keys. */
export function route<Params extends z.ZodObject, A extends Allow>(definition: {
  operation: string
  method: Method
  path: string
  doc: string
  allow: A
  params: Params
  requires?: readonly Condition<keyof Params['shape'] & string>[]
  returns: z.ZodType
  errors: readonly DeclaredError[]
  isAdministrative?: true
  isBranded?: true
  isSecret?: true
  isTool?: true
  redirects?: true
  creates?: true
  largeBody?: (config: Config) => number
  file?: 'bytes' | 'stream'
  handle(call: Call<z.output<Params>, Who<A>>): Promise<Fields | EventStream>
}): Route {
  // The cast: `handle` takes the parameters of its own schema, and the list of routes has all schemas.
  return definition as unknown as Route
}
