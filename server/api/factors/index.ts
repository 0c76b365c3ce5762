import type { Route } from '../route.js'
import { addAuthenticatorApp } from './add-authenticator-app.js'
import { addPasskey } from './add-passkey.js'
import { beginAuthenticatorApp } from './begin-authenticator-app.js'
import { beginPasskey } from './begin-passkey.js'
import { getOwnFactors } from './get-own-factors.js'
import { proveOwnIdentity } from './prove-own-identity.js'
import { removeAuthenticatorApp } from './remove-authenticator-app.js'
import { removeFactors } from './remove-factors.js'
import { removePasskey } from './remove-passkey.js'
import { renamePasskey } from './rename-passkey.js'
import { renewRecoveryCodes } from './renew-recovery-codes.js'
import { setSecondFactorRequirement } from './set-second-factor-requirement.js'

export const factorsRoutes: readonly Route[] = [
  getOwnFactors,
  proveOwnIdentity,
  beginAuthenticatorApp,
  addAuthenticatorApp,
  removeAuthenticatorApp,
  renewRecoveryCodes,
  beginPasskey,
  addPasskey,
  renamePasskey,
  removePasskey,
  removeFactors,
  setSecondFactorRequirement,
]
