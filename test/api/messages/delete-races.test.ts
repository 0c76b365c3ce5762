import t from 'tap'
import type { Tx } from '../../../server/store/driver/db.js'
import type { Person } from '../../support/people.js'
import { overtaken } from '../../support/races.js'
import { startServer } from '../../support/server.js'
import { channelOf, each, Listener, people, say } from './scene.js'

const server = await startServer(t)
const { ctx, sql } = server

const gone = { status: 400, body: { code: 'BAD_REQUEST', msg: 'Invalid message(s)' } }
const event_types = ['delete_message', 'default_streams']
const remove = (who: Person, id: number) => who.delete(`/messages/${id}`)
const exists = async (id: number) => (await sql`select from messages where id = ${id}`).length === 1

/** A private channel of three people with a message of the first of them, and their listeners. */
async function scene() {
  const persons = await people(server, 3)
  const channel = await channelOf(persons, { invite_only: true })
  const id = await say(persons[0], channel.id, 'first')
  const ears = await each(persons, person => Listener.start(ctx, person, { event_types }))
  return { persons, channel, id, ears }
}

t.test('two deletions of one message at once: one is refused, and there is one event', async t => {
  const { persons, channel, ears } = await scene()
  const id = await say(persons[0], channel.id, 'second')
  const answers = await overtaken(server, {
    first: tx => tx`select from channels where id = ${channel.id} for no key update`,
    request: () => each([0, 1, 2], () => remove(persons[0], id)),
  })
  t.same(answers.map(({ status }) => status).sort(), [200, 400, 400])
  t.match(await ears[1].events(t), [{ type: 'delete_message', message_ids: [id] }])
})

t.test('a message edited while it is deleted is deleted as it is then', async t => {
  const { persons, channel, ears } = await scene()
  const id = await say(persons[0], channel.id, 'second')
  const answer = await overtaken(server, {
    first: tx => tx`update messages set content = 'third' where id = ${id}`,
    request: () => remove(persons[0], id),
  })
  t.equal(answer.status, 200)
  t.notOk(await exists(id))
  t.match(await ears[1].events(t), [{ type: 'delete_message', message_ids: [id] }])
})

t.test('a message that becomes the first of its channel while it is deleted', async t => {
  const { persons, channel, id } = await scene()
  const [second, third] = [await say(persons[0], channel.id, 'second'), await say(persons[0], channel.id, 'third')]
  const answer = await overtaken(server, {
    first: tx => tx`select from channels where id = ${channel.id} for no key update`,
    request: () => remove(persons[0], second),
    meanwhile: async tx => {
      await tx`delete from messages where id = ${id}`
      await tx`update channels set first_message_id = ${second} where id = ${channel.id}`
    },
  })
  t.equal(answer.status, 200)
  t.match(await sql`select first_message_id from channels where id = ${channel.id}`, [{ first_message_id: third }])
})

t.test('a message moved to a channel where its author may not see it is not deleted', async t => {
  const { persons, channel } = await scene()
  const id = await say(persons[0], channel.id, 'second')
  const other = await channelOf([persons[1]], { invite_only: true })
  const answer = await overtaken(server, {
    first: tx => tx`select from channels where id in (${channel.id}, ${other.id}) order by id for no key update`,
    request: () => remove(persons[0], id),
    meanwhile: tx => tx`update messages set channel_id = ${other.id} where id = ${id}`,
  })
  t.match(answer, gone)
  t.ok(await exists(id))
})

t.test('a subscriber who leaves while a message is deleted gets no event', async t => {
  const { persons, channel, ears } = await scene()
  const id = await say(persons[0], channel.id, 'second')
  const answer = await overtaken(server, {
    first: tx => tx`select from channels where id = ${channel.id} for no key update`,
    request: () => remove(persons[0], id),
    meanwhile: async tx => {
      await tx`
        update subscriptions set is_active = false, spans = '{}'
        where user_id = ${persons[2].id} and channel_id = ${channel.id}`
      await tx`update channels set subscribers_version = subscribers_version + 1 where id = ${channel.id}`
    },
  })
  t.equal(answer.status, 200)
  const [own, others, left] = await each(ears, ear => ear.events(t))
  t.match([own, others], [[{ type: 'delete_message' }], [{ type: 'delete_message' }]])
  t.same(left, [])
})

// What the connection waits for when it ends: its first lock, or the last one, when the message is deleted and its event stored.
const steps = {
  'the channel': (tx: Tx, channelId: number) => tx`select from channels where id = ${channelId} for no key update`,
  'the version of lists': (tx: Tx) => tx`select from lists_version for update`,
}

for (const [step, lock] of Object.entries(steps)) {
  t.test(`a connection that ends while a deletion waits for ${step}`, async t => {
    const { persons, channel, ears } = await scene()
    const id = await say(persons[0], channel.id, 'second')
    const answer = await overtaken(server, {
      first: tx => lock(tx, channel.id),
      request: () => remove(persons[0], id),
      meanwhile: async (_, pids) => {
        for (const pid of pids) await sql`select pg_terminate_backend(${pid})`
      },
    })
    t.equal(answer.status, 503)
    t.ok(await exists(id))
    for (const ear of ears) t.same(await ear.events(t), [], 'no event without its change')
  })
}
