import type { ProfileFieldObject } from '../resources/custom-profile-field.js'
import { defineEvent } from './event.js'

export interface CustomProfileFieldsPayload {
  fields: readonly ProfileFieldObject[]
}

export const customProfileFields = defineEvent<CustomProfileFieldsPayload>('custom_profile_fields', {
  doc: "The organization's custom profile fields changed: the whole list. Values of fields that are gone go with them.",
  apply(state, event) {
    const { fields } = event as unknown as CustomProfileFieldsPayload
    if (state.custom_profile_fields) state.custom_profile_fields = fields
    const left = new Set(fields.map(field => String(field.id)))
    for (const list of [state.realm_users, state.realm_non_active_users] as (Person[] | undefined)[]) {
      for (const person of list ?? []) {
        const kept = Object.entries(person.profile_data ?? {}).filter(([id]) => left.has(id))
        if (person.profile_data) person.profile_data = Object.fromEntries(kept)
      }
    }
  },
})

interface Person {
  profile_data?: Record<string, unknown>
}
