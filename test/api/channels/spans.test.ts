// Users subscribe and unsubscribe while others send: the messages in a user's queue are those in its subscription
// spans.
import t from 'tap'
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
