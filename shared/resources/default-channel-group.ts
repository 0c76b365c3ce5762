import { z } from 'zod'
import type { DeepReadonly } from './deep-readonly.js'

/** A group of channels that new members may choose together. */
export const defaultChannelGroup = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  streams: z.array(z.int()).describe('Ids of channels, ascending.'),
})

export type DefaultChannelGroup = DeepReadonly<z.output<typeof defaultChannelGroup>>
