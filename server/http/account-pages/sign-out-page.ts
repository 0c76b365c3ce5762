import { endSession } from '../../actions/accounts/end-sessions.js'
import { endedCookies } from '../../auth/session-cookie.js'
import { isHttps } from '../../config/addresses.js'
import { redirectTo } from './account-page.js'
import type { AccountPage } from './add-account-page.js'

/** Ends the session of the browser; without one there is nothing to end. */
export const signOutPage: AccountPage = {
  pattern: '/accounts/logout/',
  operation: 'sign_out',
  isForDeactivated: true,
  async post({ ctx, signedIn }) {
    const session = await signedIn()
    if (session) await endSession(ctx, session.user.id, session.id)
    return redirectTo('/login/', endedCookies(isHttps(ctx)))
  },
}
