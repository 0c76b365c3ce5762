import { z } from 'zod'
import { channelAddress } from '../../actions/incoming-mail/channel-address.js'
import { shortId } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const getStreamEmailAddress = route({
  operation: 'get_stream_email_address',
  method: 'GET',
  path: '/streams/{stream_id}/email_address',
  doc: 'Returns the address to which mails become messages in a channel. The caller must be allowed to post there.',
  allow: anyAccount,
  params: z.object({
    stream_id: shortId().describe('The channel.'),
    sender_id: shortId()
      .optional()
      .describe(
        'Whose messages they are: the caller, a bot of the caller, or the email gateway bot. Default: the email gateway bot.',
      ),
  }),
  returns: z.object({
    email: z.string().describe('The same each time. Empty: the server receives no mail.'),
  }),
  errors: ['BAD_REQUEST'],
  handle: async ({ ctx, actor, params: { stream_id: channelId, sender_id: senderId } }) => ({
    email: await channelAddress(ctx, actor, { channelId, senderId }),
  }),
})
