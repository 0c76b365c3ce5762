import type { ErrorCode } from '../errors.js'

/**
 * Codes that the client itself makes. CONNECTION_LOST: the connection broke after the request was sent; the server may
 * or may not have carried it out. TIMEOUT: no reply in time; the same doubt. NOT_CONNECTED: not sent, no connection in
 * time. CLOSED: not sent, the client is closed.
 */
type LocalErrorCode = 'CONNECTION_LOST' | 'TIMEOUT' | 'NOT_CONNECTED' | 'CLOSED'

/** A failed request. `code` is the server's; a code that this version of the client does not know is possible, too. */
export class RequestError extends Error {
  override readonly name = 'RequestError'

  constructor(
    readonly code: ErrorCode | LocalErrorCode | (string & {}),
    message: string,
    /** HTTP status; 0 without an answer. */
    readonly status = 0,
    /** The code's extra fields, for example `retry-after` of RATE_LIMIT_HIT. */
    readonly fields: Readonly<Record<string, unknown>> = {},
  ) {
    super(message)
  }

  /** The delay in ms that the server requests before a retry; undefined if it requests none. */
  get retryAfterMs(): number | undefined {
    const seconds = this.fields['retry-after']
    return typeof seconds === 'number' ? Math.ceil(seconds * 1000) : undefined
  }
}

/** The connection ended before the server began with this request, as the close frame states: a retry is safe. */
export class NotBegun extends RequestError {
  constructor() {
    super('CONNECTION_LOST', 'the server stopped before it began with this')
  }
}

/** The error in the body of an answer. */
export function errorOfReply(
  status: number,
  { result: _, code, msg, ...fields }: Record<string, unknown>,
): RequestError {
  return new RequestError(String(code ?? 'INTERNAL_ERROR'), String(msg ?? `status ${status}`), status, fields)
}

export const closedError = (): RequestError => new RequestError('CLOSED', 'the client is closed')
