import { type KnownPresence, legacyWebsite } from '../resources/presence.js'
import { defineEvent } from './event.js'

export interface PresencePayload extends KnownPresence {
  user_id: number
  /** The user's email in the API. */
  email: string
  server_timestamp: number
}

export const presenceEvent = defineEvent<PresencePayload>('presence', {
  doc: 'A user who was away is there again. Who stays, leaves or goes idle is learnt by polling.',
  dependsOn: ['simplified_presence_events', 'slim_presence'],
  render(payload, view) {
    const { user_id, email, server_timestamp, active_timestamp, idle_timestamp } = payload
    if (view.simplified_presence_events) return { presences: { [user_id]: { active_timestamp, idle_timestamp } } }
    const presence = { website: legacyWebsite(payload) }
    return view.slim_presence ? { user_id, server_timestamp, presence } : { user_id, email, server_timestamp, presence }
  },
  apply(state, event) {
    if (!state.presences) return
    const known = state.presences as Record<string, unknown>
    if (event.presences) Object.assign(known, event.presences)
    else if (event.email !== undefined) {
      const { website } = event.presence as { website: ReturnType<typeof legacyWebsite> }
      const { pushable: _, ...aggregated } = website
      known[event.email as string] = { aggregated, website }
    }
  },
})
