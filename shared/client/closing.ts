import { closeCodes, closeReasons } from '../wire/close-codes.js'
import type { RequestError } from './request-error.js'

/** Why a client ended. `closed`: by close(). */
export type EndReason = 'closed' | 'unauthenticated' | 'protocol' | 'replaced' | 'queue-gone'

/** What to do when a connection has ended: end for good, or come back after a while, with the queue or with a new one. */
export type Plan =
  | { readonly next: 'end'; readonly reason: EndReason }
  | { readonly next: 'return'; readonly waitMs?: number }
  | { readonly next: 'register-again' }

/**
 * The server stopped in good order: it has answered everything that it had begun, so what got no reply was not done
 * (docs/protocol/socket.md#restarts).
 */
export const hasAnsweredAll = (code: number, reason: string): boolean =>
  code === closeCodes.restarting && reason === closeReasons.restarting

/** The column "what the client does" of the table of closing codes (docs/protocol/socket.md#closing-codes). */
export function planAfter(code: number, reason: string): Plan {
  switch (code) {
    case closeCodes.unauthenticated:
      return { next: 'end', reason: 'unauthenticated' }
    case closeCodes.protocol:
      return { next: 'end', reason: 'protocol' }
    case closeCodes.replaced:
      return { next: 'end', reason: 'replaced' }
    case closeCodes.queueGone:
      return { next: 'register-again' }
    case closeCodes.rateLimit:
      return { next: 'return', waitMs: secondsIn(reason) * 1000 }
    default:
      return { next: 'return' }
  }
}

/** `reason` says the seconds to wait; a minute, should it ever say something else. */
function secondsIn(reason: string): number {
  const [number] = /\d+(\.\d+)?/.exec(reason) ?? []
  return number === undefined ? 60 : Number(number)
}

/** What to do when `attach` or `register` was refused; undefined when the connection is at its end anyway. */
export function planAfterRefusal(error: RequestError): Plan | undefined {
  if (error.code === 'CONNECTION_LOST') return undefined
  if (error.status === 401) return { next: 'end', reason: 'unauthenticated' }
  // An id that the queue never gave out is as good as no queue: only a new state tells where we are.
  if (error.status === 400) return { next: 'register-again' }
  return { next: 'return', waitMs: error.retryAfterMs }
}

/** Not about the parameters: the same may succeed later, or with other credentials. */
export const isOfConnection = ({ status }: RequestError): boolean => status === 0 || status === 401 || status >= 429
