import type { z } from 'zod'
import type { ErrorCode } from '../../shared/errors.js'
import type { Actor } from '../access/actor.js'
import type { Config } from '../config.js'
import type { Ctx } from '../ctx.js'
import type { Leaving } from '../realtime/realtime.js'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** JSON as text, or as its UTF-8 bytes, which many answers share: they are neither copied nor encoded again. */
export type JsonPiece = string | Uint8Array

/** Success fields that are already JSON (`"events":[…],"queue_id":"…"`), one piece after another. */
export class JsonFields {
  readonly pieces: readonly JsonPiece[]

  constructor(...pieces: readonly JsonPiece[]) {
    this.pieces = pieces
  }

  /** All of it; long where there are pieces of bytes. */
  get text(): string {
    return this.pieces.map(piece => (typeof piece === 'string' ? piece : Buffer.from(piece).toString())).join('')
  }

  /** With what begins it, up to the first bytes. */
  get beginning(): string {
    const [first = ''] = this.pieces
    return typeof first === 'string' ? first : ''
  }
}

/**
 * Who may call at all. `anyone`: credentials are not looked at. `optional`: without credentials `actor` is null.
 * Otherwise a function that throws an ApiError for an account that the operation is closed to.
 */
export type Allow = 'anyone' | 'optional' | ((actor: Actor) => void)

/**
 * A code; with a status where the operation answers another one than the code's own
 * (docs/protocol/conventions.md#error-codes).
 */
export type DeclaredError = ErrorCode | readonly [code: ErrorCode, status: number]

export interface Call<Params, Who> {
  readonly ctx: Ctx
  readonly actor: Who
  readonly params: Params
  /** Aborts when the caller is gone or the server stops. */
  readonly signal: Leaving
  /** The calling program's name, also without credentials. */
  readonly client: string
  /** Where the request came from: an address, for limits and logs. */
  readonly address: string
}

export interface Route {
  /** Name of the operation: the file's name with underscores. */
  readonly operation: string
  readonly method: Method
  /** Below /api/v1; `{name}` is one segment, `{name*}` the rest with its slashes. */
  readonly path: string
  readonly doc: string
  readonly allow: Allow
  /** The OpenAPI document is made of these schemas: a limit that only a refinement checks needs `.meta({ maxLength })`, too. */
  readonly params: z.ZodObject
  /** Of the success fields, all of them: tests hold every answer against it. */
  readonly returns: z.ZodType
  /** What the operation itself refuses with; what the server refuses for it (credentials, parameters' form) goes without saying. */
  readonly errors: readonly DeclaredError[]
  /** Bytes that a body may have where the operation is about more than MAX_BODY_BYTES. */
  readonly largeBody?: (config: Config) => number
  handle(call: Call<never, never>): Promise<Record<string, unknown> | JsonFields>
}

type Who<A extends Allow> = A extends 'anyone' ? null : A extends 'optional' ? Actor | null : Actor

/** Declares an operation: one file, one call of this. The schema's keys in order are the order of its checks. */
export function route<Params extends z.ZodObject, A extends Allow>(definition: {
  operation: string
  method: Method
  path: string
  doc: string
  allow: A
  params: Params
  returns: z.ZodType
  errors: readonly DeclaredError[]
  largeBody?: (config: Config) => number
  handle(call: Call<z.output<Params>, Who<A>>): Promise<Record<string, unknown> | JsonFields>
}): Route {
  return definition as unknown as Route
}
