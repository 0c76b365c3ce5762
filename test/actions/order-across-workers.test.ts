import t from 'tap'
import type { OutboxedEmission } from '../../server/realtime/realtime.js'
import { startServer, testOrganization } from '../support/server.js'

/** Holds back what a worker would publish, as if it were slow between commit and publish; `go` lets it out. */
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
  // Both workers know the feed now.
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
