import t from 'tap'
import WebSocket from 'ws'
import { realmUserUpdate } from '../../shared/events/realm-user.js'
import { until } from '../http/until.js'
import { basic } from '../support/http.js'
import type { Person } from '../support/people.js'
import { startServer } from '../support/server.js'
import { SocketClient } from './socket-client.js'

const server = await startServer(t)
const ann = await server.person()
const bob = await server.person()

async function open(person: Person, protocol = 'chat.v1.json'): Promise<SocketClient> {
  const url = `${person.url.replace('http', 'ws')}/api/v1/socket`
  const socket = new WebSocket(url, [protocol], { headers: { Authorization: basic(person) } })
  const client = new SocketClient(socket)
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))
  t.teardown(() => socket.terminate())
  return client
}
/** An event for Ann. */
const renamed = (full_name: string) =>
  server.ctx.write(async (_tx, emit) => emit(realmUserUpdate, { person: { user_id: bob.id, full_name } }, [ann.id]))
// biome-ignore lint/suspicious/noExplicitAny: events of every shape
const eventsOf = (client: SocketClient): any[] =>
  client.frames.flatMap(frame => (frame.op === 'events' ? frame.events : []))
const names = (client: SocketClient) => eventsOf(client).map(event => event.person?.full_name)
const register = { op: 'register', id: 'r', params: { fetch_event_types: [], event_types: ['realm_user'] } }

for (const protocol of ['chat.v1.json', 'chat.v1.msgpack']) {
  t.test(`${protocol}: events come in order, and what was missed comes after attaching again`, async t => {
    const first = await open(ann, protocol)
    const { queue_id } = (await first.send(register).reply('r')).body
    await renamed('One')
    await until(() => names(first).includes('One'))
    const { id } = eventsOf(first).at(-1)
    first.send({ op: 'ack', last_event_id: id })
    first.socket.terminate()
    await renamed('Two')
    await renamed('Three')

    const second = await open(ann, protocol)
    const attached = await second.send({ op: 'attach', id: 1, queue_id, last_event_id: id }).reply(1)
    t.match(attached, { status: 200, body: { result: 'success', queue_id } })
    await renamed('Four')
    await until(() => names(second).includes('Four'))
    t.same(names(second), ['Two', 'Three', 'Four'])
    const ids = eventsOf(second).map(event => event.id)
    t.same(
      ids,
      [...ids].sort((a, b) => a - b),
    )
    second.socket.close()
  })
}

t.test('the newest attachment wins: the former closes with 4009', async t => {
  const first = await open(ann)
  const { queue_id } = (await first.send(register).reply('r')).body
  const second = await open(ann)
  await second.send({ op: 'attach', id: 1, queue_id, last_event_id: -1 }).reply(1)
  t.equal((await first.closed()).code, 4009)
  t.match(
    await second.send({ op: 'attach', id: 2, queue_id, last_event_id: -1 }).reply(2),
    { status: 200 },
    'itself again',
  )
  t.equal(second.socket.readyState, second.socket.OPEN)
  second.socket.close()
})

t.test('a queue is read by poll and by socket in turn, with the same ids', async t => {
  const client = await open(ann)
  const { queue_id } = (await client.send(register).reply('r')).body
  await renamed('Seen twice')
  await until(() => names(client).includes('Seen twice'))
  await client.send({ op: 'detach', id: 1 }).reply(1)
  const { body } = await ann.get('/events', { queue_id, last_event_id: -1 })
  t.same(body.events, eventsOf(client))
  client.socket.close()
})

t.test('a queue that is deleted closes its socket with 4010; of another it cannot be had', async t => {
  const client = await open(ann)
  const { queue_id } = (await client.send(register).reply('r')).body
  const thief = await open(bob)
  t.match(await thief.send({ op: 'attach', id: 1, queue_id, last_event_id: -1 }).reply(1), {
    status: 400,
    body: { code: 'BAD_EVENT_QUEUE_ID', queue_id },
  })
  await client.send({ op: 'request', id: 2, method: 'DELETE', path: '/events', params: { queue_id } })
  t.equal((await client.closed()).code, 4010)
  thief.socket.close()
})

t.test('an acknowledgement of an id that never existed gets an error', async t => {
  const client = await open(ann)
  await client.send(register).reply('r')
  client.send({ op: 'ack', last_event_id: 5 })
  t.match(await client.frame(frame => frame.op === 'error'), { code: 'BAD_REQUEST' })
  client.socket.close()
})

t.test('stopping closes with 1012', async t => {
  const client = await open(ann)
  await client.send(register).reply('r')
  await server.stop()
  t.equal((await client.closed()).code, 1012)
})
