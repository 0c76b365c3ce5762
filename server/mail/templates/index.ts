import type { MailKind } from '../../job-types/mail.js'
import type { Template } from '../template.js'
import { addressConfirmation } from './address-confirmation.js'
import { addressTaken } from './address-taken.js'
import { deactivation } from './deactivation.js'
import { newPassword } from './new-password.js'

export const templates: { readonly [Kind in MailKind]: Template<Kind> } = {
  address_confirmation: addressConfirmation,
  address_taken: addressTaken,
  deactivation,
  new_password: newPassword,
}
