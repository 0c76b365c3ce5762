import { z } from 'zod'
import { userSettingNames } from '../resources/user-settings.js'
import { changed } from './audit.js'
import type { ClientState } from './client-state.js'
import { defineEvent } from './event.js'

type State = ClientState & { realm_user_settings_defaults?: Record<string, unknown> }

export const realmUserSettingsDefaultsUpdate = defineEvent('realm_user_settings_defaults/update', {
  doc: 'The default of a personal setting for new users changed; existing users keep their values.',
  fields: z.object({
    property: z.string().meta({ enum: userSettingNames }),
    value: z.union([z.boolean(), z.number(), z.string()]),
  }),
  changesDirectory: true,
  audit: ({ property, value }, { organization }) =>
    changed({}, organization.user_settings_defaults, { [property]: value }),
  apply: applyUserSettingsDefaults,
})

export function applyUserSettingsDefaults(
  state: State,
  { property, value }: { property: string; value: unknown },
): void {
  if (state.realm_user_settings_defaults) state.realm_user_settings_defaults[property] = value
}
