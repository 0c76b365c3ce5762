import { defineEvent } from './event.js'

export interface RealmUpdateDictPayload {
  property: 'default'
  /** Names of settings without `realm_`, and their new values. */
  data: Record<string, unknown>
}

export const realmUpdateDict = defineEvent<RealmUpdateDictPayload>('realm/update_dict', {
  doc: 'Settings of the organization changed.',
  apply(state, event) {
    for (const [name, value] of Object.entries(event.data as Record<string, unknown>)) {
      if (`realm_${name}` in state) state[`realm_${name}`] = value
    }
  },
})
