import { z } from 'zod'
import { changeProfileField } from '../../actions/users/profile-fields.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'
import { fieldId, fieldParams } from './params.js'

export const updateCustomProfileField = route({
  operation: 'update_custom_profile_field',
  method: 'PATCH',
  path: '/realm/profile_fields/{field_id}',
  doc: 'Changes a custom profile field; absent parameters keep their values. People whose option is removed lose it. Administrators only.',
  allow: administrators,
  params: z.object({ field_id: fieldId(), ...z.object(fieldParams).partial().shape }),
  returns: z.object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { field_id, ...given } }) {
    const change = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
    await changeProfileField(ctx, actor, field_id, change)
    return {}
  },
})
