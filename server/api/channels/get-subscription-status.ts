import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import { findChannel } from '../../lookups/find-channel.js'
import { currentUser } from '../../lookups/find-user.js'
import { mayAccessUser } from '../../lookups/known-users.js'
import { shortId } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { readSubscription } from '../../store/channels/subscriptions.js'
import { route } from '../route.js'

export const getSubscriptionStatus = route({
  operation: 'get_subscription_status',
  method: 'GET',
  path: '/users/{user_id}/subscriptions/{stream_id}',
  doc: 'Returns whether a user is subscribed to a channel.',
  allow: anyAccount,
  params: z.object({ user_id: shortId().describe('The user.'), stream_id: shortId().describe('The channel.') }),
  returns: z.object({ is_subscribed: z.boolean() }),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params: { user_id, stream_id } }) {
    await ctx.directory.fresh()
    const { directory, sql } = ctx
    const user = directory.users.get(user_id)
    const mayKnow = user && (await mayAccessUser(sql, directory, currentUser(directory, actor.user), user))
    if (!user || !mayKnow) throw badRequest('No such user')
    const { channel } = await findChannel(ctx, sql, actor, { channelId: stream_id, need: 'metadata' })
    const subscription = user.is_active ? await readSubscription(sql, user.id, channel.id) : null
    return { is_subscribed: subscription?.is_active ?? false }
  },
})
