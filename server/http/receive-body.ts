import { ApiError } from '../../shared/errors.js'
import { Body } from './body.js'
import type { FileRequest } from './files/file-request.js'

interface BodyBounds {
  /** Of the header Content-Length. */
  readonly declared: number
  readonly maxBytes: number
  readonly seconds: number
}

/**
 * Receives the body of a native request; replaces `onGone`.
 * @throws {ApiError} REQUEST_TOO_LARGE, REQUEST_TIMEOUT: the connection has to be closed after the answer
 */
export function receiveBody(request: FileRequest, bounds: BodyBounds): Promise<Buffer> {
  const received = new Promise<Buffer>((resolve, reject) => {
    const done = (outcome: Buffer | ApiError) => {
      if (outcome instanceof ApiError) reject(outcome)
      else resolve(outcome)
    }
    const body = new Body(request.res, done, bounds)
    request.onGone = () => {
      body.stop()
      reject(new ApiError('REQUEST_TIMEOUT', 'The client has left.'))
    }
  })
  // The handler may refuse the request before it wants the body.
  received.catch(() => {})
  return received
}
