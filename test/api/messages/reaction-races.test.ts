import t from 'tap'
import { budgets } from '../../../server/config/budgets.js'
import { bumpVersion } from '../../../server/store/organization/organization.js'
import type { Person } from '../../support/people.js'
import { overtaken } from '../../support/races.js'
import { startServer } from '../../support/server.js'
import { channelOf, each, Listener, type Loose, people, say } from './scene.js'

const server = await startServer(t)
const { ctx, sql } = server

const react = (who: Person, id: number, params: Loose) => who.post(`/messages/${id}/reactions`, params)
const gone = { status: 400, body: { code: 'BAD_REQUEST', msg: 'Invalid message(s)' } }
const stored = async (id: number) => (await sql`select emoji_name from reactions where message_id = ${id}`).length

/** A message in a private channel of three people, and their listeners. */
async function scene() {
  const persons = await people(server, 3)
  const channel = await channelOf(persons, { invite_only: true })
  const id = await say(persons[0], channel.id)
  const ears = await each(persons, person => Listener.start(ctx, person))
  return { persons, channel, id, ears }
}

t.test('a message deleted between opening and writing', async t => {
  const { persons, channel, id, ears } = await scene()
  const answer = await overtaken(server, {
    first: tx => tx`select from channels where id = ${channel.id} for no key update`,
    request: () => react(persons[1], id, { emoji_name: 'tada' }),
    meanwhile: tx => tx`delete from messages where id = ${id}`,
  })
  t.match(answer, gone)
  t.equal(await stored(id), 0)
  for (const ear of ears) t.same(await ear.events(t), [], 'no event without its change')
})

t.test('a message moved to a channel that the reactor may not see', async t => {
  const { persons, channel, id } = await scene()
  const other = await channelOf([persons[0]], { invite_only: true })
  const answer = await overtaken(server, {
    first: tx => tx`select from channels where id in (${channel.id}, ${other.id}) order by id for no key update`,
    request: () => react(persons[1], id, { emoji_name: 'tada' }),
    meanwhile: async tx => {
      await tx`update messages set channel_id = ${other.id} where id = ${id}`
      await tx`update subscriptions set spans = '{}' where user_id = ${persons[1].id}`
    },
  })
  t.match(answer, gone)
  t.equal(await stored(id), 0)
})

t.test('a subscriber who leaves between opening and writing gets no event', async t => {
  const { persons, channel, id, ears } = await scene()
  const answer = await overtaken(server, {
    first: tx => tx`select from channels where id = ${channel.id} for no key update`,
    request: () => react(persons[1], id, { emoji_name: 'tada' }),
    meanwhile: async tx => {
      await tx`update subscriptions set is_active = false, spans = spans * '{[0,)}' where user_id = ${persons[2].id}`
      await tx`update channels set subscribers_version = subscribers_version + 1 where id = ${channel.id}`
    },
  })
  t.equal(answer.status, 200)
  const [author, reactor, left] = await each(ears, ear => ear.events(t))
  t.match([author, reactor], [[{ type: 'reaction' }], [{ type: 'reaction' }]])
  t.same(left, [])
})

t.test('a reactor who is unsubscribed between opening and writing', async t => {
  const { persons, channel, id } = await scene()
  const answer = await overtaken(server, {
    first: tx => tx`select from channels where id = ${channel.id} for no key update`,
    request: () => react(persons[1], id, { emoji_name: 'tada' }),
    meanwhile: async tx => {
      await tx`update subscriptions set is_active = false where user_id = ${persons[1].id}`
      await tx`update channels set subscribers_version = subscribers_version + 1 where id = ${channel.id}`
    },
  })
  t.match(answer, gone)
  t.equal(await stored(id), 0)
})

t.test('an account deactivated between opening and writing', async t => {
  const [author, reactor] = await people(server, 2)
  const id = await say(author, [reactor])
  const answer = await overtaken(server, {
    // The first try waits for the message, which is still there, but its versions are those before.
    first: tx => tx`select from messages where id = ${id} for update`,
    request: () => react(reactor, id, { emoji_name: 'tada' }),
    meanwhile: async tx => {
      const version = await bumpVersion(tx)
      await tx`update users set is_active = false, version = ${version} where id = ${reactor.id}`
      await tx`delete from messages where id = ${id}`
    },
  })
  t.equal(answer.status, 401)
})

t.test('the same reaction ten times at once', async t => {
  const { persons, id, ears } = await scene()
  const answers = await Promise.all(Array.from({ length: 10 }, () => react(persons[1], id, { emoji_name: 'tada' })))
  t.same(answers.map(({ status, body }) => body.code ?? status).sort(), [
    200,
    ...Array.from({ length: 9 }, () => 'REACTION_ALREADY_EXISTS'),
  ])
  const removals = await Promise.all(
    Array.from({ length: 10 }, () => persons[1].delete(`/messages/${id}/reactions`, { emoji_name: 'tada' })),
  )
  t.equal(removals.filter(({ status }) => status === 200).length, 1)
  t.equal(removals.filter(({ body }) => body.code === 'REACTION_DOES_NOT_EXIST').length, 9)
  t.match(await ears[0].events(t), [{ op: 'add' }, { op: 'remove' }])
})

t.test('the last emoji that the limit allows, twice at once', async t => {
  const { persons, id } = await scene()
  await sql`
    insert into reactions (message_id, user_id, reaction_type, emoji_code, emoji_name)
    select ${id}, ${persons[0].id}, 'unicode_emoji', n::text, 'name ' || n from generate_series(1, ${budgets.reactionEmoji.most - 1}::int) n`
  const answers = await Promise.all(
    ['tada', 'heart', 'smile', 'eyes'].map(emoji_name => react(persons[1], id, { emoji_name })),
  )
  t.equal(answers.filter(({ status }) => status === 200).length, 1)
  t.equal(answers.filter(({ body }) => /at most/.test(body.msg)).length, 3)
  t.equal(await stored(id), budgets.reactionEmoji.most)
})

t.test('a connection that ends while the statement waits', async t => {
  const { persons, channel, id, ears } = await scene()
  const answer = await overtaken(server, {
    first: tx => tx`select from channels where id = ${channel.id} for no key update`,
    request: () => react(persons[1], id, { emoji_name: 'tada' }),
    meanwhile: async (_, pids) => {
      for (const pid of pids) await sql`select pg_terminate_backend(${pid})`
    },
  })
  t.equal(answer.status, 503)
  t.equal(await stored(id), 0)
  for (const ear of ears) t.same(await ear.events(t), [], 'no event without its change')
  t.equal((await react(persons[1], id, { emoji_name: 'tada' })).status, 200)
})

t.test('what a statement waited for is published before its events', async t => {
  const { persons, channel, id, ears } = await scene()
  const one = persons[1]
  await react(one, id, { emoji_name: 'heart' })
  // The row stays for some seconds after publishing.
  const [row] = await sql`select entry from outbox order by id desc limit 1`
  t.match(await ears[0].events(t), [{ op: 'add', emoji_name: 'heart' }])
  const answer = await overtaken(server, {
    first: async tx => {
      await tx`select from channels where id = ${channel.id} for no key update`
      await tx`insert into outbox (entry) values (${row?.entry})`
    },
    request: () => react(one, id, { emoji_name: 'tada' }),
  })
  t.equal(answer.status, 200)
  t.match(await ears[0].events(t), [
    { op: 'add', emoji_name: 'heart' },
    { op: 'add', emoji_name: 'tada' },
  ])
})
