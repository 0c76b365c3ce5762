import { z } from 'zod'
import { type Playground, playground } from '../resources/playground.js'
import type { ClientState } from './client-state.js'
import { defineEvent } from './event.js'

type State = ClientState & { realm_playgrounds?: Playground[] }

export const realmPlaygrounds = defineEvent('realm_playgrounds', {
  doc: 'A playground was added or removed; the event contains all of them.',
  fields: z.object({ realm_playgrounds: z.array(playground).describe('All playgrounds, in the order of their ids.') }),
  audit: ({ realm_playgrounds }) => [
    { subject: {}, before: null, after: { playgrounds: realm_playgrounds.map(({ id, ...shown }) => shown) } },
  ],
  apply: applyRealmPlaygrounds,
})

export function applyRealmPlaygrounds(state: State, event: { realm_playgrounds: Playground[] }): void {
  if (state.realm_playgrounds) state.realm_playgrounds = event.realm_playgrounds
}
