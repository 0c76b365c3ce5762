import { z } from 'zod'
import { profileField, profileFieldTypes } from '../../../shared/resources/custom-profile-field.js'
import { profileFieldObject } from '../../presenters/profile-field-object.js'
import { readProfileFields } from '../../store/organization/custom-profile-fields.js'
import type { StatePiece } from '../state-piece.js'

/** The organization's custom profile fields; none for spectators. */
export const customProfileFieldsPiece: StatePiece = {
  fetchType: 'custom_profile_fields',
  fields: {
    custom_profile_fields: z.array(profileField),
    custom_profile_field_types: z.record(z.string(), z.object({ id: z.int(), name: z.string() })),
  },
  selects: [readProfileFields],
  async read({ actor, rows }) {
    const fields = actor ? rows.of(readProfileFields) : []
    return {
      custom_profile_fields: fields.map(profileFieldObject),
      custom_profile_field_types: profileFieldTypes,
    }
  },
}
