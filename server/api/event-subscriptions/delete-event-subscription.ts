import { z } from 'zod'
import { unsubscribeFromEvents } from '../../actions/bots/event-subscriptions.js'
import { botsOnly } from '../../policies/allow.js'
import { route } from '../route.js'
import { subscriptionId } from './params.js'

export const deleteEventSubscription = route({
  operation: 'delete_event_subscription',
  method: 'DELETE',
  path: '/event_subscriptions/{event_subscription_id}',
  doc: 'Sends no more events of the bot to the address.',
  allow: botsOnly,
  params: z.object({ event_subscription_id: subscriptionId() }),
  returns: z.object({}),
  errors: [['BAD_REQUEST', 404], 'PERMISSION_DENIED'],
  async handle({ ctx, actor, params }) {
    await unsubscribeFromEvents(ctx, actor, params.event_subscription_id)
    return {}
  },
})
