import { z } from 'zod'
import { channelObjectSchema } from '../../../shared/resources/channel.js'
import { findChannel } from '../../lookups/find-channel.js'
import { shortId } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { channelObject } from '../../presenters/channel-object.js'
import { factsOfChannels, newChannelFacts } from '../../store/channels/channel-facts.js'
import { route } from '../route.js'

export const getStream = route({
  operation: 'get_stream',
  method: 'GET',
  path: '/streams/{stream_id}',
  doc: 'Returns one channel, archived or not.',
  allow: anyAccount,
  params: z.object({ stream_id: shortId().describe('The channel.') }),
  returns: z.object({ stream: channelObjectSchema }),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params: { stream_id } }) {
    const { channel } = await findChannel(ctx, ctx.sql, actor, { channelId: stream_id, need: 'metadata' })
    const facts = await factsOfChannels(ctx.sql, [channel.id])
    return { stream: channelObject(ctx.directory, channel, facts.get(channel.id) ?? newChannelFacts) }
  },
})
