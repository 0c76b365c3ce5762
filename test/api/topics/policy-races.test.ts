// Policies for topics that are set while something else changes what the request has read.
import t from 'tap'
import { budgets } from '../../../server/config/budgets.js'
import { bumpVersion } from '../../../server/store/organization/organization.js'
import { holdPolicies } from '../../../server/store/topics/user-topics.js'
import { Listener } from '../../support/in-step.js'
import type { Person } from '../../support/people.js'
import { statementsOf } from '../../support/queries.js'
import { overtaken } from '../../support/races.js'
import { startServer } from '../../support/server.js'
import { channelOf, people } from '../messages/scene.js'

const server = await startServer(t)
const { ctx, sql } = server
const second = await startServer(t, {}, server.organization)
const [muted, followed] = [1, 3]

/** A subscriber of a private channel. */
async function scene() {
  const [person] = await people(server, 1)
  const { id: channel, name } = await channelOf([person], { invite_only: true })
  const set = (topic: string, visibility_policy = muted, at: Pick<Person, 'post'> = person) =>
    at.post('/user_topics', { stream_id: channel, topic, visibility_policy })
  return { person, channel, name, set, ear: await Listener.start([ctx, second.ctx], person) }
}

const stored = async ({ id }: Person): Promise<string[]> =>
  (await sql<{ topic: string }[]>`select topic from user_topics where user_id = ${id} order by lower(topic)`).map(
    row => row.topic,
  )

t.test('a policy is read once, and set by one statement', async t => {
  const { set } = await scene()
  await set('before')
  for (const policy of [muted, followed, 0]) {
    const statements = await statementsOf(server, () => set('topic', policy))
    t.match(statements, [/^select channels.version/, /^with place as/])
    t.equal(statements.length, 2, statements.join('\n'))
  }
})

t.test('topics muted at two workers at once: the last list has all of them', async t => {
  const { person, name, set, ear } = await scene()
  const topics = ['a', 'b', 'c', 'd', 'e', 'f']
  const answers = await Promise.all(topics.map((topic, i) => set(topic, muted, i % 2 ? person : second.api(person))))
  t.same(new Set(answers.map(({ status }) => status)), new Set([200]))
  const lists = (await ear.inStep(t)).filter(({ type }) => type === 'muted_topics')
  t.same(
    lists.map(event => event.muted_topics.length),
    [1, 2, 3, 4, 5, 6],
  )
  t.same(
    lists.at(-1)?.muted_topics.map((entry: unknown[]) => entry.slice(0, 2)),
    topics.map(topic => [name, topic]),
  )
  t.same(await stored(person), topics)
})

t.test('the same topic muted at two workers at once is one change', async t => {
  const { person, set, ear } = await scene()
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, i) => set('one', muted, i % 2 ? person : second.api(person))),
  )
  t.same(new Set(answers.map(({ status }) => status)), new Set([200]))
  t.same(
    (await ear.inStep(t)).map(({ type }) => type),
    ['muted_topics', 'user_topic'],
  )
})

t.test('a policy that another transaction sets meanwhile is in the list', async t => {
  const { person, channel, set, ear } = await scene()
  const answer = await overtaken(server, {
    first: tx => holdPolicies(tx, [person.id]),
    request: () => set('mine'),
    meanwhile: tx => tx`
      insert into user_topics (user_id, channel_id, topic, visibility_policy, last_updated)
      values (${person.id}, ${channel}, 'automatic', 1, now())`,
  })
  t.equal(answer.status, 200)
  const [list] = await ear.events(t)
  t.same(
    list?.muted_topics.map((entry: unknown[]) => entry[1]),
    ['automatic', 'mine'],
  )
})

t.test('a policy that is carried to another topic meanwhile', async t => {
  const { person, channel, set, ear } = await scene()
  await set('old')
  await ear.events(t)
  const answer = await overtaken(server, {
    first: tx => tx`select from channels where id = ${channel} for no key update`,
    request: () => set('old', 0),
    meanwhile: tx => tx`update user_topics set topic = 'new' where user_id = ${person.id}`,
  })
  t.equal(answer.status, 200)
  t.same(await stored(person), ['new'])
  t.same(await ear.events(t), [], 'the topic has no policy any more')
})

t.test('the limit holds when two workers set policies at once', async t => {
  const { person, channel, set } = await scene()
  await sql`
    insert into user_topics (user_id, channel_id, topic, visibility_policy, last_updated)
    select ${person.id}, ${channel}, 'topic ' || n, 3, now() from generate_series(1, ${budgets.userTopics.most - 1}::int) n`
  const answers = await Promise.all(
    ['x', 'y', 'z'].map((topic, i) => set(topic, followed, i % 2 ? person : second.api(person))),
  )
  t.same(answers.map(({ status }) => status).sort(), [200, 400, 400])
  t.equal((await stored(person)).length, budgets.userTopics.most)
})

t.test('a subscriber of a private channel who is unsubscribed meanwhile', async t => {
  const { person, channel, set, ear } = await scene()
  const answer = await overtaken(server, {
    first: tx => tx`select from channels where id = ${channel} for no key update`,
    request: () => set('topic'),
    meanwhile: async tx => {
      await tx`update subscriptions set is_active = false where user_id = ${person.id} and channel_id = ${channel}`
      await tx`update channels set subscribers_version = subscribers_version + 1 where id = ${channel}`
    },
  })
  t.match(answer, { status: 400, body: { msg: 'Invalid channel ID' } })
  t.same(await stored(person), [])
  t.same(await ear.events(t), [])
})

t.test('an account that is deactivated meanwhile', async t => {
  const { person, channel, set } = await scene()
  const answer = await overtaken(server, {
    first: tx => tx`select from channels where id = ${channel} for no key update`,
    request: () => set('topic'),
    meanwhile: async tx => {
      // A deactivation with a deletion locks the channel first, too.
      await tx`select from users where id = ${person.id} for no key update nowait`
      const version = await bumpVersion(tx)
      await tx`update users set is_active = false, version = ${version} where id = ${person.id}`
    },
  })
  t.equal(answer.status, 401)
  t.same(await stored(person), [])
})

for (const lock of ['read', 'write']) {
  t.test(`a connection that ends while the request waits to ${lock}`, async t => {
    // The driver may give the connection to a later statement, too, before it knows of the end.
    const worker = await startServer(t, {}, server.organization)
    const { person, set, ear } = await scene()
    const answer = await overtaken(server, {
      first: tx =>
        lock === 'read' ? tx`lock table user_topics in access exclusive mode` : holdPolicies(tx, [person.id]),
      request: () => set('topic', muted, worker.api(person)),
      meanwhile: async (_, pids) => {
        for (const pid of pids) await sql`select pg_terminate_backend(${pid})`
      },
    })
    t.equal(answer.status, 503)
    t.same(await stored(person), [])
    t.same(await ear.events(t), [], 'no event without its change')
    t.equal((await set('topic')).status, 200)
    t.equal((await ear.events(t)).length, 2)
  })
}
