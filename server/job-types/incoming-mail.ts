import { z } from 'zod'
import { jobType } from './job-type.js'

/** A mail that the server has accepted becomes a message. */
export const incomingMail = jobType(
  'incoming-mail',
  z.object({
    /** The account with whose permissions the message is sent, and that learns of a failure. */
    user_id: z.int(),
    /** Whose message it is: the account itself, its bot, or the email gateway bot. */
    sender_id: z.int(),
    to: z.union([z.object({ channel: z.int(), topic: z.string() }), z.object({ people: z.array(z.int()) })]),
    content: z.string(),
    /** Of the mail, for a notice of its failure. */
    subject: z.string(),
  }),
)

export type IncomingMail = z.output<typeof incomingMail.payload>
