import t, { type Test } from 'tap'
import type { OutboxedEmission } from '../../server/realtime/realtime.js'
import { startServer, type TestServer, testOrganization } from '../support/server.js'

/** Delays what a worker publishes, as if it were slow between commit and publish; `go` releases it. */
function held(server: Awaited<ReturnType<typeof startServer>>) {
  const realtime = server.ctx.realtime as { publish(emissions: readonly OutboxedEmission[]): void }
  const publish = realtime.publish.bind(realtime)
  const waiting: OutboxedEmission[] = []
  realtime.publish = emissions => void waiting.push(...emissions)
  return {
    waiting,
    go() {
      realtime.publish = publish
      publish(waiting.splice(0))
    },
  }
}

t.test('what rests on another worker’s change comes after it, also when that one has not published yet', async t => {
  const organization = await testOrganization(t)
  const [one, two] = [await startServer(t, {}, organization), await startServer(t, {}, organization)]
  const [author, reader] = [await one.person(), await one.person()]
  for (const person of [author, reader]) {
    await person.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'order' }] })
  }
  const say = (content: string) =>
    author.ok('POST', '/messages', { type: 'stream', to: 'order', topic: 'talk', content })
  const { queue_id, last_event_id } = await reader.ok('POST', '/register', { event_types: ['message', 'reaction'] })
  const read = async (from: number, count: number) => {
    const events: { id: number; type: string; emoji_name?: string; message?: { content: string } }[] = []
    while (events.length < count) {
      const last = events.at(-1)?.id ?? from
      const answer = await two.api(reader).ok('GET', '/events', { queue_id, last_event_id: last })
      events.push(...answer.events.filter((event: { type: string }) => event.type !== 'heartbeat'))
    }
    return events
  }
  const told = (events: Awaited<ReturnType<typeof read>>) => events.map(event => event.emoji_name ?? event.type)
  // Both workers have read the feed now.
  await say('first')
  const [first] = await read(last_event_id, 1)

  const slow = held(one)
  const { id } = await say('second')
  await two.api(reader).ok('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
  const [message, reaction] = await read(first?.id ?? 0, 2)
  t.same(told([message, reaction] as never), ['message', 'tada'])
  t.equal(slow.waiting.length, 1, 'the first worker has not published anything')

  t.test('and comes once', async t => {
    slow.go()
    await say('third')
    t.same(told(await read(reaction?.id ?? 0, 1)), ['message'])
  })

  t.test('two changes of one thing end with the later one', async t => {
    const before = await read(reaction?.id ?? 0, 1)
    const slow = held(one)
    await one.api(reader).ok('POST', `/messages/${id}/reactions`, { emoji_name: 'heart' })
    await two.api(reader).ok('DELETE', `/messages/${id}/reactions`, { emoji_name: 'heart' })
    await two.api(reader).ok('POST', `/messages/${id}/reactions`, { emoji_name: 'thumbs_up' })
    slow.go()
    const events = (await read(before.at(-1)?.id ?? 0, 3)) as { op?: string; emoji_name?: string }[]
    t.same(
      events.map(({ op, emoji_name }) => `${op} ${emoji_name}`),
      ['add heart', 'remove heart', 'add thumbs_up'],
    )
  })
})

/** An organization without outbox sweep, which would publish the rows that the test delays. */
async function unswept(t: Test) {
  const organization = await testOrganization(t)
  await organization.sql`alter table outbox alter column created set default clock_timestamp() + interval '1 day'`
  return organization
}

/** A worker commits messages without publishing them, and another worker changes them. */
async function leftBehind(t: Test) {
  const organization = await unswept(t)
  const one = await startServer(t, {}, organization)
  const author = await one.person({ role: 100 })
  await author.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'order' }] })
  const { queue_id } = await author.ok('POST', '/register', {
    event_types: ['message', 'reaction', 'update_message', 'delete_message'],
  })
  held(one)
  const ids: number[] = []
  for (const content of ['to react', 'to edit', 'to delete']) {
    const { id } = await author.ok('POST', '/messages', { type: 'stream', to: 'order', topic: 'talk', content })
    ids.push(id)
  }
  /** Type and message of the queue's events, up to the reaction. */
  const read = async (server: TestServer) => {
    const events: { id: number; type: string; message_id?: number; message?: { id: number } }[] = []
    while (!events.some(event => event.type === 'reaction')) {
      const last_event_id = events.at(-1)?.id ?? -1
      const answer = await server.api(author).ok('GET', '/events', { queue_id, last_event_id })
      events.push(...answer.events.filter((event: { type: string }) => event.type !== 'heartbeat'))
    }
    return events.map(({ type, message_id, message }) => `${type} ${ids.indexOf(message_id ?? message?.id ?? 0)}`)
  }
  /** Adds a reaction, edits and deletes, each on the message sent for it. */
  const change = async (server: TestServer) => {
    const api = server.api(author)
    await api.ok('DELETE', `/messages/${ids[2]}`)
    await api.ok('PATCH', `/messages/${ids[1]}`, { content: 'edited' })
    await api.ok('POST', `/messages/${ids[0]}/reactions`, { emoji_name: 'tada' })
  }
  return { organization, change, read }
}

const inOrder = ['message 0', 'message 1', 'message 2', 'delete_message 2', 'update_message 1', 'reaction 0']

t.test('changes through a worker that has just started come after messages that no worker has published', async t => {
  const { organization, change, read } = await leftBehind(t)
  const two = await startServer(t, {}, organization)
  await change(two)
  t.same(await read(two), inOrder)
})

t.test('a change comes after its message, however many rows were stored and published between', async t => {
  const organization = await unswept(t)
  const [one, two] = [await startServer(t, {}, organization), await startServer(t, {}, organization)]
  const author = await one.person()
  await author.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'order' }] })
  const { queue_id } = await author.ok('POST', '/register', { event_types: ['message', 'reaction'] })
  const message = { type: 'stream', to: 'order', topic: 'talk', content: 'a message' }
  held(one)
  const { id } = await author.ok('POST', '/messages', message)
  await organization.sql`select setval(pg_get_serial_sequence('outbox', 'id'), 100_000)`
  const later = await two.api(author).ok('POST', '/messages', message)
  await two.api(author).ok('POST', `/messages/${later.id}/reactions`, { emoji_name: 'heart' })
  await two.api(author).ok('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
  const events: { id: number; type: string; emoji_name?: string; message?: { id: number } }[] = []
  while (!events.some(event => event.emoji_name === 'tada')) {
    const last_event_id = events.at(-1)?.id ?? -1
    events.push(...(await two.api(author).ok('GET', '/events', { queue_id, last_event_id })).events)
  }
  const told = events.map(event => event.emoji_name ?? event.message?.id)
  t.ok(told.indexOf(id) >= 0 && told.indexOf(id) < told.indexOf('tada'), JSON.stringify(told))
})
