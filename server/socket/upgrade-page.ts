import type { HttpResponse, HttpRequest as NativeRequest, us_socket_context_t } from 'uWebSockets.js'
import { sessionCookies, sessionTokenIn } from '../auth/session-cookie.js'
import type { Connections } from '../http/connections.js'
import { isFromOwnPage } from '../http/own-page.js'
import { pageHead } from '../http/page-head.js'
import { CallerCharges } from '../limits/caller-charges.js'
import type { KnownSession } from '../memory/accepted-sessions.js'
import { open, readUpgrade } from './upgrade.js'

/**
 * Opens a socket of a page of this server, whose session authenticates it: a page of another origin would have the cookie as well, so the
 * Origin decides.
 */
export function upgradePage(
  connections: Connections,
  res: HttpResponse,
  req: NativeRequest,
  context: us_socket_context_t,
): void {
  const { ctx, sessions, limits } = connections
  const isHttps = ctx.publicUrl.startsWith('https:')
  const head = pageHead(req)
  const read = readUpgrade(connections, res, req, head.origin !== '' && isFromOwnPage(head, isHttps))
  if (!read) return
  const token = sessionTokenIn(head.cookie, isHttps)
  // A browser does not show a page why its socket was not opened, so an ended session closes an open one.
  if (token === undefined) {
    open(connections, { res, context }, read, 'ended')
    return
  }
  let isGone = false
  let cookies: readonly string[] = []
  const charges = new CallerCharges(limits, read)
  const source = {
    admit: () => charges.admit(),
    succeeded: () => charges.succeeded(),
    renewed() {
      cookies = sessionCookies(token, isHttps)
    },
  }
  const finish = (session: KnownSession | 'ended') => {
    if (isGone) return
    res.cork(() => {
      if (cookies.length > 0) res.writeStatus('101 Switching Protocols')
      for (const cookie of cookies) res.writeHeader('Set-Cookie', cookie)
      open(connections, { res, context }, read, session)
    })
  }
  res.onAborted(() => {
    isGone = true
  })
  const find = async () => sessions.find(token, source)
  void find().then(finish, () => finish('ended'))
}
