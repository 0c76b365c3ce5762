import { z } from 'zod'
import { defineEvent } from './event.js'

export const restart = defineEvent('restart', {
  doc:
    'A server started: the whole program, not one of its workers. Queues from before the start get it once. The names of three fields begin ' +
    'with the brand of the server (`WIRE_BRAND`), here `service`.',
  fields: z.object({
    service_version: z.string().optional(),
    service_merge_base: z.string().optional(),
    service_feature_level: z.int().optional(),
    server_generation: z.int().describe('When the server started, in UNIX seconds.'),
  }),
})
