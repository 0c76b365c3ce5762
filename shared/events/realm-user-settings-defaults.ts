import { defineEvent } from './event.js'

export interface SettingsDefaultPayload {
  property: string
  value: boolean | number | string | null
}

export const realmUserSettingsDefaultsUpdate = defineEvent<SettingsDefaultPayload>(
  'realm_user_settings_defaults/update',
  {
    doc: 'Users who join from now on start with another value of a personal setting; existing users keep theirs.',
    apply(state, event) {
      const defaults = state.realm_user_settings_defaults as Record<string, unknown> | undefined
      if (defaults) defaults[event.property as string] = event.value
    },
  },
)
