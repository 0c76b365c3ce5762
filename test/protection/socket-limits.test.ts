import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { basic } from '../support/http.js'
import { startServer } from '../support/server.js'
import { SocketClient } from './socket.js'

const from = (address: string) => ({ 'X-Forwarded-For': address })

t.test('sockets of an account, and from an address', async t => {
  const server = await startServer(t, {
    TRUSTED_PROXIES: '127.0.0.1',
    MAX_SOCKETS_USER: '3',
    MAX_SOCKETS_ADDRESS: '6',
    MAX_UNKNOWN_SOCKETS_ADDRESS: '4',
  })
  const [ann, bob] = [await server.person(), await server.person()]
  const open = async (who: typeof ann, address: string) => {
    const socket = await SocketClient.connect(server.url, { ...from(address), Authorization: basic(who) })
    socket.send({ op: 'request', id: 'me', method: 'GET', path: '/users/me' })
    return socket
  }
  const held = [await open(ann, '192.0.2.1'), await open(ann, '192.0.2.2'), await open(ann, '192.0.2.3')]
  for (const socket of held) t.equal((await socket.reply('me')).status, 200)
  const fourth = await open(ann, '192.0.2.4')
  t.match(await fourth.closed, { code: 4003, reason: '10' })
  t.match(fourth.frames, [], 'nothing is said to a socket without an id')

  const others = await Promise.all([1, 2, 3].map(() => open(bob, '192.0.2.9')))
  for (const socket of others) t.equal((await socket.reply('me')).status, 200)
  held[0]?.socket.close()
  await held[0]?.closed
  const again = await open(ann, '192.0.2.9')
  t.equal((await again.reply('me')).status, 200, 'one has ended')

  const silent = await Promise.all([1, 2].map(() => SocketClient.connect(server.url, from('192.0.2.9'))))
  await t.rejects(SocketClient.connect(server.url, from('192.0.2.9')), /status 429/, 'six from one address')
  t.ok(await SocketClient.connect(server.url, from('192.0.2.10')), 'others are not concerned')
  for (const socket of [...silent, ...others, again]) socket.socket.terminate()
  await Promise.all([...silent, ...others, again].map(socket => socket.closed))
  const after = await open(bob, '192.0.2.9')
  t.equal((await after.reply('me')).status, 200, 'nothing is left of those that ended')

  const unknown = await Promise.all([1, 2, 3, 4].map(() => SocketClient.connect(server.url, from('192.0.2.50'))))
  await t.rejects(
    SocketClient.connect(server.url, from('192.0.2.50')),
    /status 429/,
    'four that have not said who they are',
  )
  unknown[0]?.send({ op: 'auth', id: 1, email: bob.email, api_key: bob.api_key })
  t.equal((await unknown[0]?.reply(1))?.status, 200)
  t.ok(await SocketClient.connect(server.url, from('192.0.2.50')), 'one has')
})

t.test('connections of a worker', async t => {
  const server = await startServer(t, { MAX_CONNECTIONS: '5' })
  const person = await server.person()
  const open = () => SocketClient.open(server.url, person)
  const sockets = await Promise.all([1, 2, 3, 4, 5].map(open))
  await t.rejects(open(), 'the sixth is cut')
  const plain = connect(Number(new URL(server.url).port), '127.0.0.1')
  plain.on('error', () => {})
  await once(plain, 'close')
  t.pass('also of a request')
  for (const one of sockets) one.socket.close()
  await Promise.all(sockets.map(one => one.closed))
  const again = await open()
  again.send({ op: 'request', id: 1, method: 'GET', path: '/users/me' })
  t.equal((await again.reply(1)).status, 200, 'room again')
})

t.test('queues of an account', async t => {
  const server = await startServer(t, { MAX_QUEUES_USER: '3' })
  const [person, other] = [await server.person(), await server.person()]
  const register = (who: typeof person) => who.post('/register', { event_types: ['message'] })
  const queues = [await register(person), await register(person), await register(person)]
  t.same(
    queues.map(({ status }) => status),
    [200, 200, 200],
  )
  const refused = await register(person)
  t.equal(refused.status, 429)
  t.match(refused.body, { code: 'RATE_LIMIT_HIT' })
  t.ok(Number(refused.headers.get('retry-after')) > 0)
  t.equal((await register(other)).status, 200, 'others are not concerned')
  await person.ok('DELETE', '/events', { queue_id: queues[0]?.body.queue_id })
  t.equal((await register(person)).status, 200)
})
