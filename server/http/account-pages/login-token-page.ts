import { badRequest } from '../../../shared/errors.js'
import { takeSession } from '../../store/accounts/sessions.js'
import { csrfFailed } from '../own-page.js'
import type { AccountPage } from './add-account-page.js'
import { finishSignIn } from './finish-sign-in.js'

// What browsers say of an address that an app opens; another site could sign the person in to an account of its own.
const ownSites: readonly string[] = ['', 'none', 'same-origin']

/** Where a desktop app opens the token that it was given: a session begins (docs/protocol/conventions.md#sign-in-through-a-browser). */
export const loginTokenPage: AccountPage = {
  pattern: '/accounts/login/subdomain/:token/',
  operation: 'sign_in_by_token',
  async get(call) {
    const { ctx, request, values } = call
    if (!ownSites.includes(request.site)) throw csrfFailed()
    const [token = ''] = values
    const isToken = request.method === 'GET' && /^[A-Za-z0-9]{32}$/.test(token)
    const taken = isToken ? await takeSession(ctx.sql, token, new Date(ctx.clock.now())) : undefined
    const user = taken && ctx.directory.users.get(taken.user_id)
    if (!taken || !user?.is_active) throw badRequest('The token is malformed, used or expired.')
    return finishSignIn(call, user, { next: '/' }, taken.method)
  },
}
