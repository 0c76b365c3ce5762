import type { ErrorCode } from '../errors.js'

/**
 * What never came from the server. CONNECTION_LOST: the connection broke after the request was sent, so it may have been
 * carried out or not. TIMEOUT: the same, by the clock. NOT_CONNECTED: not sent, there was no connection in time. CLOSED: not
 * sent, the client is closed.
 */
export type LocalErrorCode = 'CONNECTION_LOST' | 'TIMEOUT' | 'NOT_CONNECTED' | 'CLOSED'

/** A request that failed. `code` is the server's; codes that this version does not know yet are texts, too. */
export class RequestError extends Error {
  override readonly name = 'RequestError'

  constructor(
    readonly code: ErrorCode | LocalErrorCode | (string & {}),
    message: string,
    /** HTTP status; 0 where no answer came. */
    readonly status = 0,
    /** The code's extra fields, for example `retry-after` of RATE_LIMIT_HIT. */
    readonly fields: Readonly<Record<string, unknown>> = {},
  ) {
    super(message)
  }

  /** Milliseconds that the server asks to wait; undefined when it does not. */
  get retryAfterMs(): number | undefined {
    const seconds = this.fields['retry-after']
    return typeof seconds === 'number' ? Math.ceil(seconds * 1000) : undefined
  }
}

/** The connection ended, and the server has told that it had not begun with this request: it can be asked again. */
export class NotBegun extends RequestError {
  constructor() {
    super('CONNECTION_LOST', 'the server stopped before it began with this')
  }
}

/** The error that an answer's body tells of. */
export function errorOfReply(
  status: number,
  { result: _, code, msg, ...fields }: Record<string, unknown>,
): RequestError {
  return new RequestError(String(code ?? 'INTERNAL_ERROR'), String(msg ?? `status ${status}`), status, fields)
}

export const closedError = (): RequestError => new RequestError('CLOSED', 'the client is closed')
