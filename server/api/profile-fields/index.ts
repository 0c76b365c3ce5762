import type { Route } from '../route.js'
import { createCustomProfileField } from './create-custom-profile-field.js'
import { deleteCustomProfileField } from './delete-custom-profile-field.js'
import { getCustomProfileFields } from './get-custom-profile-fields.js'
import { removeProfileData } from './remove-profile-data.js'
import { reorderCustomProfileFields } from './reorder-custom-profile-fields.js'
import { updateCustomProfileField } from './update-custom-profile-field.js'
import { updateProfileData } from './update-profile-data.js'

export const profileFieldsRoutes: readonly Route[] = [
  getCustomProfileFields,
  createCustomProfileField,
  updateCustomProfileField,
  deleteCustomProfileField,
  reorderCustomProfileFields,
  updateProfileData,
  removeProfileData,
]
