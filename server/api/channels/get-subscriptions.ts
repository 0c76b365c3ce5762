import { z } from 'zod'
import { subscriptionSchema } from '../../../shared/resources/subscription.js'
import { currentUser } from '../../lookups/find-user.js'
import { word } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { JsonFields, route } from '../route.js'
import { knownChannels, listEncoder } from './subscription-lists.js'

export const getSubscriptions = route({
  operation: 'get_subscriptions',
  method: 'GET',
  path: '/users/me/subscriptions',
  doc: 'Lists the channels to which you are subscribed, with your settings for them; null: your setting for all channels applies.',
  allow: anyAccount,
  isTool: true,
  params: z.object({
    include_subscribers: z
      .preprocess(value => (typeof value === 'boolean' ? String(value) : value), word('true', 'false', 'partial'))
      .default('false')
      .describe('Whether to list subscribers; `partial`: only some for large channels.'),
  }),
  returns: z.object({ subscriptions: z.array(subscriptionSchema) }),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params: { include_subscribers } }) {
    await ctx.directory.fresh()
    // Null is inherited here for every client, whatever its queues declared.
    const view = { archived_channels: false, notification_settings_null: true, include_subscribers }
    const user = currentUser(ctx.directory, actor.user)
    const known = await knownChannels(ctx, ctx.sql, user, {
      listsVersion: ctx.directory.listsVersion,
      view,
      which: 'subscriptions',
    })
    const encode = await listEncoder(ctx, ctx.sql, user, { view, known })
    return new JsonFields('"subscriptions":', encode('subscriptions'))
  },
})
