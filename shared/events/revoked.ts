import { z } from 'zod'
import { defineEvent } from './event.js'

/**
 * An event for workers, never for clients: each worker ends the queues and sockets that this user holds under the
 * former API key.
 */
export const revoked = defineEvent('_revoked', {
  doc: "The user's API key was replaced, or its account was deactivated. No client gets this event.",
  fields: z.object({ user_id: z.int() }),
  changesDirectory: true,
  render: () => null,
  audit: ({ user_id }) => [{ subject: { user_id }, before: null, after: { key: 'revoked' } }],
})
