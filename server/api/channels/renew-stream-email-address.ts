import { z } from 'zod'
import { renewChannelAddress } from '../../actions/incoming-mail/channel-address.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'
import { emailAddressParams } from './email-address-params.js'

export const renewStreamEmailAddress = route({
  operation: 'renew_stream_email_address',
  method: 'POST',
  path: '/streams/{stream_id}/email_address',
  doc: 'Replaces the address to which mails become messages in a channel, and returns the new one. Mail to the former one is refused. The caller must be allowed to post there. It is a part of this server alone.',
  allow: anyAccount,
  params: emailAddressParams,
  returns: z.object({ email: z.string().describe('Empty: the server receives no mail.') }),
  errors: ['BAD_REQUEST'],
  handle: async ({ ctx, actor, params: { stream_id: channelId, sender_id: senderId } }) => ({
    email: await renewChannelAddress(ctx, actor, { channelId, senderId }),
  }),
})
