import { z } from 'zod'
import { shortId } from '../../params/schemas.js'

/** Which address of a channel for mails. */
export const emailAddressParams = z.object({
  stream_id: shortId().describe('The channel.'),
  sender_id: shortId()
    .optional()
    .describe(
      'Whose messages they are: the caller, a bot of the caller, or the email gateway bot. Default: the email gateway bot.',
    ),
})
