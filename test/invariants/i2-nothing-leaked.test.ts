// I2: no answer and no event shows a user what it may not see; both transports share the permission layer.
import t from 'tap'
import type { Answer } from '../support/http.js'
import type { Person } from '../support/people.js'
import { startServer } from '../support/server.js'

const server = await startServer(t)
const insider = await server.person({ full_name: 'Insider' })
const friend = await server.person({ full_name: 'Friend' })
const outsider = await server.person({ full_name: 'Outsider' })
const guest = await server.person({ full_name: 'Visitor', role: 600 })
const secret = 'xyzzy-secret'

/** All events that a queue has received. A marker message to the user itself follows all earlier events. */
async function drain(person: Person, queueId: string): Promise<unknown[]> {
  const marker = (await person.ok('POST', '/messages', { type: 'direct', to: [person.id], content: 'marker' })).id
  const events: { id: number; type: string; message?: { id: number } }[] = []
  while (!events.some(event => event.message?.id === marker)) {
    const body = await person.ok('GET', '/events', { queue_id: queueId, last_event_id: events.at(-1)?.id ?? -1 })
    events.push(...body.events)
  }
  return events.filter(event => event.message?.id !== marker)
}

const registerAll = async (person: Person): Promise<string> =>
  (
    await person.ok('POST', '/register', {
      include_subscribers: true,
      ...(person === guest ? {} : { all_public_streams: true }),
      client_capabilities: { stream_typing_notifications: true, archived_channels: true, bulk_message_deletion: true },
    })
  ).queue_id

t.test('I2: events of a private channel reach only users with access', async t => {
  const queues = new Map<Person, string>()
  for (const person of [outsider, guest]) queues.set(person, await registerAll(person))
  await insider.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: secret, description: `about ${secret}` }],
    principals: [insider.id, friend.id],
    invite_only: true,
  })
  const { stream_id } = await insider.ok('GET', '/get_stream_id', { stream: secret })
  const sent = await insider.ok('POST', '/messages', {
    type: 'channel',
    to: stream_id,
    topic: secret,
    content: `${secret} @**Outsider** @**Visitor** @**all** #**${secret}**`,
  })
  await friend.ok('POST', `/messages/${sent.id}/reactions`, { emoji_name: 'eyes' })
  await insider.ok('PATCH', `/messages/${sent.id}`, { content: `edited ${secret}`, topic: `${secret} two` })
  await insider.ok('POST', `/messages/${sent.id}/typing`, { op: 'start' })
  await insider.ok('POST', '/typing', { type: 'channel', op: 'start', stream_id, topic: secret })
  await friend.ok('POST', '/messages/flags', { messages: [sent.id], op: 'add', flag: 'starred' })
  const doomed = await insider.ok('POST', '/messages', { type: 'channel', to: stream_id, topic: 'x', content: secret })
  await insider.ok('DELETE', `/messages/${doomed.id}`)
  await friend.ok('DELETE', '/users/me/subscriptions', { subscriptions: [secret] })
  for (const [person, queueId] of queues) {
    const events = await drain(person, queueId)
    t.notMatch(JSON.stringify(events), secret, `${person.full_name} reads nothing of it`)
    t.notOk(
      JSON.stringify(events).match(
        new RegExp(`"(stream_id|channel_id)":${stream_id}\\b|"stream_ids":\\[${stream_id}\\]`),
      ),
      `${person.full_name} does not even learn that it exists`,
    )
    t.notOk(JSON.stringify(events).includes(`"message_id":${sent.id}`))
  }
})

t.test('I2: a channel and a message that one may not see look like ones that do not exist', async t => {
  const { stream_id } = await insider.ok('GET', '/get_stream_id', { stream: secret })
  const { messages } = await insider.ok('GET', '/messages', {
    anchor: 'newest',
    num_before: 1,
    narrow: [{ operator: 'channel', operand: secret }],
  })
  const hidden = messages[0].id
  const nowhere = 2_000_000_000
  const calls: [method: string, path: (id: number) => string, id: number, params: Record<string, unknown>][] = [
    ['GET', id => `/streams/${id}`, stream_id, {}],
    ['GET', id => `/streams/${id}/members`, stream_id, {}],
    ['GET', id => `/users/me/${id}/topics`, stream_id, {}],
    ['POST', () => '/typing', stream_id, { type: 'channel', op: 'start', topic: 'x' }],
    ['GET', id => `/messages/${id}`, hidden, {}],
    ['PATCH', id => `/messages/${id}`, hidden, { content: 'mine now' }],
    ['DELETE', id => `/messages/${id}`, hidden, {}],
    ['POST', id => `/messages/${id}/reactions`, hidden, { emoji_name: 'eyes' }],
    ['DELETE', id => `/messages/${id}/reactions`, hidden, { emoji_name: 'eyes' }],
    ['POST', id => `/messages/${id}/typing`, hidden, { op: 'start' }],
  ]
  const shape = ({ status, body }: Answer) => ({ status, code: body.code, msg: body.msg })
  for (const person of [outsider, guest, friend]) {
    for (const [method, path, id, params] of calls) {
      const withId = (n: number) => (path(n) === '/typing' ? { ...params, stream_id: n } : params)
      const there = shape(await person.call(method, path(id), withId(id)))
      const missing = shape(await person.call(method, path(nowhere), withId(nowhere)))
      t.equal(there.status >= 400, true, `${person.full_name}: ${method} ${path(id)} is refused`)
      t.same(there, missing, `${person.full_name}: ${method} ${path(id)} as if it did not exist`)
    }
    const byName = shape(await person.get('/get_stream_id', { stream: secret }))
    const noName = shape(await person.get('/get_stream_id', { stream: 'there is no such channel' }))
    t.same([byName.status, byName.code], [noName.status, noName.code])
  }
})

t.test('I2: lists and searches leave it out', async t => {
  for (const person of [outsider, guest, friend]) {
    const answers = await Promise.all([
      person.ok('GET', '/streams', { include_all: true }),
      person.ok('GET', '/messages', { anchor: 'newest', num_before: 100, narrow: [['search', 'xyzzy']] }),
      person.ok('GET', '/messages', { anchor: 'newest', num_before: 100 }),
      person.ok('POST', '/register', {
        include_subscribers: true,
        fetch_event_types: ['stream', 'message', 'realm_user'],
      }),
    ])
    if (person === friend) continue
    for (const body of answers) t.notMatch(JSON.stringify(body), secret, person.full_name)
  }
  const mine = await insider.ok('GET', '/messages', { anchor: 'newest', num_before: 9, narrow: [['search', 'xyzzy']] })
  t.ok(mine.messages.length > 0, 'who is in it finds it: the searches above could have found something')
})

t.test('I2: direct messages stay between their participants', async t => {
  const queueId = await registerAll(outsider)
  const sent = await insider.ok('POST', '/messages', { type: 'direct', to: [friend.id], content: `${secret} for two` })
  await friend.ok('POST', `/messages/${sent.id}/reactions`, { emoji_name: 'eyes' })
  await insider.ok('PATCH', `/messages/${sent.id}`, { content: `${secret} still for two` })
  await insider.ok('POST', '/typing', { op: 'start', to: [friend.id] })
  t.notMatch(JSON.stringify(await drain(outsider, queueId)), secret)
  t.equal((await outsider.get(`/messages/${sent.id}`)).status, 400)
  const found = await outsider.ok('GET', '/messages', {
    anchor: 'newest',
    num_before: 99,
    narrow: [['search', 'xyzzy']],
  })
  t.same(found.messages, [])
})

t.test('I2: real addresses only for those who may see them', async t => {
  const shy = await server.person({ full_name: 'Shy', email_address_visibility: 4 })
  for (const person of [outsider, guest]) {
    const bodies = [
      await person.ok('GET', '/users'),
      await person.ok('GET', `/users/${shy.id}`),
      await person.ok('POST', '/register', { fetch_event_types: ['realm_user'], event_types: [] }),
    ]
    for (const body of bodies) t.notMatch(JSON.stringify(body), shy.email)
    t.equal((await person.get(`/users/${encodeURIComponent(shy.email)}`)).status, 400)
  }
})
