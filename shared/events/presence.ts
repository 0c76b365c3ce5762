import { z } from 'zod'
import { type KnownPresence, legacyWebsite, legacyWebsiteSchema, presences } from '../resources/presence.js'
import type { ClientState } from './client-state.js'
import { defineEvent } from './event.js'

const fields = z.object({
  presences: presences.optional().describe('Only with `simplified_presence_events`: by user id.'),
  user_id: z.int().optional().describe('This and the following fields only without `simplified_presence_events`.'),
  email: z.string().optional().describe("The user's email in the API; not with `slim_presence`."),
  server_timestamp: z.number().optional(),
  presence: z.object({ website: legacyWebsiteSchema }).optional(),
})

export interface PresencePayload extends KnownPresence {
  user_id: number
  /** The user's email in the API. */
  email: string
  server_timestamp: number
}

export const presenceEvent = defineEvent('presence', {
  doc: 'A user who was offline is active again. Clients learn of users who stay, leave or become idle by polling.',
  fields,
  dependsOn: ['simplified_presence_events', 'slim_presence'],
  render(payload: PresencePayload, view) {
    const { user_id, email, server_timestamp, active_timestamp, idle_timestamp } = payload
    if (view.simplified_presence_events) return { presences: { [user_id]: { active_timestamp, idle_timestamp } } }
    const presence = { website: legacyWebsite(payload) }
    return view.slim_presence ? { user_id, server_timestamp, presence } : { user_id, email, server_timestamp, presence }
  },
  apply: applyPresence,
})

export function applyPresence({ presences: known }: ClientState, event: z.output<typeof fields>): void {
  if (!known) return
  Object.assign(known, event.presences)
  if (event.email === undefined || !event.presence) return
  const { website } = event.presence
  const { pushable: _, ...aggregated } = website
  known[event.email] = { aggregated, website }
}
