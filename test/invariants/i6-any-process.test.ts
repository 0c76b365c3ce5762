// I6: any process serves any client; what a queue needs is in Redis and PostgreSQL.
import t from 'tap'
import { sawAll } from '../support/readers.js'
import { startServer, testOrganization } from '../support/server.js'

const organization = await testOrganization(t)
const servers = await Promise.all([1, 2, 3].map(() => startServer(t, {}, organization)))
const [first, second] = servers as [(typeof servers)[0], (typeof servers)[0]]
const writer = await first.person()
const reader = await first.person()
for (const person of [writer, reader]) {
  await person.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'square' }] })
}
const say = async (content: string): Promise<number> =>
  (await writer.ok('POST', '/messages', { type: 'stream', to: 'square', topic: 'talk', content })).id

t.test('I6: a queue polled at one server after another sees everything once and in order', async t => {
  const { queue_id } = await reader.ok('POST', '/register', { event_types: ['message'], fetch_event_types: [] })
  const events: { id: number; message: { id: number } }[] = []
  const sent: number[] = []
  for (let round = 0; round < 12; round++) {
    const server = servers[round % servers.length] as (typeof servers)[0]
    sent.push(await say(`a ${round}`), await say(`b ${round}`))
    while (!events.some(event => event.message.id === sent.at(-1))) {
      const body = await server
        .api(reader)
        .ok('GET', '/events', { queue_id, last_event_id: events.at(-1)?.id ?? -1, dont_block: false })
      events.push(...body.events.filter((event: { type: string }) => event.type === 'message'))
    }
  }
  sawAll(t, { events, messageIds: events.map(event => event.message.id) }, sent)
})

t.test('I6: the newest poll wins; the older one, at another server, ends at once', async t => {
  const { queue_id } = await reader.ok('POST', '/register', { event_types: ['message'], fetch_event_types: [] })
  // Either poll may end first.
  const polls = [first, second].map(one => one.api(reader).get('/events', { queue_id, last_event_id: -1 }))
  const [ended, index] = await Promise.race(polls.map(async (poll, i) => [await poll, i] as const))
  t.equal(ended.status, 200)
  t.same(ended.body.events, [])
  const id = await say('for the newer one')
  t.same((await polls[1 - index])?.body.events[0].message.id, id)
})

t.test('I6: the queue of a server that stopped goes on at another', async t => {
  const third = await startServer(t, {}, organization)
  const { queue_id } = await third
    .api(reader)
    .ok('POST', '/register', { event_types: ['message'], fetch_event_types: [] })
  const before = await say('before')
  await third.stop()
  const after = await say('after')
  const seen: number[] = []
  let last = -1
  while (seen.at(-1) !== after) {
    const body = await second.api(reader).ok('GET', '/events', { queue_id, last_event_id: last })
    for (const event of body.events) {
      last = event.id
      if (event.type === 'message') seen.push(event.message.id)
    }
  }
  t.same(seen, [before, after])
})

t.test("I6: another user's queue is as unknown at every server", async t => {
  const { queue_id } = await reader.ok('POST', '/register', { event_types: ['message'], fetch_event_types: [] })
  for (const server of servers) {
    const { status, body } = await server.api(writer).get('/events', { queue_id, last_event_id: -1, dont_block: true })
    t.same([status, body.code, body.queue_id], [400, 'BAD_EVENT_QUEUE_ID', queue_id])
  }
})
