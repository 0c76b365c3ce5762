import { z } from 'zod'
import type { ClientState } from './client-state.js'
import { defineEvent } from './event.js'

type State = ClientState & { user_settings?: Record<string, unknown> }

export const userSettingsUpdate = defineEvent('user_settings/update', {
  doc: 'A personal setting of the receiver changed.',
  fields: z.object({
    property: z.string().describe('A personal setting, or `timezone`.'),
    value: z.union([z.boolean(), z.number(), z.string(), z.null()]),
    language_name: z.string().optional().describe('Only with `default_language`: its name in that language.'),
  }),
  changesDirectory: true,
  apply(state: State, { property, value }) {
    if (state.user_settings) state.user_settings[property] = value
  },
})
