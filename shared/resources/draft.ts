import { z } from 'zod'

/** A message that its author has not sent yet. */
export const draft = z.object({
  id: z.int(),
  type: z.enum(['', 'private', 'stream']).describe('Empty: no recipient.'),
  to: z.array(z.int()).describe('A channel, or the users beside the author.'),
  topic: z.string().describe('Empty unless in a channel.'),
  content: z.string().describe('Markdown source.'),
  timestamp: z.int().describe('The last edit, in UNIX seconds.'),
})

export type Draft = z.output<typeof draft>
