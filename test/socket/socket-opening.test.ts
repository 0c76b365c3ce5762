import type { IncomingMessage } from 'node:http'
import t from 'tap'
import { ann, basic, fakeServer, keys } from '../http/fake-server.js'
import { head, RawConnection } from '../http/raw.js'
import { until } from '../http/until.js'
import { openSocket } from './socket-client.js'

const page = 'https://app.example'
const fake = await fakeServer(t, { ALLOWED_ORIGINS: page, SOCKET_AUTH_SECONDS: '1' })
const credentials = { headers: { Authorization: ann } }
const me = { op: 'request', id: 1, method: 'GET', path: '/users/me' }
const auth = { op: 'auth', id: 'a', email: 'ann@example.org', api_key: keys.ann }

async function refused(options: Parameters<typeof openSocket>[1], protocols?: string[]) {
  const response = await openSocket(fake, options, protocols).then(
    () => t.fail('was opened'),
    (response: IncomingMessage) => response,
  )
  const chunks: Buffer[] = []
  for await (const chunk of response as IncomingMessage) chunks.push(chunk as Buffer)
  return { status: (response as IncomingMessage).statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) }
}

t.test('the server takes the first subprotocol that it knows; without an offer it speaks JSON', async t => {
  for (const [offered, chosen] of [
    [[], ''],
    [['chat.v1.json'], 'chat.v1.json'],
    [['chat.v1.msgpack'], 'chat.v1.msgpack'],
    [['nonsense', 'chat.v1.msgpack', 'chat.v1.json'], 'chat.v1.msgpack'],
    [['chat.v1.json', 'chat.v1.msgpack'], 'chat.v1.json'],
  ] as const) {
    const client = await openSocket(fake, credentials, [...offered])
    t.equal(client.socket.protocol, chosen)
    t.match(await client.send(me).reply(1), { status: 200, body: { result: 'success' } })
    client.socket.close()
  }
})

t.test('only unknown subprotocols: no upgrade', async t => {
  t.match(await refused(credentials, ['chat.v2.json', 'graphql']), { status: 400, body: { code: 'BAD_REQUEST' } })
})

t.test('pages of the list and of the same host may connect, others may not', async t => {
  for (const origin of [page, fake.url.replace('/api/v1', '')]) {
    const client = await openSocket(fake, { headers: { ...credentials.headers, Origin: origin } })
    client.socket.close()
  }
  for (const origin of ['https://evil.example', 'null', 'http://app.example', `${page}.evil`, 'nonsense']) {
    const answer = await refused({ headers: { ...credentials.headers, Origin: origin } })
    t.match(answer, { status: 403, body: { result: 'error', code: 'ORIGIN_NOT_ALLOWED' } }, origin)
  }
})

t.test('a request without an upgrade is refused', async t => {
  const answer = await fetch(`${fake.url}/socket`)
  t.equal(answer.status, 426)
  t.match(await answer.json(), { code: 'BAD_REQUEST' })
  const headers = { Upgrade: 'websocket', Connection: 'Upgrade', 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==' }
  const raw = new RawConnection(fake).write(head('GET', '/api/v1/socket', { ...headers, 'Sec-WebSocket-Version': 8 }))
  t.equal((await raw.answer())?.status, 400)
  raw.destroy()
})

t.test('an upgrade with a body is refused: a proxy would read its bytes as the beginning of the socket', async t => {
  const headers = {
    Upgrade: 'websocket',
    Connection: 'Upgrade',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version': 13,
  }
  for (const [framing, body] of [
    [{ 'Content-Length': 5 }, 'hello'],
    [{ 'Transfer-Encoding': 'chunked' }, '5\r\nhello\r\n0\r\n\r\n'],
    [{ 'Content-Length': '0\r\nContent-Length: 5' }, 'hello'],
  ] as const) {
    const raw = new RawConnection(fake).write(head('GET', '/api/v1/socket', { ...headers, ...framing }) + body)
    t.match(JSON.parse((await raw.answer())?.body ?? ''), { result: 'error', code: 'BAD_REQUEST' })
    raw.destroy()
  }
  const raw = new RawConnection(fake).write(head('GET', '/api/v1/socket', { ...headers, 'Content-Length': 0 }))
  t.equal((await raw.answer())?.status, 101)
  raw.destroy()
})

t.test('wrong credentials on the upgrade close with 4001', async t => {
  for (const header of [basic('ann@example.org', 'z'.repeat(32)), 'Bearer x', basic('gone@example.org', keys.gone)]) {
    const client = await openSocket(fake, { headers: { Authorization: header } })
    t.equal((await client.closed()).code, 4001)
    t.same(client.frames, [])
  }
})

t.test('a browser sends them in its first frame', async t => {
  for (const protocol of ['chat.v1.json', 'chat.v1.msgpack']) {
    const client = await openSocket(fake, {}, [protocol])
    client.send(auth).send(me)
    t.match(await client.reply('a'), { status: 200, body: { result: 'success', msg: '', user_id: 1 } })
    t.match(await client.reply(1), { status: 200 })
    t.match(await client.send({ ...auth, id: 'b' }).reply('b'), { status: 400, body: { code: 'BAD_REQUEST' } })
    t.match(await client.send({ ...me, id: 2 }).reply(2), { status: 200 }, 'and goes on')
    client.socket.close()
  }
})

t.test('wrong ones get an error, and close with 4001', async t => {
  for (const wrong of [
    { api_key: 'z'.repeat(32) },
    { api_key: '' },
    { email: 'other@example.org' },
    { email: undefined },
  ]) {
    const client = await openSocket(fake)
    client.send({ ...auth, ...wrong })
    t.match(await client.reply('a'), { status: 401, body: { result: 'error', code: 'UNAUTHORIZED' } })
    t.equal((await client.closed()).code, 4001)
  }
})

t.test('another first frame, or none, closes with 4001', async t => {
  const calls = fake.calls.length
  const hasty = await openSocket(fake)
  hasty.send(me)
  t.equal((await hasty.closed()).code, 4001)
  t.same(hasty.frames, [])
  t.equal(fake.calls.length, calls)
  const silent = await openSocket(fake)
  t.equal((await silent.closed()).code, 4001)
})

t.test('frames sent while the key is looked up wait for the outcome', async t => {
  const newcomer = { id: 20, api_key: 'n'.repeat(32), delivery_email: 'new@example.org' }
  fake.directory.pending.push(newcomer as never)
  const client = await openSocket(fake, { headers: { Authorization: basic('new@example.org', newcomer.api_key) } })
  t.match(await client.send(me).reply(1), { status: 200 })
  client.socket.close()
  const wrong = await openSocket(fake)
  const calls = fake.calls.length
  wrong.send({ ...auth, api_key: 'y'.repeat(32) }).send(me)
  t.equal((await wrong.closed()).code, 4001)
  t.equal(fake.calls.length, calls)
})

t.test('spectators come in only where the organization lets them', async t => {
  const shut = await openSocket(fake)
  shut.send({ op: 'auth', id: 1 })
  t.match(await shut.reply(1), { status: 401 })
  t.equal((await shut.closed()).code, 4001)

  fake.directory.organization.settings.enable_spectator_access = true
  const spectator = await openSocket(fake)
  spectator.send({ op: 'auth', id: 1 })
  t.match(await spectator.reply(1), { status: 200, body: { user_id: null } })
  t.match(await spectator.send({ ...me, id: 2 }).reply(2), { status: 401, body: { code: 'UNAUTHORIZED' } })
  t.match(await spectator.send({ ...me, id: 3, path: '/open' }).reply(3), { status: 200 })
  const attached = fake.engine.calls.length
  t.match(await spectator.send({ op: 'register', id: 4 }).reply(4), { status: 200, body: { queue_id: null } })
  t.match(await spectator.send({ op: 'attach', id: 5, queue_id: 'q', last_event_id: -1 }).reply(5), { status: 401 })
  t.equal(fake.engine.calls.length, attached)

  fake.directory.organization.settings.enable_spectator_access = false
  spectator.send({ ...me, id: 6, path: '/register', method: 'POST' })
  t.equal((await spectator.closed()).code, 4001)
})

t.test('a key that no longer holds closes the socket at its next frame', async t => {
  const fresh = () =>
    fake.directory.put({ id: 30, api_key: '3'.repeat(32), delivery_email: 'c@example.org', is_active: true })
  for (const change of [{ api_key: '4'.repeat(32) }, { api_key: '3'.repeat(32), is_active: false }]) {
    fresh()
    const client = await openSocket(fake, { headers: { Authorization: basic('c@example.org', '3'.repeat(32)) } })
    t.match(await client.send(me).reply(1), { status: 200 })
    const calls = fake.calls.length
    fake.directory.put({ id: 30, ...change })
    client.send({ ...me, id: 2 })
    t.equal((await client.closed()).code, 4001)
    t.equal(fake.calls.length, calls)
  }
})

t.test('a socket that leaves while its key is looked up leaves nothing behind', async t => {
  const client = await openSocket(fake, { headers: { Authorization: basic('x@example.org', 'x'.repeat(32)) } })
  client.socket.terminate()
  await client.closed()
  await until(() => fake.logged.length === 0)
  t.match(await (await openSocket(fake, credentials)).send(me).reply(1), { status: 200 })
})
