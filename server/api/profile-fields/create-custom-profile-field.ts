import { z } from 'zod'
import { profileFieldTypeIds, profileFieldTypes as types } from '../../../shared/resources/custom-profile-field.js'
import { badAccountType, badFieldName, noData, noOptions } from '../../actions/users/check-profile-field.js'
import { createProfileField } from '../../actions/users/profile-fields.js'
import { integer } from '../../params/schemas.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'
import { fieldParams } from './params.js'

export const createCustomProfileField = route({
  operation: 'create_custom_profile_field',
  method: 'POST',
  path: '/realm/profile_fields',
  doc: 'Adds a field to the profiles of all people, after the other ones. Administrators only.',
  allow: administrators,
  params: z.object({
    field_type: integer({ min: 1, max: 8 })
      .meta({ enum: profileFieldTypeIds })
      .describe(
        '1 short text, 2 long text, 3 list of options, 4 date, 5 link, 6 users, 7 external account, 8 pronouns.',
      ),
    ...fieldParams,
    name: fieldParams.name.default(''),
    hint: fieldParams.hint.default(''),
    field_data: fieldParams.field_data.optional(),
    display_in_profile_summary: fieldParams.display_in_profile_summary.default(false),
    required: fieldParams.required.default(false),
    editable_by_user: fieldParams.editable_by_user.default(true),
  }),
  requires: [
    { unless: { field_type: [types.EXTERNAL_ACCOUNT.id] }, anyOf: ['name'], refusal: badFieldName },
    { when: { field_type: [types.SELECT.id] }, anyOf: ['field_data'], refusal: noOptions },
    { when: { field_type: [types.EXTERNAL_ACCOUNT.id] }, anyOf: ['field_data'], refusal: badAccountType },
    {
      unless: { field_type: [types.SELECT.id, types.EXTERNAL_ACCOUNT.id] },
      holds: { field_data: z.strictObject({}).describe('empty') },
      refusal: noData,
    },
  ],
  returns: z.object({ id: z.int() }),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  isAdministrative: true,
  creates: true,
  async handle({ creating, actor, params: { field_type, field_data = null, ...values } }) {
    return creating(
      ctx => createProfileField(ctx, actor, { ...values, field_data, type: field_type }),
      ({ id }) => ({ id }),
    )
  },
})
