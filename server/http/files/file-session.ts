import { ApiError } from '../../../shared/errors.js'
import { sessionSeconds, sessionToken } from '../../auth/file-tokens.js'
import { notLoggedIn } from '../admission.js'
import type { Connections } from '../connections.js'
import { writeWhole } from '../write-answer.js'
import { callerOf, sessionCookie, sessionPath } from './file-caller.js'
import type { FileRequest } from './file-request.js'

/**
 * Gives a page the cookie with which its pictures and players read files: browsers cannot send another header for them. Only the header
 * Authorization names the account, because no other page can send it: a page that could choose the account would show its files under this
 * origin.
 */
export async function openSession(connections: Connections, request: FileRequest): Promise<void> {
  const { ctx } = connections
  requireOwnPage(connections, request)
  const user = request.authorization === '' ? null : await callerOf(connections, request)
  if (!user) {
    request.charge(null)
    throw notLoggedIn()
  }
  const secure = ctx.publicUrl.startsWith('https:') ? '; Secure' : ''
  setCookie(request, `${sessionToken(ctx, user)}; Path=${sessionPath}; Max-Age=${sessionSeconds}${secure}`)
}

/** Takes the cookie away when a user signs out of a page. */
export async function endSession(connections: Connections, request: FileRequest): Promise<void> {
  requireOwnPage(connections, request)
  setCookie(request, `; Path=${sessionPath}; Max-Age=0`)
}

function setCookie(request: FileRequest, value: string): void {
  if (request.isGone) return
  const cookie = `${sessionCookie}=${value}; HttpOnly; SameSite=Strict`
  writeWhole(request.res, 204, { headers: [['Set-Cookie', cookie]], ending: { isHead: false, closes: false } })
}

/** @throws {ApiError} ORIGIN_NOT_ALLOWED for a page of another origin */
function requireOwnPage({ cors }: Connections, { origin, host, site }: FileRequest): void {
  // A browser that names no origin may still say from where the request comes.
  const isForeign = origin === '' ? site === 'cross-site' || site === 'same-site' : !cors.mayConnect(origin, host)
  if (isForeign) throw new ApiError('ORIGIN_NOT_ALLOWED', 'Pages of this origin may not read files.')
}
