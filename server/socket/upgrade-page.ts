import type { HttpResponse, HttpRequest as NativeRequest, us_socket_context_t } from 'uWebSockets.js'
import { sessionCookies, sessionTokenIn } from '../auth/session-cookie.js'
import { isHttps } from '../config/addresses.js'
import type { Connections } from '../http/connections.js'
import { isFromOwnPage } from '../http/own-page.js'
import { pageHead } from '../http/page-head.js'
import { CallerCharges } from '../limits/caller-charges.js'
import type { KnownSession } from '../memory/accepted-sessions.js'
import { open, readUpgrade } from './upgrade.js'

/**
 * Opens a socket of a page of this server, whose session authenticates it: a page of another origin would have the cookie as well, so the
 * Origin decides. The socket opens at once, and a look into the table for the session ends later: uWebSockets cuts some of the sockets that
 * are opened in a later turn of the event loop. A browser does not show a page why its socket was not opened, either.
 */
export function upgradePage(
  connections: Connections,
  res: HttpResponse,
  req: NativeRequest,
  context: us_socket_context_t,
): void {
  const { ctx, sessions, limits } = connections
  const isTls = isHttps(ctx)
  const head = pageHead(req)
  const read = readUpgrade(connections, res, req, head.origin !== '' && isFromOwnPage(head, isTls))
  if (!read) return
  const token = sessionTokenIn(head.cookie, isTls)
  let session: KnownSession | Promise<KnownSession> | 'ended' = 'ended'
  try {
    if (token !== undefined) session = sessions.find(token, new CallerCharges(limits, read))
  } catch {
    // No session has this token, or the client has tried too many.
  }
  if (token !== undefined && session instanceof Promise) {
    res.writeStatus('101 Switching Protocols')
    // The look notes the use, so the browser may keep the cookie for another two weeks.
    for (const cookie of sessionCookies(token, isTls)) res.writeHeader('Set-Cookie', cookie)
  }
  open(connections, { res, context }, read, session)
}
