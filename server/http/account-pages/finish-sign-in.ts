import { endSession } from '../../actions/accounts/end-sessions.js'
import { mailSignIn } from '../../actions/sign-in/mail-sign-in.js'
import { deviceName } from '../../auth/device-name.js'
import { beginSession } from '../../auth/sessions.js'
import type { UserRow } from '../../store/users/users.js'
import { type PageAnswer, redirectTo } from './account-page.js'
import type { PageCall } from './add-account-page.js'
import { endInApp } from './app-sign-in.js'
import type { SignInGoal } from './sign-in-goal.js'

/**
 * Ends a sign-in: in the app that waits for it, else with a session of this browser, which goes on at the page that it came from.
 * `method`: as in `auth/session-methods.ts`.
 * @throws {ApiError} BAD_REQUEST if the pad of the app was used before
 */
export async function finishSignIn(
  call: PageCall,
  user: UserRow,
  { next, pad }: SignInGoal,
  method: string,
): Promise<PageAnswer> {
  // A desktop app signs in by the token that this page shows.
  if (method !== 'demonstration' && pad?.app !== 'desktop') {
    const { address, userAgent } = call.request
    await mailSignIn(call.ctx, user, { address, device: deviceName(userAgent) })
  }
  if (pad) return endInApp(call, user, pad, method)
  return redirectTo(next, await replaceSession(call, user, method))
}

/** Begins a session of this browser, and ends the one that it had: its cookie is replaced, so nothing else could. @returns values of Set-Cookie */
export async function replaceSession(call: PageCall, user: UserRow, method: string): Promise<readonly string[]> {
  const before = await call.signedIn()
  if (before) await endSession(call.ctx, before.user.id, before.id)
  const { address, userAgent } = call.request
  return beginSession(call.ctx, user, { method, address, userAgent, since: call.since })
}
