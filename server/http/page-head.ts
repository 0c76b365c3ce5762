import type { HttpRequest } from 'uWebSockets.js'
import { isCsrfToken, sessionTokenIn } from '../auth/session-cookie.js'
import { csrfFailed, isFromOwnPage, type RequestSource } from './own-page.js'

/** The headers of a request that a session authenticates, beside those that every request has. */
export interface PageHead extends RequestSource {
  readonly cookie: string
  readonly csrfToken: string
}

/** Must be called in the handler of the native request. */
export const pageHead = (req: HttpRequest): PageHead => ({
  cookie: req.getHeader('cookie'),
  csrfToken: req.getHeader('x-csrftoken'),
  origin: req.getHeader('origin'),
  host: req.getHeader('host'),
  site: req.getHeader('sec-fetch-site'),
})

const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * The value of the session's cookie; undefined: the request has none. A request that may change something has to come from a page of this
 * server, or, of a client that says nothing about its page, with the token of the session.
 * @throws {ApiError} CSRF_FAILED
 */
export function sessionTokenOf(head: PageHead, method: string, isHttps: boolean): string | undefined {
  const token = sessionTokenIn(head.cookie, isHttps)
  if (token === undefined || reading.has(method) || isFromOwnPage(head, isHttps)) return token
  const isSilent = head.origin === '' && head.site === ''
  if (isSilent && isCsrfToken(head.csrfToken, token)) return token
  throw csrfFailed()
}
