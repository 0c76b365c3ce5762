import t from 'tap'
import { pack } from '../../shared/wire/codec.js'
import { ann, basic, fakeServer, keys } from '../http/fake-server.js'
import { openSocket } from './socket-client.js'

const fake = await fakeServer(t, { MAX_FRAME_BYTES: '4096' })
const credentials = { headers: { Authorization: ann } }
const open = (protocol = 'chat.v1.json') => openSocket(fake, credentials, [protocol])
const request = (id: number, method: string, path: string, params?: Record<string, unknown>) => ({
  op: 'request',
  id,
  method,
  path,
  params,
})

for (const protocol of ['chat.v1.json', 'chat.v1.msgpack']) {
  t.test(`${protocol}: a request gives status and body of REST; parameters are values`, async t => {
    const client = await open(protocol)
    client.send(request(1, 'POST', '/echo', { number: 5, list: [{ name: 'é' }], types: null, note: '5', zz: 1 }))
    t.same(await client.reply(1), {
      op: 'reply',
      id: 1,
      status: 200,
      body: {
        result: 'success',
        msg: '',
        user_id: 1,
        params: { number: 5, list: [{ name: 'é' }], note: '5' },
        client: 'Unspecified',
        address: '127.0.0.1',
        ignored_parameters_unsupported: ['zz'],
      },
    })
    t.match(await client.send(request(2, 'GET', '/users/7?deep=true&x=1')).reply(2), {
      body: { user_id: 7, deep: true, ignored_parameters_unsupported: ['x'] },
    })
    t.match(await client.send(request(3, 'GET', '/users/7?deep=true', { deep: false })).reply(3), {
      body: { deep: false },
    })
    t.match(await client.send(request(4, 'POST', '/register', { queue: 'unread' })).reply(4), {
      body: { queue_id: 'unread', nested: { queue_id: 'no' }, last_event_id: 7 },
    })
    client.socket.close()
  })

  t.test(`${protocol}: a refusal is a reply too`, async t => {
    const client = await open(protocol)
    const cases = [
      ['GET', '/nope', {}, 404, { code: 'NOT_FOUND' }],
      ['GET', 'users/me', {}, 404, { code: 'NOT_FOUND' }],
      ['GET', '/api/v1/users/me', {}, 404, { code: 'NOT_FOUND' }],
      ['GET', '/users/%zz', {}, 400, { code: 'BAD_REQUEST' }],
      ['GET', '/users/me?%zz', {}, 400, { code: 'BAD_REQUEST' }],
      ['PUT', '/users/me', {}, 405, { code: 'METHOD_NOT_ALLOWED', allowed_methods: ['GET', 'HEAD'] }],
      ['get', '/users/me', {}, 405, { code: 'METHOD_NOT_ALLOWED' }],
      ['HEAD', '/users/me', {}, 405, { code: 'METHOD_NOT_ALLOWED' }],
      ['POST', '/admin', {}, 400, { code: 'UNAUTHORIZED_PRINCIPAL' }],
      ['POST', '/echo', {}, 400, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'number' }],
      ['POST', '/echo', { number: 'x' }, 400, { code: 'BAD_REQUEST' }],
      ['POST', '/echo', { number: 1, list: [{}] }, 400, { code: 'BAD_REQUEST', msg: /^list\[0\]\["name"\]: / }],
      ['POST', '/broken', {}, 500, { code: 'INTERNAL_ERROR', msg: 'Internal server error' }],
      ['GET', '/limited', {}, 429, { code: 'RATE_LIMIT_HIT', 'retry-after': 1.5 }],
    ] as const
    for (const [index, [method, path, params, status, body]] of cases.entries()) {
      const reply = await client.send(request(index, method, path, params)).reply(index)
      t.match(reply, { status, body: { result: 'error', ...body } }, `${method} ${path}`)
    }
    client.socket.close()
  })

  t.test(`${protocol}: unreadable frames get an error; three in a row close with 4002`, async t => {
    const client = await open(protocol)
    const send = (value: unknown) =>
      client.socket.send(protocol === 'chat.v1.msgpack' ? pack(value) : JSON.stringify(value))
    const unreadable = [
      { op: 'nonsense' },
      {},
      [],
      'text',
      5,
      null,
      { op: 'attach', id: 1 },
      { op: 'attach', queue_id: 5, last_event_id: 1 },
      { op: 'attach', queue_id: 'q', last_event_id: '1' },
      { op: 'ack' },
      { op: 'ack', last_event_id: 1.5 },
      { op: 'request', id: 1, method: 'GET' },
      { op: 'request', id: 1, path: '/users/me' },
      { op: 'request', id: {}, method: 'GET', path: '/users/me' },
      { op: 'request', id: 1, method: 'GET', path: '/users/me', params: [] },
      { op: 'request', id: 1, method: 'GET', path: '/users/me', params: 'x' },
      { op: 'register', params: 5 },
    ]
    for (const [index, value] of unreadable.entries()) {
      send(value)
      t.match(await client.frame(() => client.frames.length > index * 2), Object)
      t.match(client.frames[index * 2], { op: 'error', code: 'BAD_REQUEST', msg: String }, JSON.stringify(value))
      // A valid frame resets the count.
      await client.send(request(index, 'GET', '/users/me')).reply(index)
    }
    for (let i = 0; i < 3; i++) send({ op: 'nonsense' })
    t.equal((await client.closed()).code, 4002)
    t.equal(client.frames.filter(frame => frame.op === 'error').length, unreadable.length + 3)
  })
}

t.test('bytes that are nothing, and frames of the other kind', async t => {
  const text = await open()
  for (const bytes of ['', '{', 'undefined', '{"op":"ack"', '\u0000']) {
    text.socket.send(bytes)
    await text.send(request(1, 'GET', '/users/me')).reply(1)
    text.frames.length = text.frames.filter(frame => frame.op === 'error').length
  }
  t.equal(text.frames.length, 5)
  for (let i = 0; i < 3; i++) text.socket.send(pack({ op: 'detach' }))
  t.equal((await text.closed()).code, 4002)

  const binary = await open('chat.v1.msgpack')
  binary.socket.send('{"op":"detach"}')
  t.match(await binary.frame(frame => frame.op === 'error'), { msg: /binary/ })
  binary.socket.send(Buffer.from([0xc1]))
  // One whole value and further bytes.
  binary.socket.send(Buffer.concat([pack({ op: 'detach' }), Buffer.from([1, 2, 3])]))
  t.equal((await binary.closed()).code, 4002)
})

t.test('malformed requests of every kind do not end the process', async t => {
  let state = 7
  const byte = () => {
    state = (state * 1103515245 + 12345) % 2147483648
    return state % 256
  }
  for (let round = 0; round < 60; round++) {
    const client = await open(round % 2 ? 'chat.v1.msgpack' : 'chat.v1.json')
    for (let i = 0; i < 3; i++) {
      client.socket.send(Buffer.from(Array.from({ length: 1 + (byte() % 60) }, byte)), { binary: round % 2 === 1 })
    }
    const { code } = await client.closed()
    // uWebSockets.js closes the connection for text that is not UTF-8.
    t.ok([4002, 1006, 1007].includes(code), String(code))
  }
})

t.test('a frame over the limit closes with 1009, one at the limit does not', async t => {
  for (const protocol of ['chat.v1.json', 'chat.v1.msgpack']) {
    for (const size of [4097, 20_000]) {
      const client = await open(protocol)
      client.socket.send(Buffer.alloc(size, 0x20), { binary: protocol !== 'chat.v1.json' })
      t.equal((await client.closed()).code, 1009)
    }
  }
  const client = await open()
  client.socket.send(JSON.stringify(request(1, 'GET', '/users/me')).padEnd(4096))
  t.match(await client.reply(1), { status: 200 })
  client.socket.close()
})

t.test('without an id nothing is replied, and the work is done', async t => {
  const client = await open()
  const calls = fake.calls.length
  client.send({ op: 'request', method: 'GET', path: '/users/me' }).send({ op: 'detach' })
  await client.send(request(1, 'GET', '/users/me')).reply(1)
  t.equal(fake.calls.length, calls + 2)
  t.equal(client.frames.length, 1)
  client.socket.close()
})

t.test('an id may be text', async t => {
  const client = await open()
  t.match(await client.send({ ...request(0, 'GET', '/users/me'), id: 'é"\\' }).reply('é"\\'), { status: 200 })
  client.socket.close()
})

t.test('replies come when they are ready, not in the order of requests', async t => {
  const client = await open()
  client.send(request(1, 'POST', '/sleep', { ms: 100 })).send(request(2, 'GET', '/users/me'))
  await client.reply(1)
  t.same(
    client.frames.map(frame => frame.id),
    [2, 1],
  )
  client.socket.close()
})

t.test('many requests at once are all answered; too many close with 4003', async t => {
  const client = await open()
  for (let id = 0; id < 200; id++) client.send(request(id, 'POST', '/sleep', { ms: 1 }))
  for (let id = 0; id < 200; id++) t.match(await client.reply(id), { status: 200 })
  for (let id = 1000; id < 2500; id++) client.send(request(id, 'POST', '/sleep', { ms: 1000 }))
  t.match(await client.closed(), { code: 4003, reason: /^\d+$/ })
})

t.test('an incoming webhook may do no more here than over REST', async t => {
  const client = await openSocket(fake, { headers: { Authorization: basic('hook@example.org', keys.hook) } })
  t.match(await client.send(request(1, 'POST', '/messages')).reply(1), { status: 200 })
  t.match(await client.send(request(2, 'GET', '/users/me')).reply(2), { status: 401 })
  t.match(await client.send({ op: 'register', id: 3 }).reply(3), { status: 401 })
  t.match(await client.send({ op: 'attach', id: 4, queue_id: 'q', last_event_id: -1 }).reply(4), { status: 401 })
  client.socket.close()
})
