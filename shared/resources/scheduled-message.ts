import { z } from 'zod'

/** A message that its author sends later. */
export const scheduledMessage = z.object({
  scheduled_message_id: z.int(),
  type: z.enum(['private', 'stream']),
  to: z.union([z.int(), z.array(z.int())]).describe('A channel, or the users beside the author.'),
  topic: z.string().optional().describe('Only in a channel.'),
  content: z.string().describe('Markdown source.'),
  rendered_content: z.string().describe('HTML as of the last edit; it is rendered again when the message is sent.'),
  scheduled_delivery_timestamp: z.int().describe('When it is sent, in UNIX seconds.'),
  failed: z.boolean().describe('It could not be sent at its time; it is sent after an edit of the time.'),
})

export type ScheduledMessage = z.output<typeof scheduledMessage>
