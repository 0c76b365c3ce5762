import { z } from 'zod'
import { defineEvent } from './event.js'

/** An ephemeral event for workers, never for clients: each worker looks for due jobs. */
export const jobsDue = defineEvent('_jobs_due', {
  doc: 'A worker has more due jobs than it can run. No client gets this event.',
  fields: z.object({}),
  render: () => null,
})
