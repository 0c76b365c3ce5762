import { RequestError } from '../../../shared/client/index.js'

export const repeatDelayMs = 2000

/** Whether the same request may succeed later: there was no connection, or the server is busy or not ready. */
export const isTemporary = (error: unknown): error is RequestError =>
  error instanceof RequestError && (error.status === 0 || error.status === 429 || error.status === 503)
