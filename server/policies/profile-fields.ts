import type { ProfileFieldRow } from '../store/organization/custom-profile-fields.js'
import type { UserRow } from '../store/users/users.js'
import { isAdministrator } from './roles.js'

/** Whether the user may change its own value of the field. */
export const mayChangeOwnField = (user: UserRow, field: Pick<ProfileFieldRow, 'editable_by_user'>): boolean =>
  field.editable_by_user || isAdministrator(user)
