import { z } from 'zod'
import type { Draft } from '../resources/draft.js'
import { userSettingNames } from '../resources/user-settings.js'
import type { ClientState } from './client-state.js'
import { defineEvent } from './event.js'

type State = ClientState & { user_settings?: Record<string, unknown>; drafts?: Draft[] }

export const userSettingsUpdate = defineEvent('user_settings/update', {
  doc: 'A personal setting of the receiver changed.',
  fields: z.object({
    property: z.string().meta({ enum: [...userSettingNames, 'timezone'] }),
    value: z.union([z.boolean(), z.number(), z.string()]),
    language_name: z.string().optional().describe('Only with `default_language`: its name in that language.'),
  }),
  changesDirectory: true,
  apply: applyUserSettings,
})

export function applyUserSettings(state: State, { property, value }: { property: string; value: unknown }): void {
  if (state.user_settings) state.user_settings[property] = value
  // The server deletes all drafts, without events of their own.
  if (property === 'enable_drafts_synchronization' && !value && state.drafts) state.drafts = []
}
