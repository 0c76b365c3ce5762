import { createHash, timingSafeEqual } from 'node:crypto'
import { sessionLifeMs } from '../store/accounts/sessions.js'

/** The form of a cookie's value: 256 random bits. */
export const tokenPattern = /^[\w-]{43}$/

/** With the prefix `__Host-` browsers take the cookie only from this very host over TLS, so a neighbour or an eavesdropper cannot plant one. */
const nameOf = (word: string, isHttps: boolean) => (isHttps ? `__Host-${word}` : word)

/**
 * The value of the session's cookie in the header Cookie. Undefined: there is none, or there are several different ones, of which one was
 * planted by another host or path.
 */
export function sessionTokenIn(cookie: string, isHttps: boolean): string | undefined {
  if (cookie === '') return undefined
  const name = `${nameOf('sessionid', isHttps)}=`
  const values = cookie.split(';').flatMap(one => {
    const text = one.trim()
    return text.startsWith(name) ? [text.slice(name.length)] : []
  })
  const [token] = values
  return token !== undefined && values.every(value => value === token) ? token : undefined
}

/**
 * Values of Set-Cookie for a session: the session itself, and the token that clients which are no page of this server send as the header
 * X-CSRFToken.
 */
export function sessionCookies(token: string, isHttps: boolean): string[] {
  const rest = `Path=/; Max-Age=${sessionLifeMs / 1000}; SameSite=Lax${isHttps ? '; Secure' : ''}`
  return [
    `${nameOf('sessionid', isHttps)}=${token}; ${rest}; HttpOnly`,
    `${nameOf('csrftoken', isHttps)}=${csrfTokenOf(token)}; ${rest}`,
  ]
}

/** Values of Set-Cookie that take the cookies away. */
export function endedCookies(isHttps: boolean): string[] {
  const rest = `Path=/; Max-Age=0; SameSite=Lax${isHttps ? '; Secure' : ''}`
  return [`${nameOf('sessionid', isHttps)}=; ${rest}; HttpOnly`, `${nameOf('csrftoken', isHttps)}=; ${rest}`]
}

/** Belongs to one session, so a planted one proves nothing. */
const csrfTokenOf = (token: string): string => createHash('sha256').update(`csrf ${token}`).digest('base64url')

/** Whether a header X-CSRFToken is the one of the session. */
export function isCsrfToken(given: string, token: string): boolean {
  const expected = csrfTokenOf(token)
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected))
}
