import { z } from 'zod'

/** A text that its owner saves for reuse. */
export const savedSnippet = z.object({
  id: z.int(),
  title: z.string(),
  content: z.string().describe('Markdown source.'),
  date_created: z.int().describe('UNIX seconds.'),
})

export type SavedSnippet = z.output<typeof savedSnippet>
