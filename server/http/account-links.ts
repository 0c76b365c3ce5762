import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import { ApiError } from '../../shared/errors.js'
import { confirmEmailChange } from '../actions/settings/email-change.js'
import { refusal } from './answer.js'
import type { Connections } from './connections.js'
import { commonHeaders } from './files/file-headers.js'
import { FileRequest } from './files/file-request.js'
import { refuseFile, shortPage } from './files/refuse-file.js'
import type { NativeRoutes } from './native-routes.js'
import { writeWhole } from './write-answer.js'

/**
 * Serves the links of mails, which people open in a browser: the answer is a short page, or JSON for a client that takes no HTML
 * (docs/protocol/conventions.md#links-in-mails).
 */
export function addAccountLinks(routes: NativeRoutes, connections: Connections): void {
  routes.any('/accounts/confirm_new_email/:key', (res, req) => void answer(connections, res, req))
}

async function answer(connections: Connections, res: HttpResponse, req: HttpRequest): Promise<void> {
  const { ctx, ids } = connections
  const key = req.getParameter('key') ?? ''
  const request = new FileRequest(connections, res, req)
  try {
    // A mail program that looks whether the link exists must not use it up.
    if (request.method !== 'GET') {
      throw new ApiError('METHOD_NOT_ALLOWED', 'A link is opened: GET.', { allowed_methods: ['GET'] })
    }
    request.charge(null)
    await confirmEmailChange(ctx, key)
    if (request.isGone) return
    const page = shortPage('Confirmed', 'The account has this address from now on.')
    const headers = [
      ...commonHeaders,
      ['Cache-Control', 'no-store'],
      ['Content-Type', 'text/html; charset=utf-8'],
    ] as const
    writeWhole(res, 200, { headers, body: page, ending: { isHead: false, closes: false } })
  } catch (thrown) {
    refuseFile(
      request,
      refusal(ctx, thrown, { operation: 'confirm_new_email', codec: 'json', named: ids.named(request) }),
    )
  }
}
