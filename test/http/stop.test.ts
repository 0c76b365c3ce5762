import t from 'tap'
import { openSocket } from '../socket/socket-client.js'
import { ann, fakeServer } from './fake-server.js'
import { head, RawConnection } from './raw.js'
import { until } from './until.js'

t.test('stopping answers what is under way, ends polls, closes sockets with 1012 and takes nothing new', async t => {
  const fake = await fakeServer(t)
  const options = { headers: { Authorization: ann } }
  const socket = await openSocket(fake, options)
  const busy = await openSocket(fake, options)
  const slow = fetch(`${fake.url}/sleep?ms=200`, { ...options, method: 'POST' })
  busy.send({ op: 'request', id: 1, method: 'POST', path: '/sleep', params: { ms: 200 } })
  busy.send({ op: 'request', id: 2, method: 'GET', path: '/wait', params: { queue_id: 'q' } })
  const poll = fetch(`${fake.url}/wait?queue_id=q`, options)
  await until(() => fake.calls.length === 4)

  const stopped = fake.stop()
  t.equal((await socket.closed()).code, 1012)
  t.match(await poll, { status: 503 })
  t.match((await slow).status, 200)
  t.match(await busy.reply(2), { status: 503, body: { code: 'SERVER_NOT_READY' } })
  t.match(await busy.reply(1), { status: 200 })
  t.equal((await busy.closed()).code, 1012)
  await stopped
  await t.rejects(fetch(`${fake.url}/open`))
})

t.test('while a worker lingers, a kept connection gets one more answer, with Connection: close', async t => {
  const fake = await fakeServer(t)
  const kept = new RawConnection(fake)
  const upgraded = new RawConnection(fake)
  for (const raw of [kept, upgraded]) {
    raw.write(head('GET', '/api/v1/open'))
    t.notMatch((await raw.answer())?.head, /connection: close/i)
  }
  const stopped = fake.stop(new AbortController().signal)
  // The server must close its port first.
  while (await fetch(`${fake.url}/open`).catch(() => undefined)) {}
  const last = await kept.write(head('GET', '/api/v1/users/me', { Authorization: ann })).answer()
  t.equal(last?.status, 200)
  t.match(last?.head, /connection: close/i)
  await kept.closed()
  upgraded.write(
    head('GET', '/api/v1/socket', {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    }),
  )
  t.equal((await upgraded.answer())?.status, 101, 'closed with 1012 rather than refused')
  await upgraded.closed()
  await stopped
})

t.test('with nowhere to send its clients it does not linger', async t => {
  const fake = await fakeServer(t)
  const kept = new RawConnection(fake).write(head('GET', '/api/v1/open'))
  await kept.answer()
  await fake.stop(AbortSignal.abort())
  await kept.closed()
})

t.test('workers share a port', async t => {
  const { port, stop } = await fakeServer(t)
  await stop()
  // A fixed port: one that the kernel chooses would have a single listener.
  const settings = { PORT: String(port) }
  const workers = [await fakeServer(t, settings), await fakeServer(t, settings)]
  t.same(
    workers.map(worker => worker.port),
    [port, port],
  )
})

t.test('an address that is not ours cannot be listened on', async t => {
  await t.rejects(fakeServer(t, { HOST: '192.0.2.1', PORT: '9' }), /cannot listen on 192.0.2.1:9/)
})
