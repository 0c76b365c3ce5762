import { limits } from '../../../shared/limits.js'
import { emailPattern, mostEmailCharacters } from '../../actions/accounts/account-details.js'
import { text } from '../../params/schemas.js'

// The actions check these, because commands of the operator set them, too.
export const accountEmail = () => text().meta({ maxLength: mostEmailCharacters, pattern: emailPattern.source })
export const fullName = () =>
  text().meta({ minLength: limits.user_full_name_least, maxLength: limits.user_full_name_length })
export const newPassword = () =>
  text().meta({ minLength: limits.password_min_length, maxLength: limits.password_max_length })
