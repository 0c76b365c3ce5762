import { z } from 'zod'
import { defineEvent } from './event.js'

/** Clients sign out. It changes nothing of the register answer, which there is no more. */
export const realmDeactivated = defineEvent('realm/deactivated', {
  doc: 'The organization was deactivated: keys and sessions have ended, and so do all queues after this event.',
  fields: z.object({ realm_id: z.int() }),
  changesDirectory: true,
})
