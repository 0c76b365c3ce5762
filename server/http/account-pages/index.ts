import { redirectingProviders } from '../../auth/providers/index.js'
import type { Connections } from '../connections.js'
import type { NativeRoutes } from '../native-routes.js'
import { type AccountPage, addAccountPage } from './add-account-page.js'
import { deactivatedPage } from './deactivated-page.js'
import { factorPage } from './factor/factor-page.js'
import { passkeyFactorPage, passkeyPage } from './factor/passkey-page.js'
import { setUpPage } from './factor/set-up-page.js'
import { findPage } from './find-page.js'
import { loginTokenPage } from './login-token-page.js'
import { confirmPage, newAccountPage } from './new-account-page.js'
import { newPasswordPage, passwordDonePage, passwordMailedPage, passwordResetPage } from './password-pages.js'
import { providerPages } from './providers/provider-pages.js'
import { reactivationPage } from './reactivation-page.js'
import { setupPage } from './setup-page.js'
import { signInByKeyPage } from './sign-in-by-key-page.js'
import { otherSignInPage, signInPage } from './sign-in-page.js'
import { signOutPage } from './sign-out-page.js'
import { invitationLinkPage, otherSignUpPage, sentPage, signUpPage } from './sign-up-page.js'
import { unsubscribePage } from './unsubscribe-page.js'

const pages: readonly AccountPage[] = [
  signInPage,
  otherSignInPage,
  factorPage,
  setUpPage,
  passkeyFactorPage,
  passkeyPage,
  signInByKeyPage,
  signOutPage,
  loginTokenPage,
  signUpPage,
  otherSignUpPage,
  invitationLinkPage,
  sentPage,
  confirmPage,
  newAccountPage,
  passwordResetPage,
  passwordMailedPage,
  newPasswordPage,
  passwordDonePage,
  findPage,
  deactivatedPage,
  reactivationPage,
  unsubscribePage,
  setupPage,
]

/** The pages for signing in and signing up. */
export function addAccountPages(routes: NativeRoutes, connections: Connections): void {
  const { config, publicUrl } = connections.ctx
  const atProviders = providerPages(redirectingProviders(config, publicUrl))
  for (const page of [...pages, ...atProviders]) addAccountPage(routes, connections, page)
}
