import t from 'tap'
import { kinds, Listener, type Loose } from '../../support/in-step.js'
import type { Person } from '../../support/people.js'
import { statementsOf } from '../../support/queries.js'
import { startServer } from '../../support/server.js'
import { channelOf, each, people, say } from '../messages/scene.js'

const server = await startServer(t)
const { ctx } = server

const quietly = { send_notification_to_new_thread: false, send_notification_to_old_thread: false }

const set = (who: Person, stream_id: number, topic: string, visibility_policy: number) =>
  who.ok('POST', '/user_topics', { stream_id, topic, visibility_policy })

const move = (who: Person, id: number, params: Loose) =>
  who.ok('PATCH', `/messages/${id}`, { propagate_mode: 'change_all', ...quietly, ...params })

/** A user whose topic policies change only by request. */
const person = () =>
  server.person({
    settings: { automatically_follow_topics_policy: 4, automatically_follow_topics_where_mentioned: false },
  })

const policies = (ear: Listener): [number, string, number][] =>
  ear.state.user_topics.map((one: Loose) => [one.stream_id, one.topic_name, one.visibility_policy])

t.test('policies move with their topic, and their events come before the move', async t => {
  const [author, reader, other] = await each([1, 2, 3], person)
  const channel = await channelOf([author, reader, other])
  const id = await say(author, channel.id, 'x', 'before')
  await say(author, channel.id, 'y', 'before')
  await set(reader, channel.id, 'Before', 1)
  const ears = await each([reader, other], one => Listener.start(ctx, one))
  await move(author, id, { topic: 'after' })
  const [ofReader, ofOther] = await each(ears, ear => ear.inStep(t))
  t.same(kinds(ofReader), ['muted_topics', 'user_topic', 'muted_topics', 'user_topic', 'update_message'])
  t.match(ofReader[1], { topic_name: 'before', visibility_policy: 0 })
  t.match(ofReader[3], { topic_name: 'after', visibility_policy: 1 })
  t.same(kinds(ofOther), ['update_message'])
  t.same(policies(ears[0]), [[channel.id, 'after', 1]])
  t.equal(ears[0].state.unread_msgs.count, 0)
})

t.test('a change of case alone changes the spelling', async t => {
  const [author, reader] = await each([1, 2], person)
  const channel = await channelOf([author, reader])
  const id = await say(author, channel.id, 'x', 'lunch')
  await set(reader, channel.id, 'lunch', 3)
  const ear = await Listener.start(ctx, reader)
  await move(author, id, { topic: 'Lunch' })
  t.same(kinds(await ear.inStep(t)), ['user_topic', 'update_message'])
  t.same(policies(ear), [[channel.id, 'Lunch', 3]])
})

t.test('resolving a topic is such a move', async t => {
  const [author, reader] = await each([1, 2], person)
  const channel = await channelOf([author, reader])
  const id = await say(author, channel.id, 'x', 'task')
  await set(reader, channel.id, 'task', 3)
  const ear = await Listener.start(ctx, reader)
  await move(author, id, { topic: '✔ task' })
  await ear.inStep(t)
  t.same(policies(ear), [[channel.id, '✔ task', 3]])
  await move(author, id, { topic: 'task' })
  await ear.inStep(t)
  t.same(policies(ear), [[channel.id, 'task', 3]])
})

t.test('part of a topic leaves them where they are, the last part takes them along', async t => {
  const [author, reader] = await each([1, 2], person)
  const channel = await channelOf([author, reader])
  const [one, two] = [await say(author, channel.id, 'x', 'long'), await say(author, channel.id, 'y', 'long')]
  await set(reader, channel.id, 'long', 3)
  const ear = await Listener.start(ctx, reader)
  await move(author, two, { topic: 'split', propagate_mode: 'change_later' })
  t.same(kinds(await ear.inStep(t)), ['update_message'])
  await move(author, one, { topic: 'split', propagate_mode: 'change_one' })
  await ear.inStep(t)
  t.same(policies(ear), [[channel.id, 'split', 3]])
})

t.test('of two topics that become one the louder policy counts', async t => {
  const [author] = await each([1], person)
  const channel = await channelOf([author])
  for (const [one, two, joined] of [
    [1, 1, 1],
    [1, 0, 0],
    [0, 1, 0],
    [1, 2, 2],
    [2, 1, 2],
    [3, 1, 3],
    [0, 3, 3],
    [2, 3, 3],
    [0, 2, 2],
  ] as const) {
    const reader = await person()
    await reader.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: channel.name }] })
    const [from, to] = [`from ${one}${two}`, `to ${one}${two}`]
    const id = await say(author, channel.id, 'x', from)
    await say(author, channel.id, 'y', to)
    if (one) await set(reader, channel.id, from, one)
    if (two) await set(reader, channel.id, to, two)
    const ear = await Listener.start(ctx, reader)
    await move(author, id, { topic: to })
    await ear.inStep(t)
    t.same(policies(ear), joined === 0 ? [] : [[channel.id, to, joined]], `${one} and ${two}`)
  }
})

t.test('a policy for a topic without messages is replaced', async t => {
  const [author, reader] = await each([1, 2], person)
  const channel = await channelOf([author, reader])
  const id = await say(author, channel.id, 'x', 'real')
  await set(reader, channel.id, 'planned', 3)
  await set(reader, channel.id, 'real', 1)
  const ear = await Listener.start(ctx, reader)
  await move(author, id, { topic: 'planned' })
  await ear.inStep(t)
  t.same(policies(ear), [[channel.id, 'planned', 1]])
})

t.test('to another channel they go with those who can read it', async t => {
  const admin = await server.person({ role: 200, settings: { automatically_follow_topics_policy: 4 } })
  const [insider, outsider, former] = await each([1, 2, 3], person)
  const from = await channelOf([admin, insider, outsider])
  const to = await channelOf([admin, insider], { invite_only: true })
  const id = await say(admin, from.id, 'x', 'talk')
  for (const who of [insider, outsider, former]) await set(who, from.id, 'talk', 3)
  const ears = await each([insider, outsider, former], one => Listener.start(ctx, one))
  await move(admin, id, { stream_id: to.id, topic: 'secret' })
  const [ofInsider, ofOutsider, ofFormer] = await each(ears, ear => ear.inStep(t))
  t.match(
    ofInsider.filter(event => event.type === 'user_topic'),
    [
      { stream_id: from.id, topic_name: 'talk', visibility_policy: 0 },
      { stream_id: to.id, topic_name: 'secret', visibility_policy: 3 },
    ],
  )
  t.same(policies(ears[0]), [[to.id, 'secret', 3]])
  t.same(policies(ears[1]), [], 'to whom the messages are gone wants nothing of the topic')
  for (const events of [ofOutsider, ofFormer]) {
    t.notMatch(JSON.stringify(events), 'secret')
    t.match(
      events.filter(event => event.type === 'user_topic'),
      [{ stream_id: from.id, visibility_policy: 0 }],
    )
  }
})

t.test('a user who can no longer read a channel gets no event of moved topics', async t => {
  const [author, former] = await each([1, 2], person)
  const channel = await channelOf([author, former], { invite_only: true })
  const id = await say(author, channel.id, 'x', 'talk')
  await set(former, channel.id, 'talk', 3)
  await former.ok('DELETE', '/users/me/subscriptions', { subscriptions: [channel.name] })
  const ear = await Listener.start(ctx, former)
  await move(author, id, { topic: 'secret' })
  // Messages of a channel that the user leaves are marked as read some time later.
  t.same(
    (await ear.inStep(t)).filter(event => event.type !== 'update_message_flags'),
    [],
  )
  t.same(policies(ear), [[channel.id, 'talk', 3]])
})

t.test('a policy set while its topic moves ends at one of the two topics, for client and server', async t => {
  const [author, reader] = await each([1, 2], person)
  const channel = await channelOf([author, reader])
  const ear = await Listener.start(ctx, reader)
  for (let round = 0; round < 4; round++) {
    const [from, to] = [`from ${round}`, `to ${round}`]
    const id = await say(author, channel.id, 'x', from)
    await Promise.all([move(author, id, { topic: to }), set(reader, channel.id, from, 1)])
    await ear.inStep(t)
    const found = policies(ear).filter(([, topic]) => [from, to].includes(topic))
    t.equal(found.length, 1)
  }
})

t.test('many people’s policies go in as many statements as few people’s', async t => {
  const [author] = await people(server, 1)
  const crowd = await each(
    Array.from({ length: 60 }, (_, i) => i),
    person,
  )
  const counts: number[] = []
  for (const size of [2, 60]) {
    const channel = await channelOf([author, ...crowd])
    const id = await say(author, channel.id, 'x', 'popular')
    await server.sql`
      insert into user_topics (user_id, channel_id, topic, visibility_policy, last_updated)
      select unnest(${crowd.slice(-size).map(one => one.id)}::int[]), ${channel.id}, 'popular', 1, now()`
    const ear = await Listener.start(ctx, crowd.at(-1) as Person)
    const ofMoves: number[] = []
    // The least of three: a statement that the server makes by time may come during one.
    for (const topic of ['once', 'twice', 'moved']) {
      ofMoves.push((await statementsOf(server, () => move(author, id, { topic }))).length)
      await ear.inStep(t)
    }
    counts.push(Math.min(...ofMoves))
    t.match(policies(ear).at(-1), [channel.id, 'moved', 1])
  }
  t.equal(counts[0], counts[1])
})

t.test('who receives messages only where they moved to counts as having read them', async t => {
  const admin = await server.person({ role: 200 })
  const [both, there, stranger] = await each([1, 2, 3], person)
  const from = await channelOf([admin, both])
  const hidden = await channelOf([admin, both], { invite_only: true })
  const to = await channelOf([admin, both, there, stranger])
  const ids = [await say(admin, from.id), await say(admin, hidden.id), await say(admin, to.id)]
  const ears = await each([both, there, stranger], one => Listener.start(ctx, one))
  await move(admin, ids[0] as number, { stream_id: to.id })
  await move(admin, ids[1] as number, { stream_id: to.id })
  for (const ear of ears) await ear.inStep(t)
  const unread = ears.map(ear => ear.state.unread_msgs.streams.flatMap((one: Loose) => one.unread_message_ids))
  t.same(unread, [ids, [ids[2]], [ids[2]]])
  const flags = (who: Person) =>
    each(ids, async id => (await who.ok('GET', `/messages/${id}`)).message.flags as unknown)
  t.same(await flags(there), [['read'], ['read'], []])
})
