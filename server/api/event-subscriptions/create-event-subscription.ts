import { z } from 'zod'
import { subscribeToEvents } from '../../actions/bots/event-subscriptions.js'
import { botsOnly } from '../../policies/allow.js'
import { route } from '../route.js'
import { eventTypes, eventUrl } from './params.js'

export const createEventSubscription = route({
  operation: 'create_event_subscription',
  method: 'POST',
  path: '/event_subscriptions',
  doc: 'Sends the events that the bot gets from now on to an address: each in a signed request, in their order, again until it is accepted. At most 10 per bot.',
  allow: botsOnly,
  params: z.object({ url: eventUrl(), event_types: eventTypes() }),
  returns: z.object({
    id: z.int(),
    secret: z.string().describe('The key of the signatures, in the form of Standard Webhooks. It is shown only now.'),
  }),
  errors: ['BAD_REQUEST', 'PERMISSION_DENIED'],
  creates: true,
  isSecret: true,
  async handle({ creating, actor, params: { url, event_types } }) {
    return creating(
      ctx => subscribeToEvents(ctx, actor, { url, eventTypes: event_types }),
      made => made,
    )
  },
})
