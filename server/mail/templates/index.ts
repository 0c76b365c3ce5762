import type { MailKind } from '../../job-types/mail.js'
import type { Template } from '../template.js'
import { accountExists } from './account-exists.js'
import { addressChanged } from './address-changed.js'
import { addressConfirmation } from './address-confirmation.js'
import { addressTaken } from './address-taken.js'
import { deactivation } from './deactivation.js'
import { digest } from './digest.js'
import { factorChange } from './factor-change.js'
import { foundAccount } from './found-account.js'
import { invitation, invitationReminder } from './invitation.js'
import { join } from './join.js'
import { missedMessages } from './missed-messages.js'
import { newPassword } from './new-password.js'
import { organizationDeactivated, organizationReactivation } from './organization-closing.js'
import { passwordLink } from './password-link.js'
import { passwordWithoutAccount } from './password-without-account.js'
import { retentionShortened } from './retention-shortened.js'
import { signIn } from './sign-in.js'
import { welcome } from './welcome.js'

export const templates: { readonly [Kind in MailKind]: Template<Kind> } = {
  account_exists: accountExists,
  address_changed: addressChanged,
  address_confirmation: addressConfirmation,
  address_taken: addressTaken,
  deactivation,
  digest,
  factor_change: factorChange,
  found_account: foundAccount,
  join,
  invitation,
  invitation_reminder: invitationReminder,
  missed_messages: missedMessages,
  new_password: newPassword,
  organization_deactivated: organizationDeactivated,
  organization_reactivation: organizationReactivation,
  password_link: passwordLink,
  password_without_account: passwordWithoutAccount,
  retention_shortened: retentionShortened,
  sign_in: signIn,
  welcome,
}
