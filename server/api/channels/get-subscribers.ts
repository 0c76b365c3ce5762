import { z } from 'zod'
import { findChannel } from '../../lookups/find-channel.js'
import { shortId } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { subscribersOfChannels } from '../../store/channels/subscriptions.js'
import { route } from '../route.js'

export const getSubscribers = route({
  operation: 'get_subscribers',
  method: 'GET',
  path: '/streams/{stream_id}/members',
  doc: 'Lists the subscribers of a channel.',
  allow: anyAccount,
  params: z.object({ stream_id: shortId().describe('The channel.') }),
  returns: z.object({ subscribers: z.array(z.int()).describe('Active users, ids ascending.') }),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params: { stream_id } }) {
    const { channel } = await findChannel(ctx, ctx.sql, actor, { channelId: stream_id, need: 'metadata' })
    const subscribers = await subscribersOfChannels(ctx.sql, [channel.id])
    return { subscribers: subscribers.get(channel.id) ?? [] }
  },
})
