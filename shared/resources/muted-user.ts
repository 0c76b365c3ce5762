import { z } from 'zod'

export const mutedUser = z.object({
  id: z.int(),
  timestamp: z.int().describe('When it was muted, in UNIX seconds.'),
})

export type MutedUser = z.output<typeof mutedUser>
