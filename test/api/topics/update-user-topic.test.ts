import t from 'tap'
import { kinds, Listener, type Loose } from '../../support/in-step.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { channelOf, people, refused, say } from '../messages/scene.js'

const server = await startServer(t)
const { ctx } = server

const set = (who: Person, stream_id: number, topic: string, visibility_policy: unknown) =>
  who.post('/user_topics', { stream_id, topic, visibility_policy })

const topicsOf = async (who: Person, params: Loose = {}): Promise<Loose[]> =>
  (await who.ok('POST', '/register', { event_types: [], fetch_event_types: ['user_topic'], ...params })).user_topics

t.test('each policy is stored, and only its owner gets the event', async t => {
  const [reader, other] = await people(server, 2)
  const channel = await channelOf([other, reader])
  const ear = await Listener.start(ctx, reader)
  const others = await Listener.start(ctx, other)
  for (const policy of [1, 2, 3, 1]) {
    t.equal((await set(reader, channel.id, 'Lunch', policy)).status, 200)
    const events = await ear.inStep(t)
    const [mute, event] = policy === 2 || policy === 1 ? events : [undefined, events[0]]
    t.match(event, { type: 'user_topic', stream_id: channel.id, topic_name: 'Lunch', visibility_policy: policy })
    if (mute)
      t.match(mute, { type: 'muted_topics', muted_topics: policy === 1 ? [[channel.name, 'Lunch', Number]] : [] })
    t.match(await topicsOf(reader), [{ stream_id: channel.id, topic_name: 'Lunch', visibility_policy: policy }])
  }
  t.equal((await set(reader, channel.id, 'lunch', 0)).status, 200, 'case does not matter')
  t.match(await ear.inStep(t), [
    { type: 'muted_topics', muted_topics: [] },
    { type: 'user_topic', topic_name: 'lunch', visibility_policy: 0 },
  ])
  t.same(await topicsOf(reader), [])
  t.equal((await set(reader, channel.id, 'lunch', 0)).status, 200, 'a repeat is no error')
  t.same(await ear.inStep(t), [])
  t.same(await others.events(t), [])
})

t.test('a topic has one policy, under the spelling that was given last', async t => {
  const [reader] = await people(server, 1)
  const channel = await channelOf([reader])
  const ear = await Listener.start(ctx, reader)
  await set(reader, channel.id, 'Äpfel', 3)
  await set(reader, channel.id, 'äpfel', 1)
  t.match(await topicsOf(reader), [{ topic_name: 'äpfel', visibility_policy: 1 }])
  t.equal((await topicsOf(reader)).length, 1)
  await ear.inStep(t)
})

t.test('the empty topic goes by its display name where a client does not know it', async t => {
  const [reader] = await people(server, 1)
  const channel = await channelOf([reader])
  const older = await Listener.start(ctx, reader, { client_capabilities: { notification_settings_null: true } })
  const newer = await Listener.start(ctx, reader)
  for (const name of ['', 'general chat', ' (no topic) ']) {
    await set(reader, channel.id, name, 2)
    await Promise.all([older, newer].map(ear => ear.events()))
    t.equal((await set(reader, channel.id, name, 1)).status, 200)
    t.match(await newer.inStep(t), [{ muted_topics: [[channel.name, '', Number]] }, { topic_name: '' }])
    t.match(await older.inStep(t), [
      { muted_topics: [[channel.name, 'general chat', Number]] },
      { topic_name: 'general chat' },
    ])
  }
  t.equal((await topicsOf(reader)).length, 1)
})

t.test('the older list is left out if user_topic is requested by name', async t => {
  const [reader] = await people(server, 1)
  const channel = await channelOf([reader])
  const named = await Listener.start(ctx, reader, { event_types: ['user_topic', 'muted_topics', 'default_streams'] })
  const legacy = await Listener.start(ctx, reader, { event_types: ['muted_topics', 'default_streams'] })
  t.notOk('muted_topics' in named.state)
  await set(reader, channel.id, 'x', 1)
  t.same(kinds(await named.inStep(t)), ['user_topic'])
  t.same(kinds(await legacy.inStep(t)), ['muted_topics'])
  t.match(legacy.state.muted_topics, [[channel.name, 'x', Number]])
})

t.test('it is refused', async t => {
  const [insider, outsider] = await people(server, 2)
  const guest = await server.person({ role: 600 })
  const hidden = await channelOf([insider], { invite_only: true })
  const open = await channelOf([insider])
  for (const policy of [4, -1, 'loud', 1.5])
    t.match(await set(insider, open.id, 'x', policy), refused(), String(policy))
  t.match(await set(insider, open.id, 'x'.repeat(61), 1), refused(), 'too long')
  t.equal((await set(insider, open.id, '𝒳'.repeat(60), 1)).status, 200, 'counted in code points')
  t.match(await set(insider, open.id, 'a\u0000b', 1), refused())
  t.match(await set(insider, 999_999, 'x', 1), refused())
  t.match(await set(insider, 999_999, 'x', 0), refused(), 'no such channel')
  const secret = await set(outsider, hidden.id, 'x', 1)
  t.match(secret, refused())
  t.same(secret.body, (await set(outsider, 999_999, 'x', 1)).body, 'as if there were no such channel')
  t.match(await set(outsider, hidden.id, 'x', 0), refused())
  t.match(await set(guest, open.id, 'x', 3), refused(), 'a guest who is not subscribed')
  t.match(
    await insider.post('/user_topics', { stream_id: open.id, topic: 'x' }),
    refused('REQUEST_VARIABLE_MISSING', { var_name: 'visibility_policy' }),
  )
  t.match(
    await insider.post('/user_topics', { topic: 'x', visibility_policy: 1 }),
    refused('REQUEST_VARIABLE_MISSING', { var_name: 'stream_id' }),
  )
})

t.test('a user without access to a channel can remove its policy and does not learn the name', async t => {
  const [insider, reader] = await people(server, 2)
  const channel = await channelOf([insider, reader], { invite_only: true })
  await set(reader, channel.id, 'x', 1)
  await reader.ok('DELETE', '/users/me/subscriptions', { subscriptions: [channel.name] })
  const state = await reader.ok('POST', '/register', { event_types: [], fetch_event_types: ['muted_topics'] })
  t.same(state.muted_topics, [])
  t.match(await set(reader, channel.id, 'x', 3), refused())
  t.equal((await set(reader, channel.id, 'x', 0)).status, 200)
  t.same(await topicsOf(reader), [])
})

t.test('what is unread in a muted topic does not count, in an unmuted one of a muted channel it does', async t => {
  const [writer, reader] = await people(server, 2)
  const loud = await channelOf([writer, reader])
  const quiet = await channelOf([writer, reader])
  const ear = await Listener.start(ctx, reader)
  for (const { id } of [loud, quiet]) for (const topic of ['a', 'b', 'b']) await say(writer, id, 'hello', topic)
  await ear.inStep(t)
  const counted = async (expected: number, what: string) => {
    await ear.inStep(t)
    t.equal(ear.state.unread_msgs.count, expected, what)
  }
  await counted(6, 'nothing is muted')
  await set(reader, loud.id, 'B', 1)
  await counted(4, 'a muted topic')
  await reader.ok('POST', '/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: quiet.id, property: 'is_muted', value: true }],
  })
  await counted(1, 'and a muted channel')
  await set(reader, quiet.id, 'a', 2)
  await counted(2, 'an unmuted topic in it')
  await set(reader, quiet.id, 'b', 3)
  await counted(4, 'a followed one')
  await say(writer, quiet.id, 'more', 'B')
  await say(writer, loud.id, 'more', 'b')
  await counted(5, 'new messages')
  await reader.ok('POST', '/messages/flags/narrow', {
    anchor: 'oldest',
    num_before: 0,
    num_after: 100,
    op: 'add',
    flag: 'read',
    narrow: [{ operator: 'channel', operand: quiet.id }, ['topic', 'b']],
  })
  await counted(2, 'read')
  await set(reader, loud.id, 'b', 0)
  await counted(5, 'as the channel again')
})

t.test('after two requests at once, the state is that of the last event', async t => {
  const [reader] = await people(server, 1)
  const channel = await channelOf([reader])
  const ear = await Listener.start(ctx, reader)
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all([1, 2, 3, 0, 1, 3].map(policy => set(reader, channel.id, 'race', policy)))
    t.same([...new Set(answers.map(answer => answer.status))], [200])
    await ear.inStep(t)
  }
})

t.test('which topics are one is the same for clients and database, in whatever script', async t => {
  const [reader] = await people(server, 1)
  const channel = await channelOf([reader])
  const ear = await Listener.start(ctx, reader, {
    fetch_event_types: ['user_topic'],
    event_types: ['user_topic', 'default_streams'],
  })
  const topics = ['ΣΑΣ', 'σας', 'σασ', 'İx', 'ix', 'i̇x', 'ẞ', 'ß', 'ss', 'Ω', 'ω', 'ﬃ', 'Ⱥ', 'ⱥ', 'Ა', 'ა', '𐐀', '𐐨']
  for (const topic of topics) {
    await reader.ok('POST', '/user_topics', { stream_id: channel.id, topic, visibility_policy: 1 })
    await ear.inStep(t)
  }
})
