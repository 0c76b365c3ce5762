import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import { currentUser } from '../../lookups/find-user.js'
import { text } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { knowsChannel } from '../../policies/channel-permissions.js'
import { readSubscription } from '../../store/channels/subscriptions.js'
import { route } from '../route.js'

export const getStreamId = route({
  operation: 'get_stream_id',
  method: 'GET',
  path: '/get_stream_id',
  doc: 'Returns the id of the channel with this name.',
  allow: anyAccount,
  params: z.object({ stream: text().describe('Name of the channel; letter case does not matter.') }),
  returns: z.object({ stream_id: z.int() }),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params: { stream } }) {
    await ctx.directory.fresh()
    const { directory } = ctx
    const user = currentUser(directory, actor.user)
    const channel = directory.channelNamed(stream)
    // The query also runs for an unknown name, so that the response time does not reveal whether a channel exists.
    const subscription = await readSubscription(ctx.sql, user.id, channel?.id ?? 0)
    if (!channel || !knowsChannel(directory, user, channel, subscription?.is_active ?? false)) {
      throw badRequest(`Invalid channel name '${stream}'`)
    }
    return { stream_id: channel.id }
  },
})
