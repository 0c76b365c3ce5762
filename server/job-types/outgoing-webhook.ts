import { z } from 'zod'
import { jobType } from './job-type.js'

/** A message for the server of a bot. */
export const outgoingWebhook = jobType(
  'outgoing-webhook',
  z.object({
    bot_id: z.int(),
    message_id: z.int(),
    /** Why the bot gets it. */
    trigger: z.enum(['mention', 'direct_message']),
  }),
)

export type OutgoingWebhook = z.output<typeof outgoingWebhook.payload>

/** What a bot says because of an answer of its server, or of a delivery of a service with several messages. */
export const botMessage = jobType(
  'bot-message',
  z.object({
    bot_id: z.int(),
    to: z.union([z.object({ channel: z.int(), topic: z.string() }), z.object({ people: z.array(z.int()) })]),
    content: z.string(),
    /** The client of the message; absent: that of answers. */
    client: z.string().optional(),
    /** JSON text of a form. */
    form: z.string().optional(),
  }),
)

export type BotMessage = z.output<typeof botMessage.payload>
