import { z } from 'zod'
import type { ClientState } from './client-state.js'
import { defineEvent } from './event.js'

type State = ClientState & { realm_default_streams?: number[] }

export const defaultStreams = defineEvent('default_streams', {
  doc: 'The list of channels to which new members are subscribed changed.',
  fields: z.object({ default_streams: z.array(z.int()).describe('All default channels, ids ascending.') }),
  apply: applyDefaultStreams,
})

export function applyDefaultStreams(state: State, event: { default_streams: number[] }): void {
  if (state.realm_default_streams) state.realm_default_streams = event.default_streams
}
