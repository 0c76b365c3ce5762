import { z } from 'zod'
import { defineEvent } from './event.js'

export const heartbeat = defineEvent('heartbeat', {
  doc: 'No event occurred for some time; the connection works. Queues of all event types get it, with an id like any other event.',
  fields: z.object({}),
})
