import type { Cast } from '../../openapi/examples/cast.js'
import type { StatementCounter } from './statement-counter.js'

/** The requests that clients make most, and the most statements that each should make. */
export const usualRequests = {
  'send to a channel': 1,
  'send to a person': 1,
  react: 3,
  'remove a reaction': 3,
  'mark one message as read': 2,
  'mark a narrow of 100 as read': 3,
  star: 3,
  unstar: 3,
  'edit a message': 5,
  // One more than the rest would need, because permission is checked before the topic is read, which may be large.
  'move a topic': 7,
  'delete a message': 5,
  'mute a topic': 3,
  'save a draft': 3,
  'change an own setting': 5,
  'say that one types': 1,
  'make a channel and subscribe to it': 8,
  'register with all types': 10,
  'own account': 1,
  'a page of 100 messages': 2,
} as const

const unread = 100

/** Returns a function that sends each usual request once, in a channel of three. Each of its calls needs another number. */
export async function usualRequestsOf(counter: StatementCounter, { ada, ben, cleo, name }: Cast) {
  const [writer, reader] = [ada.person, ben.person]
  const to = name('usual')
  const subscribers = [ada.id, ben.id, cleo.id]
  const { id: channel } = await writer.ok('POST', '/channels/create', { name: to, subscribers })
  const count = (what: keyof typeof usualRequests, ...request: Parameters<typeof writer.ok>) =>
    counter.count(what, () => reader.ok(...request))
  const send = (topic: string) => ({ type: 'channel', to, topic, content: 'hello' })

  return async (run: number) => {
    const topic = `topic ${run}`
    // The last requests of the run before have changed channels.
    await writer.ok('POST', '/messages', send(topic))
    const { id } = await count('send to a channel', 'POST', '/messages', send(topic))
    await count('send to a person', 'POST', '/messages', { type: 'direct', to: [ada.id], content: 'hello' })
    await count('react', 'POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
    await count('remove a reaction', 'DELETE', `/messages/${id}/reactions`, { emoji_name: 'tada' })
    await count('edit a message', 'PATCH', `/messages/${id}`, { content: `edited ${run}` })
    const other = await writer.ok('POST', '/messages', send(topic))
    const flag = (op: string, flag: string) => ({ messages: [other.id], op, flag })
    await count('mark one message as read', 'POST', '/messages/flags', flag('add', 'read'))
    await count('star', 'POST', '/messages/flags', flag('add', 'starred'))
    await count('unstar', 'POST', '/messages/flags', flag('remove', 'starred'))
    const moved = { topic: `moved ${run}`, propagate_mode: 'change_all' }
    await count('move a topic', 'PATCH', `/messages/${id}`, moved)
    await count('delete a message', 'DELETE', `/messages/${id}`)
    await Promise.all(Array.from({ length: unread }, () => writer.ok('POST', '/messages', send(`many ${run}`))))
    const narrow = [
      { operator: 'channel', operand: channel },
      { operator: 'topic', operand: `many ${run}` },
    ]
    const page = { anchor: 'newest', num_before: unread, num_after: 0, narrow }
    // The move and the deletion have changed lists of channels.
    await reader.ok('GET', '/messages', { ...page, num_before: 0 })
    await count('mark a narrow of 100 as read', 'POST', '/messages/flags/narrow', { ...page, op: 'add', flag: 'read' })
    await count('a page of 100 messages', 'GET', '/messages', page)
    await count('mute a topic', 'POST', '/user_topics', { stream_id: channel, topic, visibility_policy: 1 })
    const draft = { type: 'stream', to: [channel], topic, content: 'hello' }
    await count('save a draft', 'POST', '/drafts', { drafts: [draft] })
    await count('change an own setting', 'PATCH', '/settings', { twenty_four_hour_time: run % 2 === 0 })
    const typing = { type: 'stream', op: 'start', stream_id: channel, topic }
    await count('say that one types', 'POST', '/typing', typing)
    const subscriptions = [{ name: `${to} ${run}` }]
    await count('make a channel and subscribe to it', 'POST', '/users/me/subscriptions', { subscriptions })
    await count('register with all types', 'POST', '/register')
    await count('own account', 'GET', '/users/me')
  }
}
