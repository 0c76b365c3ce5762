import { defineEvent } from './event.js'

/** Told to workers, never to clients: whatever they hold for this user under its former key ends. */
export const revoked = defineEvent<{ user_id: number }>('_revoked', {
  doc: "The user's key was replaced or its account deactivated. No client gets this event.",
  render: () => null,
})
