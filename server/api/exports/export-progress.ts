import { z } from 'zod'

export const exportProgress = z
  .array(z.object({ id: z.int(), percent: z.int() }))
  .describe('How much of each pending export is written.')
