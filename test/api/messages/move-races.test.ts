import t from 'tap'
import type { Tx } from '../../../server/store/driver/db.js'
import type { Person } from '../../support/people.js'
import { statementsOf } from '../../support/queries.js'
import { overtaken } from '../../support/races.js'
import { startServer } from '../../support/server.js'
import { channelOf, each, group, Listener, type Loose, people, say, setRealm } from './scene.js'

const server = await startServer(t)
const { ctx, sql } = server

const all = { propagate_mode: 'change_all', send_notification_to_new_thread: false }
const move = (who: Person, id: number, params: Loose) => who.patch(`/messages/${id}`, { ...all, ...params })
const gone = { status: 400, body: { code: 'BAD_REQUEST', msg: 'Invalid message(s)' } }
const event_types = ['update_message', 'delete_message', 'default_streams']
const places = async (ids: readonly number[]) =>
  (await sql`select channel_id, topic from messages where id = any(${[...ids]}::bigint[]) order by id`).map(
    ({ channel_id, topic }) => [channel_id, topic],
  )

/** Two messages of a topic, in a private channel of a moderator and a member. */
async function scene() {
  const mover = await server.person({ role: 300 })
  const reader = await server.person()
  const persons = [mover, reader] as const
  const channel = await channelOf(persons, { invite_only: true, history_public_to_subscribers: true })
  const ids = [await say(mover, channel.id, 'one', 'old'), await say(reader, channel.id, 'two', 'old')] as const
  const ears = await each(persons, person => Listener.start(ctx, person, { event_types }))
  const locked = { first: (tx: Tx) => tx`select from channels where id = ${channel.id} for update` }
  return { persons, channel, ids, ears, locked }
}

type Scene = Awaited<ReturnType<typeof scene>>

t.test('a message that is sent to the topic before it is locked moves with it', async t => {
  const { persons, channel, ids, ears, locked } = await scene()
  let later = 0
  const answer = await overtaken(server, {
    ...locked,
    request: () => move(persons[0], ids[0], { topic: 'new' }),
    meanwhile: async tx => {
      const [row] = await tx`
        insert into messages (sender_id, channel_id, topic, content, rendered_content, renderer_version)
        values (${persons[1].id}, ${channel.id}, 'old', 'three', '<p>three</p>', 1) returning id`
      later = row?.id
    },
  })
  t.equal(answer.status, 200)
  t.same(await places([...ids, later]), [
    [channel.id, 'new'],
    [channel.id, 'new'],
    [channel.id, 'new'],
  ])
  t.match(await ears[1].events(t), [{ type: 'update_message', message_ids: [...ids, later], subject: 'new' }])
})

t.test('a message deleted before it is locked; the others stay where they are', async t => {
  const { persons, channel, ids, ears, locked } = await scene()
  const answer = await overtaken(server, {
    ...locked,
    request: () => move(persons[0], ids[0], { topic: 'new' }),
    meanwhile: tx => tx`delete from messages where id = ${ids[0]}`,
  })
  t.match(answer, gone)
  t.same(await places(ids), [[channel.id, 'old']])
  for (const ear of ears) t.same(await ear.events(t), [])
})

t.test('a message that another move takes to a channel that the mover may not see', async t => {
  const { persons, ids, locked } = await scene()
  const other = await channelOf([persons[1]], { invite_only: true })
  const answer = await overtaken(server, {
    ...locked,
    request: () => move(persons[0], ids[0], { topic: 'new' }),
    meanwhile: tx => tx`update messages set channel_id = ${other.id} where id = any(${[...ids]}::bigint[])`,
  })
  t.match(answer, gone)
  t.same(await places(ids), [
    [other.id, 'old'],
    [other.id, 'old'],
  ])
})

t.test('a mover who is unsubscribed before the channel is locked', async t => {
  const { persons, channel, ids, locked } = await scene()
  const answer = await overtaken(server, {
    ...locked,
    request: () => move(persons[0], ids[0], { topic: 'new' }),
    meanwhile: async tx => {
      await tx`update subscriptions set is_active = false where user_id = ${persons[0].id} and channel_id = ${channel.id}`
      await tx`update channels set subscribers_version = subscribers_version + 1 where id = ${channel.id}`
    },
  })
  t.match(answer, gone)
  t.same(await places(ids), [
    [channel.id, 'old'],
    [channel.id, 'old'],
  ])
})

t.test('a topic that is edited and moved at once ends with both', async t => {
  const { persons, channel, ids, ears, locked } = await scene()
  const answers = await overtaken(server, {
    ...locked,
    request: () =>
      Promise.all([
        move(persons[0], ids[0], { topic: 'new' }),
        persons[0].patch(`/messages/${ids[0]}`, { content: 'other' }),
        persons[1].patch(`/messages/${ids[1]}`, { content: 'other' }),
      ]),
  })
  t.same(
    answers.map(({ status }) => status),
    [200, 200, 200],
  )
  t.same(await sql`select topic, content from messages where channel_id = ${channel.id} order by id`, [
    { topic: 'new', content: 'other' },
    { topic: 'new', content: 'other' },
  ])
  t.equal((await ears[1].events(t)).length, 3)
})

t.test('two topics that move into each other, in one channel and in two, do not end in a deadlock', async t => {
  const [mover, reader] = await people(server, 2)
  const admin = await server.person({ role: 200 })
  const persons = [mover, reader, admin]
  const [one, two] = [await channelOf(persons), await channelOf(persons)]
  for (let round = 0; round < 5; round++) {
    const topics = [`a ${round}`, `b ${round}`] as const
    const ids: number[] = []
    for (const channel of [one, two]) for (const topic of topics) ids.push(await say(admin, channel.id, 'x', topic))
    const [a1, b1, a2, b2] = ids as [number, number, number, number]
    const answers = await Promise.all([
      move(admin, a1, { topic: topics[1] }),
      move(admin, b1, { topic: topics[0] }),
      move(admin, a1, { stream_id: two.id }),
      move(admin, a2, { stream_id: one.id, topic: topics[1] }),
      move(admin, b2, { stream_id: one.id }),
    ])
    t.ok(
      answers.every(({ status, body }) => status === 200 || body.code === 'BAD_REQUEST'),
      'a second move may find nothing to change',
    )
    t.equal((await places(ids)).length, 4)
  }
})

// What the connection waits for when it ends: its first lock, or a row that it changes after it has changed others.
const steps = {
  'the channel': (tx: Tx, { channel }: Scene) => tx`select from channels where id = ${channel.id} for update`,
  'another message of the topic': (tx: Tx, { ids }: Scene) => tx`select from messages where id = ${ids[1]} for update`,
}

for (const [step, lock] of Object.entries(steps)) {
  t.test(`a connection that ends while a move waits for ${step}`, async t => {
    const scenery = await scene()
    const { persons, channel, ids, ears } = scenery
    await persons[1].ok('POST', '/user_topics', { stream_id: channel.id, topic: 'old', visibility_policy: 3 })
    const answer = await overtaken(server, {
      first: tx => lock(tx, scenery),
      request: () => move(persons[0], ids[0], { topic: 'new' }),
      meanwhile: async (_, pids) => {
        for (const pid of pids) await sql`select pg_terminate_backend(${pid})`
      },
    })
    t.equal(answer.status, 503)
    t.same(await places(ids), [
      [channel.id, 'old'],
      [channel.id, 'old'],
    ])
    t.same(await sql`select from message_edits where message_id = any(${[...ids]}::bigint[])`, [])
    t.match(
      await sql`select topic from user_topics where channel_id = ${channel.id} and user_id = ${persons[1].id}`,
      [{ topic: 'old' }],
      'the policies stay, too',
    )
    for (const ear of ears) t.same(await ear.events(t), [], 'no event without its change')
  })
}

t.test('a caller who may not move messages makes the server read no other message of the topic', async t => {
  const { persons, ids } = await scene()
  const reads = async (who: Person, status: number) => {
    const statements = await statementsOf(server, async () =>
      t.equal((await move(who, ids[0], { topic: 'new' })).status, status),
    )
    return statements.filter(statement => statement.includes('leaves_others')).length
  }
  await setRealm(server, { can_move_messages_between_topics_group: await group(server, 'role:moderators') })
  t.equal(await reads(persons[1], 400), 0)
  t.equal(await reads(persons[0], 200), 1)
})
