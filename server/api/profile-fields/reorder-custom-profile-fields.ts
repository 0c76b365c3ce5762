import { z } from 'zod'
import { reorderProfileFields } from '../../actions/users/profile-fields.js'
import { budgets } from '../../config/budgets.js'
import { json, listWithoutRepeats } from '../../params/schemas.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'

export const reorderCustomProfileFields = route({
  operation: 'reorder_custom_profile_fields',
  method: 'PATCH',
  path: '/realm/profile_fields',
  doc: 'Changes the order of the custom profile fields. Administrators only.',
  allow: administrators,
  params: z.object({
    order: json(listWithoutRepeats(z.int(), budgets.profileFields.most)).describe(
      'Every field exactly once, in the new order.',
    ),
  }),
  returns: z.object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { order } }) {
    await reorderProfileFields(ctx, actor, order)
    return {}
  },
})
