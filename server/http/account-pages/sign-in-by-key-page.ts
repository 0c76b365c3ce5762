import { notLoggedIn } from '../admission.js'
import type { AccountPage } from './add-account-page.js'
import { replaceSession } from './finish-sign-in.js'

/**
 * Gives a page that has an API key a session in its place: pages of 0.1.0 kept keys in the browser. The header Authorization names the
 * account; the answer has no content.
 */
export const signInByKeyPage: AccountPage = {
  pattern: '/accounts/login/by_key/',
  operation: 'sign_in_by_key',
  async post(call) {
    const user = await call.keyHolder()
    if (!user || user.is_bot) throw notLoggedIn()
    const cookies = await replaceSession(call, user, 'key')
    return { status: 204, headers: cookies.map(cookie => ['Set-Cookie', cookie] as const), body: '' }
  },
}
