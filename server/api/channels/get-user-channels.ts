import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import { currentUser } from '../../lookups/find-user.js'
import { mayAccessUser } from '../../lookups/known-users.js'
import { shortId } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { knowsChannel } from '../../policies/channel-permissions.js'
import { subscribedChannels } from '../../store/channels/subscriptions.js'
import { route } from '../route.js'

export const getUserChannels = route({
  operation: 'get_user_channels',
  method: 'GET',
  path: '/users/{user_id}/channels',
  doc: 'Lists the channels to which a user is subscribed and which the caller may see.',
  allow: anyAccount,
  params: z.object({ user_id: shortId().describe('The user.') }),
  returns: z.object({ subscribed_channel_ids: z.array(z.int()) }),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params: { user_id } }) {
    await ctx.directory.fresh()
    const { directory, sql } = ctx
    const viewer = currentUser(directory, actor.user)
    const user = directory.users.get(user_id)
    if (!user || !(await mayAccessUser(sql, directory, viewer, user))) throw badRequest('No such user')
    const [theirs, own] = await Promise.all([subscribedChannels(sql, user.id), subscribedChannels(sql, viewer.id)])
    const subscribed = new Set(own)
    const subscribed_channel_ids = theirs.filter(id => {
      const channel = directory.channels.get(id)
      return channel && knowsChannel(directory, viewer, channel, subscribed.has(id))
    })
    return { subscribed_channel_ids }
  },
})
