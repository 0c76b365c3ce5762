import { z } from 'zod'
import { type DefaultChannelGroup, defaultChannelGroup } from '../resources/default-channel-group.js'
import type { ClientState } from './client-state.js'
import { defineEvent } from './event.js'

type State = ClientState & { realm_default_stream_groups?: DefaultChannelGroup[] }

export const defaultStreamGroups = defineEvent('default_stream_groups', {
  doc: 'The groups of channels that new members may choose changed; the event contains all of them.',
  fields: z.object({ default_stream_groups: z.array(defaultChannelGroup) }),
  apply: applyDefaultStreamGroups,
})

export function applyDefaultStreamGroups(state: State, event: { default_stream_groups: DefaultChannelGroup[] }): void {
  if (state.realm_default_stream_groups) state.realm_default_stream_groups = event.default_stream_groups
}
