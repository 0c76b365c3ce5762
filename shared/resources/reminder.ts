import { z } from 'zod'

/** A message of the notification bot to a user that reminds it of a message. */
export const reminder = z.object({
  reminder_id: z.int(),
  type: z.literal('private'),
  to: z.array(z.int()).describe('The user.'),
  content: z.string().describe('Markdown source.'),
  rendered_content: z.string().describe('HTML.'),
  scheduled_delivery_timestamp: z.int().describe('When it is sent, in UNIX seconds.'),
  failed: z.boolean().describe('Its time was missed.'),
  reminder_target_message_id: z.int().describe('The message of which it reminds.'),
})

export type Reminder = z.output<typeof reminder>
