// PostgreSQL ends connections of a worker: the requests that used them fail, and no later one.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import t from 'tap'
import { PoolSocket } from '../../server/store/driver/pool-socket.js'
import { until } from '../http/until.js'
import { overtaken } from '../support/races.js'
import { startServer } from '../support/server.js'

const server = await startServer(t, { DATABASE_CONNECTIONS: '1' })
const { sql } = server
const person = await server.person()
const name = 'channel'
await person.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
const { id } = await person.ok('POST', '/messages', { type: 'stream', to: name, topic: 'topic', content: 'hello' })
// The channel learns its first message after the answer.
await until(
  async () => (await sql`select from channels where name = ${name} and first_message_id = ${id}`).length === 1,
)
const terminate = async (_: unknown, pids: readonly number[]) => {
  for (const pid of pids) await sql`select pg_terminate_backend(${pid})`
}

// `once` rejects on an error event, which comes before.
const closeOf = (socket: Socket) => new Promise(resolve => socket.on('close', resolve))

// The first waits in one statement, the second in a transaction.
const requests = {
  'one statement': () => person.call('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' }),
  'a transaction': () => person.call('PATCH', `/messages/${id}`, { topic: 'other', propagate_mode: 'change_all' }),
}

for (const [what, request] of Object.entries(requests)) {
  t.test(`after a connection was ended during ${what}, the next request is answered`, async t => {
    for (let round = 0; round < 5; round++) {
      const answer = await overtaken(server, {
        first: tx => tx`select from channels for no key update`,
        request,
        meanwhile: terminate,
      })
      t.match(answer, { status: 503, body: { code: 'SERVER_NOT_READY' } })
      t.equal((await person.call('GET', `/messages/${id}`)).status, 200)
    }
  })
}

t.test('a lost connection leaves the pool sooner if no transaction was running', async t => {
  const peers: Socket[] = []
  const listener = createServer(peer => peers.push(peer)).listen(0, '127.0.0.1')
  t.teardown(() => listener.close())
  await once(listener, 'listening')
  const closed: string[] = []
  const open = async (what: string, status: string) => {
    const socket = new PoolSocket()
    socket.on('error', () => {})
    socket.on('close', () => closed.push(what))
    socket.connect((listener.address() as AddressInfo).port, '127.0.0.1')
    await once(listener, 'connection')
    peers.at(-1)?.write(Buffer.from(`Z\0\0\0\u0005${status}`, 'latin1'))
    await once(socket, 'data')
    return socket
  }
  const sockets = [await open('in a transaction', 'T'), await open('idle', 'I')]
  const ends = Promise.all(sockets.map(closeOf))
  for (const peer of peers) peer.end()
  await ends
  t.same(closed, ['idle', 'in a transaction'])
})

t.test('only the last message of a connection is taken from the driver', async t => {
  const listener = createServer(peer => {
    peer.write(Buffer.from('Z\0\0\0\u0005I', 'latin1'))
    peer.once('data', () => {
      const fields = 'SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0'
      const length = Buffer.alloc(4)
      length.writeUInt32BE(fields.length + 4)
      peer.end(Buffer.concat([Buffer.from('D\0\0\0\u0006\0\0E', 'latin1'), length, Buffer.from(fields)]))
    })
  }).listen(0, '127.0.0.1')
  t.teardown(() => listener.close())
  await once(listener, 'listening')
  const socket = new PoolSocket()
  const errors: { code?: string; message: string }[] = []
  socket.on('error', error => errors.push(error))
  socket.connect((listener.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'data')
  const rest: Buffer[] = []
  socket.on('data', (data: Buffer) => rest.push(data))
  socket.write(Buffer.from('Q'))
  await closeOf(socket)
  t.equal(Buffer.concat(rest).toString('latin1'), 'D\0\0\0\u0006\0\0')
  t.match(errors, [{ code: '57P01', message: 'terminating connection' }, { code: 'CONNECTION_CLOSED' }])
})
