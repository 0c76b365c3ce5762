// Queues with all_public_streams contain messages that their owner may read, on every worker.
import t from 'tap'
import { Listener } from '../../support/in-step.js'
import { setChannel } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { createChannel } from './scene.js'

const first = await startServer(t)
const second = await startServer(t, {}, first.organization)
const { sql, ctx } = first
const owner = await first.person({ role: 100 })
const sender = await first.person()
const open = await createChannel(sql, 'open', [sender.id])
const workers = [first, second]

/** The same account on each of the workers. */
const at = (who: Person) => workers.map(worker => worker.api(who))

async function sendAll(channel = open): Promise<void> {
  for (const api of at(sender))
    await api.ok('POST', '/messages', { type: 'stream', to: channel, topic: 'a', content: 'x' })
}

const listen = (who: Person) =>
  Listener.start(ctx, who, {
    event_types: ['message', 'default_streams'],
    fetch_event_types: [],
    all_public_streams: true,
  })

const messages = async (ear: Listener) => (await ear.events(t)).length

t.test('who becomes a guest reads public channels no longer, and again when it is none any more', async t => {
  const reader = await first.person()
  const own = await createChannel(sql, 'its own', [sender.id, reader.id])
  const ear = await listen(reader)
  await sendAll()
  t.equal(await messages(ear), 2)
  const [, bySecond] = at(owner)
  await bySecond?.ok('PATCH', `/users/${reader.id}`, { role: 600 })
  await sendAll()
  t.equal(await messages(ear), 0, 'nothing more from that moment on')
  await sendAll(own)
  t.equal(await messages(ear), 2, 'what it is subscribed to it goes on reading')
  await bySecond?.ok('PATCH', `/users/${reader.id}`, { role: 300 })
  await sendAll()
  t.equal(await messages(ear), 2)
})

t.test('a reader who becomes a guest gets no message whose sending begins after the answer to the change', async t => {
  const reader = await first.person()
  const ear = await listen(reader)
  const send = () =>
    at(sender).map(api => api.ok('POST', '/messages', { type: 'stream', to: open, topic: 'race', content: 'x' }))
  const before = Array.from({ length: 5 }, send).flat()
  await owner.ok('PATCH', `/users/${reader.id}`, { role: 600 })
  const after = await Promise.all(Array.from({ length: 5 }, send).flat())
  await Promise.all(before)
  const seen = (await ear.events(t)).flatMap(event => (event.message ? [event.message.id] : []))
  t.same(
    after.filter(({ id }) => seen.includes(id)),
    [],
  )
})

t.test('private channels are never among them, nor does a guest register so', async t => {
  const reader = await first.person()
  const hidden = await createChannel(sql, 'hidden', [sender.id])
  await setChannel(sql, hidden, { invite_only: true })
  const ear = await listen(reader)
  await sendAll(hidden)
  t.equal(await messages(ear), 0)
  const guest = await first.person({ role: 600 })
  t.match(await guest.post('/register', { all_public_streams: true }), { status: 400, body: { code: 'BAD_REQUEST' } })
})
