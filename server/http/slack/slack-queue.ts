import type { SlackPlace } from '../../redis/slack-places.js'
import type { SlackCall } from './slack-call.js'

const eventTypes = ['message', 'update_message', 'reaction']

/** The queue of the account, and where its program is in it; a new one if it has none. */
export async function slackQueue(call: SlackCall): Promise<SlackPlace> {
  return (await call.ctx.slackPlaces.of(call.caller.id)) ?? newQueue(call)
}

/** A queue that begins now. @throws {ApiError} as the operation `register` */
export async function newQueue(call: SlackCall): Promise<SlackPlace> {
  const { queue_id, last_event_id } = await call.ask<{ queue_id: string; last_event_id: number }>('POST', '/register', {
    event_types: eventTypes,
    fetch_event_types: [],
    client_gravatar: false,
    client_capabilities: { empty_topic_name: true },
  })
  const place = { queueId: queue_id, lastEventId: last_event_id }
  await call.ctx.slackPlaces.keep(call.caller.id, place)
  return place
}
