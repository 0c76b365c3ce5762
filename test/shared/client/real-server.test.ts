import t from 'tap'
import { loggedClient, until } from '../../support/client-log.js'
import { spawnServer, startServer, testOrganization } from '../../support/server.js'
import { checkEvent } from '../../support/wire-schemas.js'

const messages = { event_types: ['message'], fetch_event_types: [], apply_markdown: true }

t.test('against the real server', async t => {
  const organization = await testOrganization(t)
  const server = await startServer(t, {}, organization)
  const sender = await server.person({ role: 200 })
  const reader = await server.person()
  const who = { email: reader.email, apiKey: reader.api_key, url: server.url }
  await sender.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'client' }],
    principals: [sender.id, reader.id],
    send_new_subscription_messages: false,
  })
  const { stream_id: to } = await sender.ok('GET', '/get_stream_id', { stream: 'client' })
  const send = (content: string) => sender.ok('POST', '/messages', { type: 'stream', to, topic: 'test', content })

  for (const codec of ['json', 'msgpack'] as const) {
    t.test(`registers, gets messages and makes requests over ${codec}`, async t => {
      const { client, ids, errors } = loggedClient(t, { ...who, codec, register: messages })
      const contents: string[] = []
      client.on('message', event => {
        t.same(checkEvent(event), [])
        contents.push(event.message.content)
      })
      await client.registered
      await send('one')
      const { id } = await client.request('POST', '/messages', { type: 'stream', to, topic: 'test', content: 'two' })
      t.type(id, 'number')
      await until(() => contents.length === 2)
      t.same(contents, ['<p>one</p>', '<p>two</p>'])
      t.ok((ids[0] as number) < (ids[1] as number))
      await t.rejects(
        client.request('POST', '/messages', { type: 'stream', to: 99_999_999, topic: 'x', content: 'x' }),
        {
          code: 'STREAM_DOES_NOT_EXIST',
          status: 400,
        },
      )
      await t.rejects(client.request('GET', '/nowhere'), { code: 'NOT_FOUND', status: 404 })
      t.same(errors, [])
    })
  }

  t.test('goes on with a queue where an earlier client left it', async t => {
    const first = loggedClient(t, { ...who, register: messages })
    const contents: string[] = []
    first.client.on('message', ({ message }) => contents.push(message.content))
    await first.client.registered
    await send('before')
    await until(() => contents.length === 1)
    await first.client.close()
    await send('between')
    const second = loggedClient(t, { ...who, resume: first.client.position })
    second.client.on('message', ({ message }) => contents.push(message.content))
    await send('after')
    await until(() => contents.length === 3)
    t.same(contents, ['<p>before</p>', '<p>between</p>', '<p>after</p>'])
  })

  t.test('a deleted queue is registered again, and the gap is reported', async t => {
    const { client } = loggedClient(t, { ...who, register: messages })
    const order: string[] = []
    client.on('message', ({ message }) => order.push(message.content))
    client.observe('restarted', () => order.push('gap'))
    const { queue_id } = (await client.registered) ?? {}
    await send('before')
    await until(() => order.length === 1)
    await reader.ok('DELETE', '/events', { queue_id })
    await until(() => order.length === 2)
    await send('after')
    await until(() => order.length === 3)
    t.same(order, ['<p>before</p>', 'gap', '<p>after</p>'])
  })

  t.test('a client that resumes registers only if its queue is gone', async t => {
    const first = loggedClient(t, { ...who, register: messages })
    await first.client.registered
    const position = first.client.position as { queueId: string; lastEventId: number }
    await first.client.close()
    const second = loggedClient(t, { ...who, register: messages, resume: position })
    t.equal(second.client.registered, undefined)
    const order: string[] = []
    second.client.on('message', ({ message }) => order.push(message.content))
    second.client.observe('restarted', () => order.push('gap'))
    await send('kept')
    await until(() => order.length === 1)
    t.equal(second.client.position?.queueId, position.queueId)
    await second.client.close()
    await reader.ok('DELETE', '/events', { queue_id: position.queueId })
    const third = loggedClient(t, { ...who, register: messages, resume: position })
    third.client.observe('restarted', () => order.push('gap'))
    third.client.on('message', ({ message }) => order.push(message.content))
    await until(() => order.length === 2)
    await send('after')
    await until(() => order.length === 3)
    t.same(order, ['<p>kept</p>', 'gap', '<p>after</p>'])
  })

  t.test('a client behind its own acknowledgements registers', async t => {
    const first = loggedClient(t, { ...who, register: messages, ack: { events: 1 } })
    await first.client.registered
    const early = first.client.position as { queueId: string; lastEventId: number }
    for (const content of ['one', 'two']) await send(content)
    await until(() => (first.client.position?.lastEventId ?? 0) > early.lastEventId + 1)
    await first.client.close()
    const second = loggedClient(t, { ...who, register: messages, resume: early })
    let restarts = 0
    second.client.observe('restarted', () => restarts++)
    await until(() => restarts === 1)
    t.not(second.client.position?.queueId, early.queueId)
  })

  t.test('another client on the same queue ends the first', async t => {
    const first = loggedClient(t, { ...who, register: messages })
    const { queue_id: queueId = '' } = (await first.client.registered) ?? {}
    const second = loggedClient(t, { ...who, resume: { queueId, lastEventId: -1 } })
    t.equal(await first.client.ended, 'replaced')
    t.equal(second.client.state, 'live')
  })

  t.test('a wrong key ends the client', async t => {
    const { client } = loggedClient(t, { ...who, apiKey: 'x'.repeat(32), resume: { queueId: 'x', lastEventId: -1 } })
    t.equal(await client.ended, 'unauthenticated')
  })

  t.test('a slow application gets everything once and in order', async t => {
    const handled: string[] = []
    const { client } = loggedClient(t, { ...who, register: messages, bufferEvents: 3 })
    client.on('message', async ({ message }) => {
      await client.request('GET', '/users/me')
      handled.push(message.content)
    })
    await client.registered
    const sent = Array.from({ length: 40 }, (_, i) => `slow ${i}`)
    for (const content of sent) await send(content)
    await until(() => handled.length >= sent.length)
    t.same(
      handled,
      sent.map(content => `<p>${content}</p>`),
    )
  })
})

t.test('a server that stops and starts again loses nothing for its client', async t => {
  const organization = await testOrganization(t)
  const first = await spawnServer(t, {}, organization)
  const { port } = new URL(first.url)
  const person = await first.person({ role: 200 })
  const who = { email: person.email, apiKey: person.api_key, url: first.url }
  const { client, states } = loggedClient(t, { ...who, register: messages, ack: { events: 1000, ms: 60_000 } })
  const contents: string[] = []
  client.on('message', ({ message }) => contents.push(message.content))
  await client.registered
  const send = (content: string) => client.request('POST', '/messages', { type: 'private', to: [person.id], content })
  await send('before')
  await until(() => contents.length === 1)
  await first.stop()
  const second = await spawnServer(t, { PORT: port }, organization)
  t.equal(second.url, first.url)
  await send('after')
  await until(() => contents.length === 2)
  t.same(contents, ['<p>before</p>', '<p>after</p>'])
  t.ok(states.some(({ state }) => state === 'resuming'))
})
