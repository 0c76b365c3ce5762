import { defineEvent } from './event.js'

export interface DefaultStreamsPayload {
  /** All default channels, ids ascending. */
  default_streams: readonly number[]
}

export const defaultStreams = defineEvent<DefaultStreamsPayload>('default_streams', {
  doc: 'Which channels new members are subscribed to.',
  apply(state, event) {
    if (state.realm_default_streams) state.realm_default_streams = event.default_streams
  },
})
