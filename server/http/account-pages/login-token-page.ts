import { badRequest } from '../../../shared/errors.js'
import type { AccountPage } from './add-account-page.js'
import { finishSignIn } from './finish-sign-in.js'

/** Where a desktop app opens the token that it was given: a session begins (docs/protocol/conventions.md#sign-in-through-a-browser). */
export const loginTokenPage: AccountPage = {
  pattern: '/accounts/login/subdomain/:token/',
  operation: 'sign_in_by_token',
  async get(call) {
    const [token = ''] = call.values
    const userId = /^[A-Za-z0-9]{32}$/.test(token) ? await call.ctx.loginTokens.take(token) : undefined
    const user = userId === undefined ? undefined : call.ctx.directory.users.get(userId)
    if (!user?.is_active) throw badRequest('The token is malformed, used or expired.')
    return finishSignIn(call, user, { next: '/' }, 'token')
  },
}
