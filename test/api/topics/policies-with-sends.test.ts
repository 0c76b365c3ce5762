// The automatic policy of a topic belongs to the message, the reaction or the vote that causes it: one transaction, and its event comes first.
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { kinds, Listener, type Loose } from '../../support/in-step.js'
import type { Person } from '../../support/people.js'
import { statementsOf } from '../../support/queries.js'
import { startServer } from '../../support/server.js'
import { channelOf, each, people, say } from '../messages/scene.js'

const server = await startServer(t)
const second = await startServer(t, {}, server.organization)
const { ctx, sql } = server

const [participates, starts, never] = [1, 3, 4]
const personWho = (follow: number, mentioned = false): Promise<Person> =>
  server.person({
    settings: {
      automatically_follow_topics_policy: follow,
      automatically_follow_topics_where_mentioned: mentioned,
    },
  })
const set = (who: Person, stream_id: number, topic: string, visibility_policy: number) =>
  who.ok('POST', '/user_topics', { stream_id, topic, visibility_policy })
const send = (who: Person, to: number, topic: string, more: Loose = {}) =>
  who.ok('POST', '/messages', { type: 'channel', to, topic, content: 'hello', ...more })
const policiesIn = async (channel: number): Promise<Loose[]> => [
  ...(await sql`select user_id, topic, visibility_policy from user_topics where channel_id = ${channel} order by 1, 2`),
]
const messagesIn = async (channel: number): Promise<string[]> =>
  (await sql<{ topic: string }[]>`select topic from messages where channel_id = ${channel} order by id`).map(
    row => row.topic,
  )

t.test(
  'each queue of the sender and of mentioned people learns the policy first; others get the message alone',
  async t => {
    const [author, reader] = await people(server, 2)
    const mentioned = await personWho(never, true)
    const channel = await channelOf([author, reader, mentioned])
    const narrow = { event_types: ['message', 'user_topic', 'default_streams'] }
    const ears = await Promise.all([
      Listener.start(ctx, author),
      Listener.start(ctx, author, narrow),
      Listener.start(ctx, mentioned),
      Listener.start(ctx, reader),
    ])
    const content = `@**|${mentioned.id}** see @**|${reader.id}**`
    const answer = await send(author, channel.id, 'new', { content })
    t.equal(answer.automatic_new_visibility_policy, 3)
    const events = await each(ears, ear => ear.inStep(t))
    t.same(events.map(kinds), [
      ['user_topic', 'message'],
      ['user_topic', 'message'],
      ['user_topic', 'message'],
      ['user_topic', 'message'],
    ])
    for (const [policy, message] of events) {
      t.match(policy, { stream_id: channel.id, topic_name: 'new', visibility_policy: 3 })
      t.match(message, { message: { id: answer.id, subject: 'new' } })
    }
    t.same(events[2]?.[1]?.flags, ['mentioned'])
    await send(author, channel.id, 'new', { content })
    for (const ear of ears) t.same(kinds(await ear.inStep(t)), ['message'], 'the topic is followed already')
  },
)

t.test('a muted topic that its sender participates in: the older event, the newer one, the message', async t => {
  const author = await personWho(participates)
  const channel = await channelOf([author])
  await set(author, channel.id, 'quiet', 1)
  const [ear, older] = [await Listener.start(ctx, author), await Listener.start(ctx, author, { event_types: null })]
  t.equal((await send(author, channel.id, 'quiet')).automatic_new_visibility_policy, 3)
  t.same(kinds(await ear.inStep(t)), ['muted_topics', 'user_topic', 'message'])
  t.same(kinds(await older.inStep(t)), ['muted_topics', 'user_topic', 'message'])
})

t.test('a reaction and a vote come after the policy that they cause', async t => {
  const [author] = await people(server, 1)
  const who = await personWho(participates)
  const channel = await channelOf([author, who])
  const id = await say(author, channel.id, '/poll Lunch?\nsoup', 'poll')
  const other = await say(author, channel.id, 'hello', 'talk')
  const [ear, others] = [await Listener.start(ctx, who), await Listener.start(ctx, author)]
  const content = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 })
  await who.ok('POST', '/submessage', { message_id: id, msg_type: 'widget', content })
  t.same(kinds(await ear.inStep(t)), ['user_topic', 'submessage'])
  await who.ok('POST', `/messages/${other}/reactions`, { emoji_name: 'eyes' })
  t.same(kinds(await ear.inStep(t)), ['user_topic', 'reaction/add'])
  t.same(kinds(await others.inStep(t)), ['submessage', 'reaction/add'])
})

t.test('a repeated send raises no policy again', async t => {
  const [author] = await people(server, 1)
  const follower = await personWho(participates)
  const channel = await channelOf([author, follower])
  for (const who of [author, follower]) {
    const local = { queue_id: 'q', local_id: '1' }
    const topic = `of ${who.id}`
    const { id } = await send(who, channel.id, topic, local)
    await set(who, channel.id, topic, 0)
    const ear = await Listener.start(ctx, who)
    for (const api of [server.api(who), second.api(who)]) {
      const repeated = await api.ok('POST', '/messages', {
        type: 'channel',
        to: channel.id,
        topic,
        content: 'hello',
        ...local,
      })
      t.equal(repeated.id, id)
      t.notOk('automatic_new_visibility_policy' in repeated)
    }
    t.same(await ear.inStep(t), [])
    await who.ok('DELETE', `/messages/${id}`)
    t.equal((await send(who, channel.id, topic, local)).id, id, 'nor after the message is gone')
    t.same(kinds(await ear.inStep(t)), ['stream/update', 'delete_message'])
  }
  t.same(await policiesIn(channel.id), [])
})

t.test('two requests with one local id, each at another worker, are one message and one policy', async t => {
  const [author] = await people(server, 1)
  const channel = await channelOf([author])
  const ear = await Listener.start([ctx, second.ctx], author)
  const params = { type: 'channel', to: channel.id, topic: 'once', content: 'x', queue_id: 'q', local_id: '2' }
  const answers = await Promise.all(
    [server, second, server, second].map(one => one.api(author).ok('POST', '/messages', params)),
  )
  t.equal(new Set(answers.map(answer => answer.id)).size, 1)
  t.equal(answers.filter(answer => answer.automatic_new_visibility_policy === 3).length, 1)
  t.same(kinds(await ear.inStep(t)), ['user_topic', 'message'])
})

t.test('a message that is refused leaves no policy', async t => {
  const [author] = await people(server, 1)
  const [outsider, mentioned] = [await personWho(participates), await personWho(never, true)]
  const channel = await channelOf([author, mentioned], { invite_only: true })
  const ears = await each([author, outsider, mentioned] as const, one => Listener.start(ctx, one))
  const post = (who: Person, more: Loose) =>
    who.post('/messages', { type: 'channel', to: channel.id, topic: 'new', content: `@**|${mentioned.id}**`, ...more })
  for (const [who, more, code] of [
    [outsider, {}, 'BAD_REQUEST'],
    [author, { content: ' ' }, 'BAD_REQUEST'],
    [author, { content: '\0' }, 'BAD_REQUEST'],
    [author, { topic: '\u{e000}' }, 'BAD_REQUEST'],
    [author, { read_by_sender: 'maybe' }, 'BAD_REQUEST'],
    [author, { to: 2 ** 31 - 1 }, 'STREAM_DOES_NOT_EXIST'],
  ] as const)
    t.match(await post(who, more), { status: 400, body: { code } }, JSON.stringify(more).slice(0, 60))
  for (const ear of ears) t.same(await ear.inStep(t), [])
  t.same([await policiesIn(channel.id), await messagesIn(channel.id)], [[], []])
})

t.test('where the policies cannot be stored, the message is not stored, and a second try stores both', async t => {
  const [author] = await people(server, 1)
  const mentioned = await personWho(never, true)
  const channel = await channelOf([author, mentioned])
  const ears = await each([author, mentioned] as const, one => Listener.start(ctx, one))
  const params = {
    type: 'channel',
    to: channel.id,
    topic: 'failing',
    content: `@**|${mentioned.id}**`,
    queue_id: 'q',
    local_id: '3',
  }
  await sql.unsafe(`
    create function refuse_policy() returns trigger language plpgsql as $$ begin raise 'not this one'; end $$;
    create trigger refused before insert on user_topics
      for each row when (new.topic = 'failing') execute function refuse_policy()`)
  t.equal((await author.post('/messages', params)).status, 500)
  await sql.unsafe('drop trigger refused on user_topics; drop function refuse_policy()')
  t.same([await policiesIn(channel.id), await messagesIn(channel.id)], [[], []])
  for (const ear of ears) t.same(await ear.inStep(t), [])
  t.equal((await author.ok('POST', '/messages', params)).automatic_new_visibility_policy, 3)
  for (const ear of ears) t.same(kinds(await ear.inStep(t)), ['user_topic', 'message'])
})

t.test('first messages that arrive at once at two workers: one of them starts the topic', async t => {
  const authors = await Promise.all(Array.from({ length: 6 }, () => personWho(starts)))
  const channel = await channelOf(authors)
  const ears = await each(authors, who => Listener.start([ctx, second.ctx], who))
  for (let round = 0; round < 5; round++) {
    const topic = `race ${round}`
    const answers = await Promise.all(
      authors.map((who, i) => {
        const params = { type: 'channel', to: channel.id, topic: i % 2 ? topic : topic.toUpperCase(), content: 'first' }
        return [server, second][i % 2]?.api(who).ok('POST', '/messages', params)
      }),
    )
    const starters = answers.filter(answer => answer?.automatic_new_visibility_policy === 3)
    t.equal(starters.length, 1)
    t.equal(starters[0]?.id, Math.min(...answers.map(answer => answer?.id)), 'with the first message')
  }
  const all = (await each(ears, ear => ear.inStep(t))).flat()
  t.equal(all.filter(event => event.type === 'user_topic').length, 5)
  for (const [i, event] of all.entries()) {
    if (event.type !== 'user_topic') continue
    const message = all.slice(i).find(one => one.message?.subject.toLowerCase() === event.topic_name.toLowerCase())
    t.match(message, { type: 'message' }, 'the message comes after it')
  }
})

t.test('the events of a channel come in the order of the ids, whether messages change policies or not', async t => {
  const author = await personWho(starts)
  const [other] = await people(server, 1)
  const channel = await channelOf([author, other])
  await send(author, channel.id, 'old')
  const ear = await Listener.start(ctx, other)
  const topics = ['old', 'new a', 'old', 'new b', 'new a', 'old', 'new c', 'old']
  const sent = await Promise.all(topics.map(topic => send(author, channel.id, topic)))
  const events = await ear.inStep(t)
  t.same(
    events.map(event => event.message.id),
    sent.map(({ id }) => id).toSorted((a, b) => a - b),
  )
})

t.test('a message that waits for a change of its channel is checked again, and its policies with it', async t => {
  const [author, joining] = await people(server, 2)
  const channel = await channelOf([author])
  let sending: Promise<Loose> | undefined
  await sql.begin(async tx => {
    await tx`update channels set subscribers_version = subscribers_version + 1 where id = ${channel.id}`
    sending = send(author, channel.id, 'waits')
    for (let waits = 0; waits === 0; ) {
      const [row] = await sql<{ waits: number }[]>`
        select count(*)::int as waits from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'with given as'`
      waits = row?.waits ?? 0
    }
  })
  t.equal((await sending)?.automatic_new_visibility_policy, 3)
  t.same(await messagesIn(channel.id), ['waits'])
  t.same(await policiesIn(channel.id), [{ user_id: author.id, topic: 'waits', visibility_policy: 3 }])
  t.ok(joining)
})

t.test(
  'a send that changes no policy is one statement: also where the worker has to ask whether it starts the topic',
  async t => {
    const [author, late] = await people(server, 2)
    const open = await channelOf([author, late])
    const hidden = await channelOf([author], { invite_only: true, history_public_to_subscribers: false })
    await send(author, open.id, 'seen elsewhere')
    await send(author, hidden.id, 'seen by some')
    const at = (one: typeof server, to: number, topic: string) =>
      statementsOf(one, () => one.api(author).ok('POST', '/messages', { type: 'channel', to, topic, content: 'x' }))
    // The other worker has its connections, and knows the channels, but not the topics.
    await at(second, open.id, 'warm')
    await at(second, hidden.id, 'warm')
    for (const [to, topic] of [
      [open.id, 'seen elsewhere'],
      [hidden.id, 'seen by some'],
      [hidden.id, 'seen by some'],
    ] as const)
      t.equal((await at(second, to, topic)).filter(text => text.includes('insert into messages')).length, 1)
    t.equal((await at(second, open.id, 'seen elsewhere')).length, 1)
    t.equal((await at(second, hidden.id, 'seen by some')).length, 1)
  },
)

t.test(
  'a message waits for the events of the message before it, while these wait for an older transaction',
  async t => {
    const [author, other] = await people(server, 2)
    const [channel, elsewhere] = [await channelOf([author, other]), await channelOf([other])]
    await send(author, channel.id, 'known')
    const old = await say(other, elsewhere.id)
    const ear = await Listener.start(ctx, other)
    await sql.unsafe(`
    create function wait_at_end() returns trigger language plpgsql as $$ begin lock table last_gate in share mode; return null; end $$;
    create table last_gate ();
    create constraint trigger slow after insert on reactions deferrable initially deferred
      for each row execute function wait_at_end()`)
    const done: Promise<unknown>[] = []
    await sql.begin(async tx => {
      await tx`lock table last_gate in row exclusive mode`
      done.push(other.ok('POST', `/messages/${old}/reactions`, { emoji_name: 'eyes' }))
      for (let waits = 0; waits === 0; ) {
        const [row] = await sql<{ waits: number }[]>`
        select count(*)::int as waits from pg_locks where relation = 'last_gate'::regclass and not granted`
        waits = row?.waits ?? 0
      }
      done.push(send(author, channel.id, 'new'))
      while ((await messagesIn(channel.id)).length < 2) await setImmediate()
      done.push(send(author, channel.id, 'known'))
      await Promise.all(done.slice(1))
    })
    await Promise.all(done)
    await sql.unsafe('drop trigger slow on reactions; drop function wait_at_end(); drop table last_gate')
    const events = await ear.events(t)
    t.same(
      events.filter(event => event.type === 'message').map(event => event.message.subject),
      ['new', 'known'],
    )
  },
)
