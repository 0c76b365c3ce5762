import { once } from 'node:events'
import t from 'tap'
import { ann, basic, fakeServer, keys } from '../http/fake-server.js'
import { until } from '../http/until.js'
import { openSocket } from './socket-client.js'

const fake = await fakeServer(t)
const auth = { op: 'auth', id: 'a', email: 'ann@example.org', api_key: keys.ann }
const me = { op: 'request', id: 1, method: 'GET', path: '/users/me' }

let lookUp = () => {}
let gate = Promise.resolve()
const { fresh } = fake.directory
fake.directory.fresh = () => gate.then(() => fresh.call(fake.directory))

/** Credentials of an account that this worker has to look up; the lookup ends when `lookUp` is called. */
function newcomer(id: number, api_key: string) {
  gate = new Promise(resolve => {
    lookUp = resolve
  })
  fake.directory.pending.push({ id, api_key, delivery_email: 'new@example.org', role: 400, is_active: true } as never)
  return { ...auth, email: 'new@example.org', api_key }
}

function nils(count: number): Buffer {
  const bytes = Buffer.alloc(count + 5, 0xc0)
  bytes[0] = 0xdd
  bytes.writeUInt32BE(count, 1)
  return bytes
}

t.test('whatever else comes first closes with 4001, without an answer and without an operation', async t => {
  const large = JSON.stringify(auth).padEnd(4097)
  const first: Record<string, [string, string | Buffer]> = {
    'a request': ['chat.v1.json', JSON.stringify(me)],
    'an ack': ['chat.v1.json', '{"op":"ack","last_event_id":5}'],
    'no frame': ['chat.v1.json', '{'],
    nothing: ['chat.v1.json', ''],
    'a credential of the wrong type': ['chat.v1.json', '{"op":"auth","email":5}'],
    'binary data on a text socket': ['chat.v1.json', Buffer.from('{}')],
    'a frame that is too large, with the right key': ['chat.v1.json', large],
    'text on a binary socket': ['chat.v1.msgpack', JSON.stringify(auth)],
    'a few nils': ['chat.v1.msgpack', nils(100)],
    'a million nils': ['chat.v1.msgpack', nils(1_000_000)],
    'a frame over the limit of all frames': ['chat.v1.msgpack', nils(3_000_000)],
  }
  const calls = fake.calls.length
  for (const [name, [protocol, bytes]] of Object.entries(first)) {
    const client = await openSocket(fake, {}, [protocol])
    client.socket.send(bytes)
    t.equal((await client.closed()).code, 4001, name)
    t.same(client.frames, [], name)
  }
  t.equal(fake.calls.length, calls)
})

t.test('an auth frame of the greatest size is read', async t => {
  const client = await openSocket(fake)
  client.socket.send(JSON.stringify(auth).padEnd(4096))
  t.match(await client.reply('a'), { status: 200, body: { user_id: 1 } })
  client.socket.close()
})

t.test('what is sent while the key is looked up is read after its outcome, in order', async t => {
  for (const [index, protocol] of ['chat.v1.json', 'chat.v1.msgpack'].entries()) {
    const credentials = newcomer(40 + index, `${index}`.repeat(32))
    const client = await openSocket(fake, {}, [protocol])
    client.send(credentials)
    client.socket.send(protocol === 'chat.v1.json' ? '{' : Buffer.from([0xc1]))
    client.send(me).send({ op: 'detach', id: 2 })
    client.socket.ping()
    await once(client.socket, 'pong')
    t.same(client.frames, [], 'all has come, and nothing is read')
    lookUp()
    await client.reply(1)
    await client.reply(2)
    t.match(client.frames.slice(0, 2), [
      { op: 'reply', id: 'a', status: 200 },
      { op: 'error', code: 'BAD_REQUEST' },
    ])
    client.socket.close()
  }
})

t.test('more than is kept while the key is looked up closes with 4003', async t => {
  const calls = fake.calls.length
  const request = JSON.stringify(me)
  const cases: [number, boolean, string[]][] = [
    [50, false, [request.padEnd(4097)]],
    [51, false, [request.padEnd(2048), request.padEnd(2048), request]],
    [52, false, new Array(65).fill('{}')],
    [53, true, [request.padEnd(4097)]],
  ]
  for (const [id, byHeader, frames] of cases) {
    const credentials = newcomer(id, String(id).repeat(16))
    const headers = { Authorization: basic(credentials.email, credentials.api_key) }
    const client = await openSocket(fake, byHeader ? { headers } : {})
    if (!byHeader) client.send(credentials)
    for (const frame of frames) client.socket.send(frame)
    t.match(await client.closed(), { code: 4003, reason: '1' })
    t.same(client.frames, [])
    lookUp()
    await until(() => fake.directory.users.has(id))
  }
  t.equal(fake.calls.length, calls)
  const known = await openSocket(fake, { headers: { Authorization: ann } })
  known.socket.send(request.padEnd(100_000))
  t.match(await known.reply(1), { status: 200 }, 'a key that is at hand keeps nothing')
  known.socket.close()
})
