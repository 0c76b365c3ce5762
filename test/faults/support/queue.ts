import type { Person } from '../../support/people.js'

/** A queue of message events. */
export async function registerQueue(
  person: Person,
  params: Record<string, unknown> = {},
): Promise<{ queueId: string; last: number }> {
  const body = await person.ok('POST', '/register', { ...messagesOnly, ...params })
  return { queueId: body.queue_id, last: body.last_event_id }
}

export const messagesOnly = { event_types: ['message'], fetch_event_types: [] } as const
