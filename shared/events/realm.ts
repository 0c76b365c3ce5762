import { defineEvent } from './event.js'

type State = Record<string, unknown>

export interface RealmUpdatePayload {
  /** Name of a setting without `realm_`. */
  property: string
  value: string | number | boolean | null
}

export const realmUpdate = defineEvent<RealmUpdatePayload>('realm/update', {
  doc: 'A setting of the organization changed.',
  apply: (state, event) => change(state, event.property as string, event.value),
})

export interface RealmUpdateDictPayload {
  property: 'default'
  /** Names of settings without `realm_`, and their new values. */
  data: Record<string, unknown>
}

export const realmUpdateDict = defineEvent<RealmUpdateDictPayload>('realm/update_dict', {
  doc: 'Settings of the organization changed.',
  apply(state, event) {
    for (const [name, value] of Object.entries(event.data as State)) change(state, name, value)
  },
})

function change(state: State, name: string, value: unknown): void {
  if (`realm_${name}` in state) state[`realm_${name}`] = value
  // Legacy fields that show the same setting.
  if (name === 'jitsi_server_url' && name in state) state[name] = value
  if (name === 'message_edit_history_visibility_policy' && 'realm_allow_edit_history' in state) {
    state.realm_allow_edit_history = value !== 'none'
  }
  if (name === 'authentication_methods') {
    const isEnabled = (value as Record<string, { enabled: boolean }>).Email?.enabled ?? false
    for (const field of ['realm_email_auth_enabled', 'realm_password_auth_enabled']) {
      if (field in state) state[field] = isEnabled
    }
  }
}
