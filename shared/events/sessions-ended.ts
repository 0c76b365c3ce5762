import { z } from 'zod'
import { defineEvent } from './event.js'

/** An event for workers, never for clients: each worker closes what this user's ended sessions hold. */
export const sessionsEnded = defineEvent('_sessions_ended', {
  doc: 'Sessions of the user have ended. No client gets this event.',
  fields: z.object({ user_id: z.int() }),
  changesDirectory: true,
  render: () => null,
  audit: ({ user_id }) => [{ subject: { user_id }, before: null, after: { sessions: 'ended' } }],
})
