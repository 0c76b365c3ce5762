import { z } from 'zod'
import { wireEvent } from '../../../shared/events/wire-event.js'
import { required } from '../../params/conditions.js'
import { boolean, integer, text } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { JsonFields, route } from '../route.js'

/** The long poll; the alternative to the socket channel (docs/protocol/events.md#long-poll). */
export const getEvents = route({
  operation: 'get_events',
  method: 'GET',
  path: '/events',
  doc: 'Returns the events of a queue after the last handled one; waits if there are none.',
  allow: anyAccount,
  params: z.object({
    // Required, but the protocol's error for a missing one has no var_name.
    queue_id: text().optional().describe('The id of the queue from `register`.'),
    last_event_id: integer({ min: -1 })
      .optional()
      .describe(
        'The id of the last event that the client has handled; the queue deletes it and all earlier ones. -1: none.',
      ),
    dont_block: boolean().default(false).describe('Answer at once, also without events.'),
  }),
  requires: [
    { anyOf: ['queue_id'], refusal: "Missing 'queue_id' argument" },
    { anyOf: ['last_event_id'], refusal: "Missing 'last_event_id' argument" },
  ],
  returns: z.object({ events: z.array(wireEvent), queue_id: z.string() }),
  errors: ['BAD_REQUEST', 'BAD_EVENT_QUEUE_ID'],
  handle({ ctx, actor, params: { queue_id, last_event_id, dont_block }, signal }) {
    const waiting = ctx.realtime.poll(required(queue_id), actor.user.id, required(last_event_id), {
      dontBlock: dont_block,
      signal,
    })
    return waiting.then(({ queueId, field }) => new JsonFields(field, `,"queue_id":${JSON.stringify(queueId)}`))
  },
})
