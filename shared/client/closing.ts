import { closeCodes, closeReasons } from '../wire/close-codes.js'
import type { RequestError } from './request-error.js'

/** Why a client ended. `closed`: the application called close(). */
export type EndReason = 'closed' | 'unauthenticated' | 'protocol' | 'replaced' | 'queue-gone'

/** What the client does after a connection has ended: end, reconnect to the same queue, or register a new one. */
export type Plan =
  | { readonly next: 'end'; readonly reason: EndReason }
  | { readonly next: 'return'; readonly waitMs?: number }
  | { readonly next: 'register-again' }

/**
 * Whether the server drained: it has answered every request that it began, so a request without a reply was not carried
 * out (docs/protocol/socket.md#restarts).
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

/** Parses the delay in seconds from `reason`; 60 s if there is none. */
function secondsIn(reason: string): number {
  const [number] = /\d+(\.\d+)?/.exec(reason) ?? []
  return number === undefined ? 60 : Number(number)
}

/** What the client does after the server refused `attach` or `register`; undefined if the connection has ended anyway. */
export function planAfterRefusal(error: RequestError): Plan | undefined {
  if (error.code === 'CONNECTION_LOST') return undefined
  if (error.status === 401) return { next: 'end', reason: 'unauthenticated' }
  // The queue never had this id: the client can only continue from a new state.
  if (error.status === 400) return { next: 'register-again' }
  return { next: 'return', waitMs: error.retryAfterMs }
}

/** Whether an error does not depend on the parameters: the same request may succeed later, or with other credentials. */
export const isOfConnection = ({ status }: RequestError): boolean => status === 0 || status === 401 || status >= 429
