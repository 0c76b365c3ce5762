import { z } from 'zod'
import { profileField } from '../resources/custom-profile-field.js'
import type { ClientState } from './client-state.js'
import { defineEvent } from './event.js'

type State = ClientState & { custom_profile_fields?: { id: number }[] }

export const customProfileFields = defineEvent('custom_profile_fields', {
  doc: "The organization's custom profile fields changed; the event contains the whole list. Users lose the values of removed fields.",
  fields: z.object({ fields: z.array(profileField) }),
  audit: ({ fields }) => [{ subject: {}, before: null, after: { fields: fields.map(one => one.name) } }],
  apply: applyCustomProfileFields,
})

export function applyCustomProfileFields(state: State, { fields }: { fields: { id: number }[] }): void {
  if (state.custom_profile_fields) state.custom_profile_fields = fields
  const left = new Set(fields.map(field => String(field.id)))
  for (const people of [state.realm_users, state.realm_non_active_users]) {
    for (const person of Object.values(people ?? {})) {
      const kept = Object.entries(person.profile_data ?? {}).filter(([id]) => left.has(id))
      if (person.profile_data) person.profile_data = Object.fromEntries(kept)
    }
  }
}
