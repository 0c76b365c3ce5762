import { z } from 'zod'

/** A rule that turns matches of its pattern in messages and topics into links. */
export const linkifier = z.object({
  id: z.int(),
  pattern: z.string().describe('Regular expression in the syntax of RE2, with named groups.'),
  url_template: z.string().describe('RFC 6570 template of the address; its variables are the groups of the pattern.'),
  example_input: z.string().nullable().describe('Text that the pattern matches.'),
  reverse_template: z.string().nullable().describe('Makes the text from an address: `{variable}`, `{{` and `}}`.'),
  alternative_url_templates: z.array(z.string()).describe('Other forms of the address that may be turned into text.'),
})

export type Linkifier = z.output<typeof linkifier>
