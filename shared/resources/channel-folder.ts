import { z } from 'zod'
import type { DeepReadonly } from './deep-readonly.js'

/** A folder that groups channels in clients. */
export const channelFolder = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string().describe('Markdown source.'),
  rendered_description: z.string().describe('HTML.'),
  order: z.int().describe('The position; ascending.'),
  date_created: z.int().describe('UNIX seconds.'),
  creator_id: z.int().nullable(),
  is_archived: z.boolean(),
})

export type ChannelFolder = DeepReadonly<z.output<typeof channelFolder>>
