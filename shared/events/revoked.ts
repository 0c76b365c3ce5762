import { defineEvent } from './event.js'

/**
 * An event for workers, never for clients: each worker ends the queues and sockets that this user holds under the
 * former API key.
 */
export const revoked = defineEvent<{ user_id: number }>('_revoked', {
  doc: "The user's key was replaced or its account deactivated. No client gets this event.",
  render: () => null,
})
