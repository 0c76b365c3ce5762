import { z } from 'zod'

/** A website that runs code; clients offer it beside code blocks of the language. */
export const playground = z.object({
  id: z.int(),
  name: z.string(),
  pygments_language: z.string().describe('The language as code blocks name it.'),
  url_template: z.string().describe('RFC 6570 template of the address; its variable is `code`.'),
})

export type Playground = z.output<typeof playground>
