// Users subscribe and unsubscribe while others send: the messages in a user's queue are those in its subscription
// spans.
import t from 'tap'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { freshName, Listener } from './scene.js'

const server = await startServer(t)

t.test('a queue got exactly the messages of the spans, whatever happens at the same time', async t => {
  const second = await startServer(t, {}, server.organization)
  const [writer, reader] = [await server.person(), await second.person()]
  const name = freshName()
  await writer.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
  const ear = await Listener.start([server.ctx, second.ctx], reader, { event_types: ['message', 'default_streams'] })
  const sent: number[] = []
  let isDone = false
  const writing = async () => {
    for (let i = 0; i < 9; i++) {
      const { id } = await writer.ok('POST', '/messages', { type: 'stream', to: name, topic: 'x', content: `${i}` })
      sent.push(id)
    }
  }
  const toggling = async () => {
    while (!isDone) {
      await reader.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
      await reader.ok('DELETE', '/users/me/subscriptions', { subscriptions: [name] })
    }
  }
  // More than a worker has connections.
  const writers = Promise.all(Array.from({ length: 20 }, writing)).finally(() => {
    isDone = true
  })
  await Promise.all([writers, toggling()])
  // Both workers have published their events once these have arrived.
  const got = (await ear.events()).map(event => event.message.id)
  const rows = await server.sql<{ id: number }[]>`
    select messages.id from messages join subscriptions using (channel_id)
    where user_id = ${reader.id} and messages.id <@ spans order by messages.id`
  t.equal(sent.length, 180)
  t.same(
    got.sort((a, b) => a - b),
    rows.map(row => row.id),
  )
  t.ok(rows.length > 0 && rows.length < 180, `some, not all: ${rows.length}`)
})

t.test('more people than the worker has connections come and go without a pause, and others send', async t => {
  const few = await startServer(t, { DATABASE_CONNECTIONS: '4' }, server.organization)
  const people = await Promise.all(Array.from({ length: 22 }, () => few.person()))
  const name = freshName()
  await people[0]?.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
  let isDone = false
  const writing = async (writer: Person | undefined) => {
    const statuses: number[] = []
    for (let i = 0; i < 3; i++) {
      // With a mention, which reads a table, and a topic that its sender follows, which is another change.
      const content = `@**topic** ${i}`
      const { status } =
        (await writer?.call('POST', '/messages', { type: 'stream', to: name, topic: `${i}`, content })) ?? {}
      if (status) statuses.push(status)
    }
    return statuses
  }
  const toggling = async (person: Person) => {
    const statuses: number[] = []
    while (!isDone) {
      for (const [method, subscriptions] of [
        ['POST', [{ name }]],
        ['DELETE', [name]],
      ] as const) {
        statuses.push((await person.call(method, '/users/me/subscriptions', { subscriptions })).status)
      }
    }
    return statuses
  }
  const [first, second, ...others] = people
  const writers = Promise.all([writing(first), writing(second)]).finally(() => {
    isDone = true
  })
  const [sent, toggled] = await Promise.all([writers, Promise.all(others.map(toggling))])
  t.same([...new Set(sent.flat())], [200])
  t.same([...new Set(toggled.flat())], [200])
})
