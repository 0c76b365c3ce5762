import type { ProfileFieldObject } from '../../shared/resources/custom-profile-field.js'
import type { ProfileFieldRow } from '../store/organization/custom-profile-fields.js'

/** A custom profile field on the wire. */
export function profileFieldObject(field: ProfileFieldRow): ProfileFieldObject {
  return {
    id: field.id,
    type: field.type,
    name: field.name,
    hint: field.hint,
    field_data: field.field_data ? JSON.stringify(field.field_data) : '',
    order: field.position,
    required: field.required,
    editable_by_user: field.editable_by_user,
    display_in_profile_summary: field.display_in_profile_summary,
  }
}
