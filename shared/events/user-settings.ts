import { defineEvent } from './event.js'

export interface UserSettingsPayload {
  /** A personal setting, or `timezone`. */
  property: string
  value: boolean | number | string | null
  /** The language's name in that language; only with default_language. */
  language_name?: string
}

export const userSettingsUpdate = defineEvent<UserSettingsPayload>('user_settings/update', {
  doc: 'A personal setting of the receiver changed.',
  apply(state, event) {
    const settings = state.user_settings as Record<string, unknown> | undefined
    if (settings) settings[event.property as string] = event.value
  },
})
