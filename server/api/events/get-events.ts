import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import { wireEvent } from '../../../shared/events/wire-event.js'
import { required } from '../../params/conditions.js'
import { boolean, integer, text } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import type { Realtime, RequestSignal } from '../../realtime/realtime.js'
import { EventStream } from '../event-stream.js'
import { JsonFields, route } from '../route.js'

/** The long poll, and server-sent events; the alternatives to the socket channel (docs/protocol/events.md#long-poll). */
export const getEvents = route({
  operation: 'get_events',
  method: 'GET',
  path: '/events',
  doc: 'Returns the events of a queue after the last handled one; waits if there are none. With `Accept: text/event-stream` and without `dont_block`, the answer is a stream of server-sent events.',
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
  handle({ ctx, actor, params: { queue_id, last_event_id, dont_block }, signal, streamFrom }) {
    const queueId = required(queue_id)
    const lastEventId = required(last_event_id)
    if (streamFrom !== undefined && !dont_block) {
      const after = streamFrom === '' ? lastEventId : eventIdOf(streamFrom)
      return stream(ctx.realtime, { queueId, userId: actor.user.id, after, signal })
    }
    const waiting = ctx.realtime.poll(queueId, actor.user.id, lastEventId, {
      dontBlock: dont_block,
      signal,
    })
    return waiting.then(({ queueId, field }) => new JsonFields(field, `,"queue_id":${JSON.stringify(queueId)}`))
  },
})

interface Streamed {
  readonly queueId: string
  readonly userId: number
  readonly after: number
  readonly signal: RequestSignal
}

async function stream(realtime: Realtime, { queueId, userId, after, signal }: Streamed): Promise<EventStream> {
  const events = new EventStream(signal)
  events.attached(await realtime.attach(queueId, userId, after, events))
  return events
}

/** The header of a client that returns wins over the parameter, which is part of an address that stays the same. */
function eventIdOf(header: string): number {
  if (!/^(?:-1|\d{1,16})$/.test(header) || !Number.isSafeInteger(Number(header))) throw badRequest('Bad Last-Event-ID')
  return Number(header)
}
