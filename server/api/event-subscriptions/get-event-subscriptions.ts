import { z } from 'zod'
import { botsOnly } from '../../policies/allow.js'
import { type EventSubscription, subscriptionsOf } from '../../store/personal/event-subscriptions.js'
import { route } from '../route.js'

const subscription = z.object({
  id: z.int(),
  url: z.string(),
  event_types: z.array(z.string()),
  is_active: z
    .boolean()
    .describe('False: the bot has turned it off, or no event has reached the address for three days.'),
  last_event_id: z.int().describe('The id of the last event that has arrived.'),
  failing_since: z
    .int()
    .nullable()
    .describe('UNIX seconds of the first attempt that failed; null: the last one did not.'),
  failure: z.string().nullable().describe('Why the last attempt has failed.'),
})

export const getEventSubscriptions = route({
  operation: 'get_event_subscriptions',
  method: 'GET',
  path: '/event_subscriptions',
  doc: 'Lists the addresses to which events of the bot are sent.',
  allow: botsOnly,
  params: z.object({}),
  returns: z.object({ event_subscriptions: z.array(subscription) }),
  errors: ['PERMISSION_DENIED'],
  async handle({ ctx, actor: { user } }) {
    return { event_subscriptions: (await subscriptionsOf(ctx.sql, user.id)).map(listed) }
  },
})

const listed = ({ id, url, event_types, is_active, position, failing_since, failure }: EventSubscription) => ({
  id,
  url,
  event_types,
  is_active,
  last_event_id: position,
  failing_since: failing_since && Math.floor(failing_since.getTime() / 1000),
  failure,
})
