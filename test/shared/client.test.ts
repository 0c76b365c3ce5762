import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import WebSocket from 'ws'
import { connect, type RequestError } from '../../shared/client/index.js'
import { loggedClient, quick, until } from '../support/client-log.js'
import { fakeServer } from '../support/client-server.js'

const who = { email: 'iago@test.example', apiKey: 'secret' }

for (const codec of ['json', 'msgpack'] as const) {
  t.test(`over ${codec}`, async t => {
    t.test('says who it is, registers and hands on events in order', async t => {
      const server = await fakeServer(t)
      const { client, ids, states } = loggedClient(t, {
        ...who,
        url: server.url,
        codec,
        register: { narrow: [['is', 'dm']] },
      })
      const registered = await client.registered
      t.match(registered, { queue_id: 'queue-1', of: { narrow: [['is', 'dm']] } })
      t.equal(server.peer.socket.protocol, `chat.v1.${codec}`)
      t.match(server.peer.frames[0], { op: 'auth', email: who.email, api_key: who.apiKey })
      server.publish(16, 32)
      server.publish(48)
      await until(() => ids.length === 3)
      t.same(ids, [16, 32, 48])
      t.match(states, [{ state: 'connecting' }, { state: 'live' }])
    })

    t.test('a request is answered with the fields of the answer, or refused with its code and fields', async t => {
      const server = await fakeServer(t)
      server.answer = frame =>
        frame.op === 'request' && frame.path === '/closed'
          ? { status: 429, body: { code: 'RATE_LIMIT_HIT', 'retry-after': 1.5 } }
          : undefined
      const { client } = loggedClient(t, { ...who, url: server.url, codec })
      const answer = await client.request('POST', '/messages', { to: [5], topic: undefined })
      t.match(answer, { method: 'POST', path: '/messages', params: { to: [5] } })
      t.notOk('topic' in (answer.params as object), 'what is undefined is not sent')
      t.notOk('idempotency_key' in answer)
      t.match(await client.request('POST', '/drafts', {}, 'key'), { path: '/drafts', idempotency_key: 'key' })
      await t.rejects(client.request('GET', '/closed'), {
        name: 'RequestError',
        code: 'RATE_LIMIT_HIT',
        status: 429,
        fields: { 'retry-after': 1.5 },
        retryAfterMs: 1500,
      })
    })
  })
}

t.test('a spectator says nothing about itself', async t => {
  const server = await fakeServer(t)
  const { client } = loggedClient(t, { url: server.url, codec: 'msgpack', register: {} })
  await client.registered
  t.same(server.peer.frames[0], { op: 'auth' })
})

t.test('listeners of a type get that type only, and no more once they are removed', async t => {
  const server = await fakeServer(t)
  const { client, ids } = loggedClient(t, { ...who, url: server.url, register: {} })
  await client.registered
  const heard: number[] = []
  const stop = client.on('message', event => heard.push(event.id))
  client.on('reaction', () => t.fail('there was no reaction'))
  server.publish(16)
  await until(() => ids.length === 1)
  stop()
  server.publish(32)
  await until(() => ids.length === 2)
  t.same(heard, [16])
})

t.test('handled events are acknowledged: after some, or after a while', async t => {
  const server = await fakeServer(t)
  const ack = { events: 3, ms: 60_000 }
  const { client, ids } = loggedClient(t, { ...who, url: server.url, register: {}, ack })
  await client.registered
  server.publish(16, 32)
  await until(() => ids.length === 2)
  server.publish(48, 64)
  await until(() => server.acknowledged >= 0)
  t.equal(server.acknowledged, 48)
  await client.close()
  await until(() => server.acknowledged === 64, 'the rest, told when it closes')
})

t.test('an event is acknowledged only when its handler is done', async t => {
  const server = await fakeServer(t)
  let finish = () => {}
  const client = connect({ ...quick, ...who, url: server.url, register: {} })
  t.teardown(() => client.close())
  client.on('message', ({ id }) => (id === 32 ? new Promise<void>(resolve => (finish = resolve)) : undefined))
  await client.registered
  server.publish(16, 32, 48)
  await until(() => server.acknowledged === 16)
  await sleep(30)
  t.equal(server.acknowledged, 16)
  t.equal(client.position?.lastEventId, 16)
  finish()
  await until(() => server.acknowledged === 48)
})

t.test('after a broken connection it attaches where it was, and gets each event once', async t => {
  const server = await fakeServer(t)
  const { client, ids, states } = loggedClient(t, {
    ...who,
    url: server.url,
    register: {},
    ack: { events: 1000, ms: 60_000 },
  })
  await client.registered
  server.publish(16, 32)
  await until(() => ids.length === 2)
  server.peer.socket.terminate()
  server.publish(48)
  await until(() => ids.length === 3)
  t.same(ids, [16, 32, 48])
  t.same(
    server.frames('attach').map(({ queue_id, last_event_id }) => [queue_id, last_event_id]),
    [['queue-1', 32]],
  )
  t.equal(server.frames('register').length, 1)
  t.ok(states.some(({ state, retryInMs }) => state === 'resuming' && retryInMs !== undefined))
  t.equal(client.state, 'live')
})

t.test('a pause carries its reason, and ends on request', async t => {
  const server = await fakeServer(t)
  const anHour = 3_600_000
  const { client, states } = loggedClient(t, {
    ...who,
    url: server.url,
    register: {},
    backoff: { firstMs: anHour, maxMs: anHour, random: () => 1 },
  })
  client.retry()
  await client.registered
  server.peer.socket.close(1012, 'restarting')
  await until(() => states.some(({ retryInMs }) => retryInMs === anHour))
  t.same(states.at(-1), { state: 'resuming', retryInMs: anHour, closed: { code: 1012, reason: 'restarting' } })
  client.retry()
  await until(() => client.state === 'live')
  t.equal(server.frames('attach').length, 1)
  await client.close()
  client.retry()
  t.equal(client.state, 'closed')
})

t.test('events that come again are dropped', async t => {
  const server = await fakeServer(t)
  const { client, ids } = loggedClient(t, { ...who, url: server.url, register: {} })
  await client.registered
  server.peer.events(16, 32)
  server.peer.events(32, 48)
  await until(() => ids.length === 3)
  server.peer.events(16, 64)
  await until(() => ids.length === 4)
  t.same(ids, [16, 32, 48, 64])
})

t.test('events that wait for their handler when the connection breaks are not handled twice', async t => {
  const server = await fakeServer(t)
  const handled: number[] = []
  let finish: (() => void) | undefined
  const client = connect({ ...quick, ...who, url: server.url, register: {} })
  t.teardown(() => client.close())
  client.on('message', async ({ id }) => {
    if (id === 16) await new Promise<void>(resolve => (finish = resolve))
    handled.push(id)
  })
  await client.registered
  server.publish(16, 32, 48)
  await until(() => finish !== undefined)
  server.peer.socket.terminate()
  await until(() => server.frames('attach').length === 1)
  t.equal(server.frames('attach')[0]?.last_event_id, -1, 'nothing was handled yet, so all of it is asked for')
  await until(() => client.state === 'live')
  finish?.()
  server.publish(64)
  await until(() => handled.length === 4)
  t.same(handled, [16, 32, 48, 64])
})

t.test('the events right behind the answer of register are not lost', async t => {
  const server = await fakeServer(t)
  server.answer = (frame, peer) => {
    if (frame.op !== 'register') return undefined
    // Both in one packet, so that the client has no turn between them.
    peer.socket.send(
      JSON.stringify({
        op: 'reply',
        id: frame.id,
        status: 200,
        body: { result: 'success', queue_id: 'queue-1', last_event_id: 10 },
      }),
    )
    peer.events(5, 16)
    return 'nothing'
  }
  const { ids } = loggedClient(t, { ...who, url: server.url, register: {} })
  await until(() => ids.length === 1)
  t.same(ids, [16])
})

t.test('when the queue is gone, the client registers again and reports the gap', async t => {
  for (const how of ['4010', 'refused'] as const) {
    const server = await fakeServer(t)
    const { client, ids } = loggedClient(t, { ...who, url: server.url, register: { event_types: ['message'] } })
    const order: unknown[] = []
    client.on('message', ({ id }) => order.push(id))
    client.observe('restarted', ({ queue_id }) => order.push(queue_id))
    await client.registered
    server.publish(16)
    await until(() => ids.length === 1)
    server.loseQueue()
    if (how === '4010') server.peer.socket.close(4010, 'queue gone')
    else server.peer.socket.terminate()
    await until(() => server.frames('register').length === 2)
    server.publish(32)
    await until(() => ids.length === 2)
    t.same(order, [16, 'queue-2', 32], how)
    t.same(server.frames('register')[1]?.params, { event_types: ['message'] })
    t.same(server.frames('attach').length, how === '4010' ? 0 : 1)
    await client.close()
  }
})

t.test('a queue that is resumed and gone ends the client when it cannot know what to register', async t => {
  const server = await fakeServer(t)
  const { client, ids } = loggedClient(t, { ...who, url: server.url, resume: { queueId: 'queue-0', lastEventId: 16 } })
  t.equal(await client.ended, 'queue-gone')
  t.same(ids, [])
})

t.test('goes on with a queue that an earlier client left', async t => {
  const server = await fakeServer(t)
  const first = loggedClient(t, { ...who, url: server.url, register: {} })
  await first.client.registered
  server.publish(16)
  await until(() => first.ids.length === 1)
  await first.client.close()
  server.publish(32)
  const second = loggedClient(t, { ...who, url: server.url, resume: first.client.position })
  await until(() => second.ids.length === 1)
  t.same(second.ids, [32])
})

t.test('ends, and does not come back, when', async t => {
  for (const [code, reason] of [
    [4001, 'unauthenticated'],
    [4002, 'protocol'],
    [4009, 'replaced'],
  ] as const) {
    t.test(`the server closes with ${code}`, async t => {
      const server = await fakeServer(t)
      const { client, states } = loggedClient(t, { ...who, url: server.url, register: {} })
      await client.registered
      server.peer.socket.close(code)
      t.equal(await client.ended, reason)
      t.match(states.at(-1), { state: 'closed', reason })
      await sleep(50)
      t.equal(server.peers.length, 1)
      await t.rejects(client.request('GET', '/users'), { code: 'CLOSED' })
      await t.rejects(client.register({}), { code: 'CLOSED' })
    })
  }

  t.test('its key is refused while it attaches', async t => {
    const server = await fakeServer(t)
    server.answer = frame => (frame.op === 'attach' ? { status: 401, body: { code: 'UNAUTHORIZED' } } : undefined)
    const { client } = loggedClient(t, { ...who, url: server.url, resume: { queueId: 'queue-1', lastEventId: 0 } })
    t.equal(await client.ended, 'unauthenticated')
  })
})

t.test('continues with another key when its own is rejected', async t => {
  const server = await fakeServer(t)
  const rejected: string[] = []
  const renewedKey = async (key: string) => {
    rejected.push(key)
    return rejected.length > 2 ? undefined : `key ${rejected.length}`
  }
  const { client, states } = loggedClient(t, { ...who, url: server.url, register: {}, renewedKey })
  await client.registered
  for (const peers of [2, 3]) {
    server.peer.socket.close(4001)
    await until(() => server.peers.length === peers && client.state === 'live')
    t.match(server.peer.frames[0], { op: 'auth', api_key: `key ${peers - 1}` })
  }
  server.peer.socket.close(4001)
  t.equal(await client.ended, 'unauthenticated')
  t.same(rejected, [who.apiKey, 'key 1', 'key 2'])
  t.match(states.at(-1), { state: 'closed', reason: 'unauthenticated' })
})

t.test('ends with a rejected key when the application has none but that one, or fails to find another', async t => {
  const failures: unknown[] = []
  for (const renewedKey of [async (key: string) => key, () => Promise.reject(new Error('no storage'))]) {
    const server = await fakeServer(t)
    const { client } = loggedClient(t, { ...who, url: server.url, register: {}, renewedKey })
    client.observe('error', error => failures.push(error))
    await client.registered
    server.peer.socket.close(4001)
    t.equal(await client.ended, 'unauthenticated')
    t.equal(server.peers.length, 1)
  }
  t.match(failures, [{ message: 'no storage' }])
})

t.test('waits as long as the server says when it was too quick', async t => {
  const server = await fakeServer(t)
  const { client, states } = loggedClient(t, { ...who, url: server.url, register: {} })
  await client.registered
  server.peer.socket.close(4003, '0.05')
  await until(() => server.peers.length === 2)
  t.ok(states.some(({ retryInMs }) => retryInMs === 50))
})

t.test('tries again when the server is not ready to register it', async t => {
  const server = await fakeServer(t)
  let refusals = 2
  server.answer = frame => {
    if (frame.op !== 'register' || refusals === 0) return undefined
    refusals -= 1
    return { status: 503, body: { code: 'SERVER_NOT_READY' } }
  }
  const { client } = loggedClient(t, { ...who, url: server.url, register: {} })
  t.match(await client.registered, { queue_id: 'queue-1' })
  t.equal(server.peers.length, 3)
})

t.test('parameters that the server refuses are the caller’s to know; the connection stays', async t => {
  const server = await fakeServer(t)
  server.answer = frame =>
    frame.op === 'register' ? { status: 400, body: { code: 'BAD_NARROW', desc: 'unknown' } } : undefined
  const { client } = loggedClient(t, { ...who, url: server.url })
  await t.rejects(client.register({ narrow: [['no', 'no']] }), { code: 'BAD_NARROW', fields: { desc: 'unknown' } })
  t.match(await client.request('GET', '/users'), { path: '/users' })
})

t.test('registering again takes the place of the queue so far', async t => {
  const server = await fakeServer(t)
  const { client, ids } = loggedClient(t, { ...who, url: server.url, register: {} })
  await client.registered
  server.publish(16)
  await until(() => ids.length === 1)
  server.loseQueue()
  t.match(await client.register({ event_types: [] }), { queue_id: 'queue-2' })
  t.match(client.position, { queueId: 'queue-2', lastEventId: -1 })
  await until(() => server.frames('request').length === 1)
  t.match(server.frames('request')[0], { method: 'DELETE', path: '/events', params: { queue_id: 'queue-1' } })
  // The application registered again, so this is no `restarted`.
  server.publish(8)
  await until(() => ids.length === 2)
})

t.test('a request whose connection breaks fails; one that waits for a connection goes out with the next', async t => {
  const server = await fakeServer(t)
  server.answer = frame => (frame.op === 'request' && frame.path === '/slow' ? 'nothing' : undefined)
  const { client } = loggedClient(t, { ...who, url: server.url })
  const early = client.request('GET', '/early')
  t.match(await early, { path: '/early' })
  const slow = client.request('POST', '/slow')
  await until(() => server.frames('request').length === 2)
  server.peer.socket.terminate()
  await t.rejects(slow, { code: 'CONNECTION_LOST', status: 0 })
  t.match(await client.request('GET', '/later'), { path: '/later' })
})

t.test('a request that a restarting server has not begun is sent again, and only such a request', async t => {
  const server = await fakeServer(t)
  server.answer = frame => (frame.op === 'request' && server.peers.length === 1 ? 'nothing' : undefined)
  const { client } = loggedClient(t, { ...who, url: server.url, register: {} })
  await client.registered
  const asked = client.request('POST', '/messages', { n: 1 })
  await until(() => server.frames('request').length === 1)
  server.peer.socket.close(1012, 'restarting')
  t.match(await asked, { params: { n: 1 } })
  server.answer = frame => (frame.op === 'request' ? 'nothing' : undefined)
  const unknown = client.request('POST', '/messages', { n: 2 })
  await until(() => server.frames('request').length === 3)
  server.peer.socket.close(1012, 'another server goes on with this queue')
  await t.rejects(unknown, { code: 'CONNECTION_LOST', status: 0 })
})

t.test('a request without an answer fails by the clock', async t => {
  const server = await fakeServer(t)
  server.answer = frame => (frame.op === 'request' ? 'nothing' : undefined)
  const { client } = loggedClient(t, { ...who, url: server.url, timeoutMs: 50 })
  await t.rejects(client.request('GET', '/slow'), { code: 'TIMEOUT' })
})

t.test('without a server a request waits its time, and the client keeps trying', async t => {
  const { client, states } = loggedClient(t, { ...who, url: 'http://127.0.0.1:9', timeoutMs: 50 })
  await t.rejects(client.request('GET', '/users'), { code: 'NOT_CONNECTED' })
  t.ok(states.length > 2)
  t.equal(client.state, 'connecting')
  await client.close()
  t.equal(client.state, 'closed')
})

t.test('a slow application gets everything once and in order, in pieces of the buffer’s size', async t => {
  const server = await fakeServer(t)
  const handled: number[] = []
  const client = connect({ ...quick, ...who, url: server.url, register: {}, bufferEvents: 5 })
  t.teardown(() => client.close())
  client.on('message', async ({ id }) => {
    // Requests work meanwhile: a handler that waits for one must not wait for ever.
    if (id % 10 === 0) await client.request('GET', '/users')
    else await sleep(1)
    handled.push(id)
  })
  await client.registered
  for (let id = 1; id <= 100; id += 4) server.publish(id, id + 1, id + 2, id + 3)
  await until(() => handled.length >= 100)
  t.same(
    handled,
    Array.from({ length: 100 }, (_, i) => i + 1),
  )
  t.ok(server.frames('detach').length > 0, 'it asked for a pause')
  t.equal(server.peers.length, 1, 'on the same connection')
})

t.test('a slow application survives broken connections, too', async t => {
  const server = await fakeServer(t)
  const handled: number[] = []
  const client = connect({ ...quick, ...who, url: server.url, register: {}, bufferEvents: 3 })
  t.teardown(() => client.close())
  client.on('message', async ({ id }) => {
    await sleep(1)
    handled.push(id)
    if (id % 7 === 0) server.peer.socket.terminate()
  })
  await client.registered
  for (let id = 1; id <= 60; id += 3) server.publish(id, id + 1, id + 2)
  await until(() => handled.length >= 60)
  t.same(
    handled,
    Array.from({ length: 60 }, (_, i) => i + 1),
  )
  t.ok(server.peers.length > 5)
})

t.test('a listener’s mistake is reported and stops nothing', async t => {
  const server = await fakeServer(t)
  const { client, ids, errors } = loggedClient(t, { ...who, url: server.url, register: {} })
  client.on('message', ({ id }) => {
    if (id === 16) throw new Error('oh')
  })
  client.on('message', async ({ id }) => {
    if (id === 32) throw new Error('later')
  })
  await client.registered
  server.publish(16, 32, 48)
  await until(() => ids.length === 3 && server.acknowledged === 48)
  t.match(errors, [{ message: 'oh' }, { message: 'later' }])
})

t.test('a frame that the server could not read is reported', async t => {
  const server = await fakeServer(t)
  const { client, errors } = loggedClient(t, { ...who, url: server.url, register: {} })
  await client.registered
  server.peer.send({ op: 'error', code: 'BAD_REQUEST', msg: 'unknown op' })
  await until(() => errors.length === 1)
  t.match(errors[0] as RequestError, { code: 'BAD_REQUEST', message: 'unknown op' })
})

t.test('a server that says nothing any more is left for another connection', async t => {
  const server = await fakeServer(t)
  const { client } = loggedClient(t, { ...who, url: server.url, register: {}, silenceMs: 30 })
  await client.registered
  await until(() => server.frames('attach').length > 0)
  t.ok(server.peers.length > 1)
})

t.test('events can be read in a loop; the next read acknowledges the one before', async t => {
  const server = await fakeServer(t)
  const { client } = loggedClient(t, { ...who, url: server.url, register: {} })
  const events = client.events()
  await client.registered
  server.publish(16, 32, 48)
  const seen: number[] = []
  for await (const { id } of events) {
    seen.push(id)
    if (id === 32) t.ok((client.position?.lastEventId ?? 0) < 32)
    if (id === 48) break
  }
  t.same(seen, [16, 32, 48])
  await until(() => server.acknowledged === 48)
})

t.test('the loop ends when the client is closed', async t => {
  const server = await fakeServer(t)
  const { client } = loggedClient(t, { ...who, url: server.url, register: {} })
  await client.registered
  const reading = (async () => {
    for await (const _ of client.events()) t.fail('there was no event')
  })()
  await client.close()
  await reading
})

t.test('an address that is none is refused at once', async t => {
  t.throws(() => connect({ url: 'not an address', webSocket: WebSocket }))
})
