import { limits } from '../../../shared/limits.js'
import { emailPattern, mostEmailCharacters } from '../../actions/accounts/account-details.js'
import { text } from '../../params/schemas.js'

// Validators that read patterns without the flag `u` do not know the class of control characters.
const pattern = emailPattern.source.replaceAll('\\p{Cc}', '\\u0000-\\u001f\\u007f-\\u009f')

// The actions check these, because commands of the operator set them, too.
export const accountEmail = () => text().meta({ maxLength: mostEmailCharacters, pattern })
export const fullName = () =>
  text().meta({ minLength: limits.user_full_name_least, maxLength: limits.user_full_name_length })
export const newPassword = () =>
  text().meta({ minLength: limits.password_min_length, maxLength: limits.password_max_length })
