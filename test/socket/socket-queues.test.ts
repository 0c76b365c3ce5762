import t from 'tap'
import { ann, fakeServer } from '../http/fake-server.js'
import { until } from '../http/until.js'
import { openSocket, type SocketClient } from './socket-client.js'

const credentials = { headers: { Authorization: ann } }
const attach = (id: number, queue_id: string, last_event_id = -1) => ({ op: 'attach', id, queue_id, last_event_id })
const events = (client: SocketClient, content: string) =>
  client.frame(frame => frame.op === 'events' && frame.events[0].content === content)
const ops = (client: SocketClient) => client.frames.map(frame => frame.op)

t.test('registering attaches, and its reply comes before the first events', async t => {
  const fake = await fakeServer(t)
  for (const protocol of ['chat.v1.json', 'chat.v1.msgpack']) {
    const client = await openSocket(fake, credentials, [protocol])
    client.send({ op: 'register', id: 1, params: { queue: 'mine' } })
    await events(client, 'first of mine')
    t.same(ops(client), ['reply', 'events'])
    t.match(await client.reply(1), { status: 200, body: { queue_id: 'mine', last_event_id: 7 } })
    await until(() => fake.engine.calls.includes('attach mine 1 7'))
    fake.engine.calls.length = 0
    client.socket.close()
    await until(() => fake.engine.calls.includes('detach mine'))
  }
})

t.test('a registration that is refused attaches nothing', async t => {
  const fake = await fakeServer(t)
  const client = await openSocket(fake, credentials)
  t.match(await client.send({ op: 'register', id: 1, params: { queue: 5 } }).reply(1), { status: 400 })
  t.same(fake.engine.calls, [])
})

t.test('a queue that went between its registration and its attachment closes with 4010', async t => {
  const fake = await fakeServer(t)
  const client = await openSocket(fake, credentials)
  client.send({ op: 'register', id: 1, params: { queue: 'gone' } })
  t.match(await client.closed(), { code: 4010 })
  t.match(client.frames, [{ op: 'reply', status: 200 }])
})

t.test('attach goes on after an event, ack forgets, detach keeps the queue', async t => {
  const fake = await fakeServer(t)
  const client = await openSocket(fake, credentials)
  client.send(attach(1, 'q', 41)).send({ op: 'ack', last_event_id: 42 })
  t.same((await client.reply(1)).body, { result: 'success', msg: '', queue_id: 'q' })
  await events(client, 'first of q')
  t.same(ops(client), ['reply', 'events'])
  t.match(await client.send({ op: 'detach', id: 2 }).reply(2), { status: 200 })
  t.same(fake.engine.calls, ['attach q 1 41', 'ack q 42', 'detach q'])
  t.match(await client.send({ op: 'detach', id: 3 }).reply(3), { status: 200 }, 'detaching from nothing is fine')
})

t.test('an unknown queue is refused and the socket stays', async t => {
  const fake = await fakeServer(t)
  const client = await openSocket(fake, credentials)
  t.match(await client.send(attach(1, 'gone')).reply(1), {
    status: 400,
    body: { result: 'error', code: 'BAD_EVENT_QUEUE_ID', queue_id: 'gone' },
  })
  t.match(await client.send(attach(2, 'q')).reply(2), { status: 200 })
})

t.test('an impossible acknowledgement gets an error and is no protocol error', async t => {
  const fake = await fakeServer(t)
  const client = await openSocket(fake, credentials)
  for (let i = 0; i < 5; i++) client.send({ op: 'ack', last_event_id: 1 })
  await client.send(attach(1, 'q')).reply(1)
  client.send({ op: 'ack', last_event_id: 999 })
  await until(() => client.frames.filter(frame => frame.op === 'error').length === 6)
  t.match(client.frames.at(-1), { code: 'BAD_REQUEST' })
  t.equal(client.socket.readyState, client.socket.OPEN)
})

t.test('another attachment takes the place of the former, also to the same queue', async t => {
  const fake = await fakeServer(t)
  const client = await openSocket(fake, credentials)
  client
    .send(attach(1, 'a'))
    .send(attach(2, 'b'))
    .send(attach(3, 'b', 5))
    .send(attach(4, 'gone'))
  await client.reply(4)
  t.same(fake.engine.calls, ['attach a 1 -1', 'detach a', 'attach b 1 -1', 'detach b', 'attach b 1 5', 'detach b'])
})

t.test('a socket that leaves while it is being attached is detached', async t => {
  const fake = await fakeServer(t)
  const client = await openSocket(fake, credentials)
  client.send(attach(1, 'q'))
  client.socket.terminate()
  await until(() => fake.engine.calls.join() === 'attach q 1 -1,detach q' || fake.engine.calls.length === 0)
  const second = await openSocket(fake, credentials)
  await second.send(attach(1, 'r')).reply(1)
  second.socket.terminate()
  await until(() => fake.engine.calls.includes('detach r'))
})

t.test('the engine closes with its code, and the attachment ends after its own work', async t => {
  const fake = await fakeServer(t)
  const client = await openSocket(fake, credentials)
  await client.send(attach(1, 'q')).reply(1)
  fake.engine.consumer?.close(4009, 'another connection')
  t.notOk(fake.engine.calls.includes('detach q'), 'not from inside')
  t.match(await client.closed(), { code: 4009, reason: 'another connection' })
  t.ok(fake.engine.calls.includes('detach q'))
  t.equal(fake.engine.push('late'), false, 'and nothing is sent any more')
  t.equal(fake.engine.consumer?.buffered(), 0)
  fake.engine.consumer?.close(4001, 'again')
})

t.test('a socket that does not read: send reports it as full, and the engine learns when it drains', async t => {
  const fake = await fakeServer(t)
  const client = await openSocket(fake, credentials)
  await client.send(attach(1, 'q')).reply(1)
  client.socket.pause()
  let sends = 1
  while (fake.engine.push('x'.repeat(100_000))) sends++
  t.ok(fake.engine.consumer?.buffered())
  // More than the kernel's socket buffer.
  t.equal(fake.engine.push('y'.repeat(20_000_000)), false, 'kept all the same')
  fake.engine.push('after')
  t.notOk(fake.engine.calls.includes('drained'))
  client.socket.resume()
  await events(client, 'after')
  await until(() => fake.engine.calls.includes('drained'))
  t.equal(client.frames.filter(frame => frame.op === 'events').length, sends + 3, 'nothing was dropped')
  t.equal(fake.engine.push('and on'), true)
})

t.test('unread replies are bounded', async t => {
  const fake = await fakeServer(t, { SOCKET_BUFFER_BYTES: '100000' })
  const big = (id: number) => ({ op: 'request', id, method: 'GET', path: '/big', params: { bytes: 20_000_000 } })
  const reader = await openSocket(fake, credentials)
  t.equal((await reader.send(big(1)).reply(1)).body.text.length, 20_000_000, 'one may be larger than the limit')

  const client = await openSocket(fake, credentials)
  client.socket.pause()
  const calls = fake.calls.length
  client.send(big(1))
  await until(() => fake.calls.length === calls + 1)
  client.send(big(2)).send(big(3))
  // The server begins no further requests of a client that does not read.
  await reader.send({ op: 'request', id: 2, method: 'GET', path: '/users/me' }).reply(2)
  t.equal(fake.calls.length, calls + 2)
  client.socket.resume()
  t.match(await client.reply(3), { status: 200 })

  client.socket.pause()
  for (let id = 10; id < 20; id++) client.send(big(id))
  await until(() => fake.calls.length >= calls + 14)
  client.socket.resume()
  t.equal((await client.closed()).code, 4008)
})
