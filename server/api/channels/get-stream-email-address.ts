import { z } from 'zod'
import { channelAddress } from '../../actions/incoming-mail/channel-address.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'
import { emailAddressParams } from './email-address-params.js'

export const getStreamEmailAddress = route({
  operation: 'get_stream_email_address',
  method: 'GET',
  path: '/streams/{stream_id}/email_address',
  doc: 'Returns the address to which mails become messages in a channel. The caller must be allowed to post there.',
  allow: anyAccount,
  params: emailAddressParams,
  returns: z.object({
    email: z.string().describe('The same each time, until it is replaced. Empty: the server receives no mail.'),
  }),
  errors: ['BAD_REQUEST'],
  handle: async ({ ctx, actor, params: { stream_id: channelId, sender_id: senderId } }) => ({
    email: await channelAddress(ctx, actor, { channelId, senderId }),
  }),
})
