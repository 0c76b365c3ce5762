import type { Codec } from '../../shared/wire/codec.js'
import type { Actor } from '../auth/actor.js'
import type { SentBody } from '../params/sent-body.js'
import type { RequestSignal } from '../realtime/realtime.js'
import type { Applicant } from './admission.js'

/** One request for an operation: over HTTP (http-request.ts) or in a frame of a socket (socket/socket-request.ts). */
export interface ApiRequest extends Applicant {
  /** Empty: a method that no operation has. */
  readonly method: string
  /** The path below /api/v1, still percent-encoded. */
  readonly path: string
  readonly codec: Codec
  readonly client: string
  readonly address: string
  /** Id of the session that `identify` found; undefined: none did. */
  readonly sessionId: number | undefined
  /** See RequestHead; false for a frame of a socket. */
  readonly isLocal: boolean
  /** See RequestHead; undefined for a frame of a socket. */
  readonly streamFrom: string | undefined
  readonly signal: RequestSignal
  /** The header `Idempotency-Key` or the field of a frame as the client sent it; several ones are joined. Undefined: none. */
  readonly idempotencyKey: string | undefined
  /** Identifies the request in the log, and in the answer's headers over HTTP. */
  readonly requestId: string
  /** The size of query and body, or of the frame; valid once the request is received. */
  readonly bytes: number
  /** The bytes that count towards the request's cost at its end; 0 for a frame, whose bytes count when it arrives. */
  readonly bytesToCharge: number
  /** For how long the operation waited for bytes of the body, in ms. */
  readonly bodyMs: number
  /** The body may name another method; it is read only after the request has been counted. */
  readonly mayOverrideMethod: boolean
  /** The body, if the operation reads it itself. */
  readonly sentBody: SentBody | undefined

  /** Resolves when the body has arrived; undefined: there is none. @throws {ApiError} BAD_REQUEST, REQUEST_TOO_LARGE, REQUEST_TIMEOUT */
  receive(): Promise<void> | undefined
  /** Counts `points` further requests against the caller; null: against the client's network. */
  surcharge(actor: Actor | null, points: number): void
  /** Parses the body and sets `method` to the method that it names. Parse errors are thrown later, by `parameters`. */
  overrideMethod(): void
  /** May be called once. @throws {ApiError} for parameters that cannot be decoded. */
  parameters(): Map<string, unknown>
}
