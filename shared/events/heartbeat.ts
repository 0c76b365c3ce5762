import { z } from 'zod'
import { defineEvent } from './event.js'

export const heartbeat = defineEvent('heartbeat', {
  doc: 'Nothing happened: the connection is alive. Comes whatever event types the queue takes, and takes an id like any event.',
  fields: z.object({}),
})
