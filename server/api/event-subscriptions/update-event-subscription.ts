import { z } from 'zod'
import { changeEventSubscription } from '../../actions/bots/event-subscriptions.js'
import { boolean, integer } from '../../params/schemas.js'
import { botsOnly } from '../../policies/allow.js'
import { route } from '../route.js'
import { eventTypes, eventUrl, subscriptionId } from './params.js'

export const updateEventSubscription = route({
  operation: 'update_event_subscription',
  method: 'PATCH',
  path: '/event_subscriptions/{event_subscription_id}',
  doc: 'Changes where events of the bot are sent, and which. An attempt follows at once, also after failures.',
  allow: botsOnly,
  params: z.object({
    event_subscription_id: subscriptionId(),
    url: eventUrl().optional(),
    event_types: eventTypes().optional(),
    is_active: boolean()
      .optional()
      .describe('False: nothing is sent until it is true again; then what the feed still holds follows.'),
    last_event_id: integer({ min: 0 })
      .optional()
      .describe('All events after this one are sent, again if they have arrived before. The feed must still hold it.'),
  }),
  returns: z.object({}),
  errors: ['BAD_REQUEST', ['BAD_REQUEST', 404], 'PERMISSION_DENIED'],
  async handle({ ctx, actor, params: { event_subscription_id: id, url, event_types, is_active, last_event_id } }) {
    await changeEventSubscription(ctx, actor, id, { url, event_types, is_active, position: last_event_id })
    return {}
  },
})
