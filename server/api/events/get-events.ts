import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import { wireEvent } from '../../../shared/events/wire-event.js'
import { boolean, integer, text } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { JsonFields, route } from '../route.js'

// What clients send, in either order; none of these characters is escaped.
const usualQuery = /^(?:queue_id=([\w-]{1,100})&)?last_event_id=(-1|[1-9]\d{0,15})(?:&queue_id=([\w-]{1,100}))?$/

/** The long poll; the alternative to the socket channel (docs/protocol/events.md#long-poll). */
export const getEvents = route({
  operation: 'get_events',
  method: 'GET',
  path: '/events',
  doc: 'Returns the events of a queue after the last handled one; waits if there are none.',
  allow: anyAccount,
  params: z.object({
    // Required, but the protocol's error for a missing one has no var_name, so the operation itself checks them.
    queue_id: text().optional().describe('Required. The id of the queue from `register`.'),
    last_event_id: integer({ min: -1 })
      .optional()
      .describe(
        'Required. The id of the last event that the client has handled; the queue deletes it and all earlier ones. -1: none.',
      ),
    dont_block: boolean().default(false).describe('Answer at once, also without events.'),
  }),
  returns: z.object({ events: z.array(wireEvent), queue_id: z.string() }),
  errors: ['BAD_REQUEST', 'BAD_EVENT_QUEUE_ID'],
  readUsual(query) {
    const found = usualQuery.exec(query)
    // A request that names two queues means the later one.
    const queue_id = found?.[3] ?? found?.[1]
    const last_event_id = Number(found?.[2])
    if (queue_id === undefined || !Number.isSafeInteger(last_event_id)) return undefined
    return { queue_id, last_event_id, dont_block: false }
  },
  handle({ ctx, actor, params: { queue_id, last_event_id, dont_block }, signal }) {
    if (queue_id === undefined) throw badRequest("Missing 'queue_id' argument")
    if (last_event_id === undefined) throw badRequest("Missing 'last_event_id' argument")
    const waiting = ctx.realtime.poll(queue_id, actor.user.id, last_event_id, {
      dontBlock: dont_block,
      signal,
    })
    return waiting.then(({ queueId, field }) => new JsonFields(field, `,"queue_id":${JSON.stringify(queueId)}`))
  },
})
