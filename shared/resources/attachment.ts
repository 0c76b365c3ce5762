import { z } from 'zod'

/** A file that a user uploaded. */
export const attachment = z.object({
  id: z.int(),
  name: z.string().describe('As the uploader named it.'),
  path_id: z.string().describe('What follows `/user_uploads/` in its address.'),
  size: z.int().describe('In bytes.'),
  create_time: z.int().describe('When it was uploaded, in UNIX seconds.'),
  message_ids: z.array(z.int()).describe('The messages that use it, ascending.'),
  messages: z
    .array(z.object({ id: z.int(), date_sent: z.int().describe('In UNIX milliseconds.') }))
    .describe('Deprecated: the same messages, for clients that expect them.'),
})

export type Attachment = z.output<typeof attachment>
