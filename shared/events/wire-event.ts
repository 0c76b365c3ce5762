import { z } from 'zod'
import { eventDefs } from './index.js'

/** The schema of each event that clients get, by its name: its fields with id, type and op. */
export const wireEvents: ReadonlyMap<string, z.ZodObject> = new Map(
  [...eventDefs.values()]
    .filter(({ name }) => !name.startsWith('_'))
    .map(({ name, type, op, doc, fields }) => [
      name,
      z
        .object({
          id: z.int().describe('Ascending within the queue.'),
          type: z.literal(type),
          ...(op !== undefined && { op: z.literal(op) }),
          ...fields.shape,
        })
        .describe(doc),
    ]),
)

export const wireEvent = z.union([...wireEvents.values()])
