import { z } from 'zod'
import { profileField } from '../../../shared/resources/custom-profile-field.js'
import { anyAccount } from '../../policies/allow.js'
import { profileFieldObject } from '../../presenters/profile-field-object.js'
import { readProfileFields } from '../../store/organization/custom-profile-fields.js'
import { route } from '../route.js'

export const getCustomProfileFields = route({
  operation: 'get_custom_profile_fields',
  method: 'GET',
  path: '/realm/profile_fields',
  doc: 'Lists the custom profile fields of the organization, in their order.',
  allow: anyAccount,
  params: z.object({}),
  returns: z.object({ custom_fields: z.array(profileField) }),
  errors: [],
  async handle({ ctx }) {
    return { custom_fields: (await readProfileFields(ctx.sql)).map(profileFieldObject) }
  },
})
