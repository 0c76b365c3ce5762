import { z } from 'zod'
import { removeProfileField } from '../../actions/users/profile-fields.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'
import { fieldId } from './params.js'

export const deleteCustomProfileField = route({
  operation: 'delete_custom_profile_field',
  method: 'DELETE',
  path: '/realm/profile_fields/{field_id}',
  doc: 'Removes a custom profile field with all its values. Administrators only.',
  allow: administrators,
  params: z.object({ field_id: fieldId() }),
  returns: z.object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { field_id } }) {
    await removeProfileField(ctx, actor, field_id)
    return {}
  },
})
