import { createHash } from 'node:crypto'
import t from 'tap'
import type { Emission } from '../../../server/realtime/emission.js'
import { encodeEmission } from '../../../server/realtime/encoding/index.js'
import type { Tx } from '../../../server/store/driver/db.js'
import { bumpVersion } from '../../../server/store/organization/organization.js'
import { flagsAdd } from '../../../shared/events/update-message-flags.js'
import type { Person } from '../../support/people.js'
import { overtaken } from '../../support/races.js'
import { startServer } from '../../support/server.js'
import { channelOf, each, Listener, type Loose, people, say } from './scene.js'

const server = await startServer(t)
const { ctx, sql } = server

const edit = (who: Person, id: number, params: Loose) => who.patch(`/messages/${id}`, params)
const event_types = ['message', 'update_message', 'delete_message', 'submessage', 'default_streams']
const gone = { status: 400, body: { code: 'BAD_REQUEST', msg: 'Invalid message(s)' } }
const history = async (id: number) =>
  (await sql`select prev_content from message_edits where message_id = ${id} order by id`).map(row => row.prev_content)
const contentOf = async (id: number) => (await sql`select content from messages where id = ${id}`)[0]?.content

/** A message in a private channel of three people, the first of whom sent it, and their listeners. */
async function scene(content = 'first') {
  const persons = await people(server, 3)
  const channel = await channelOf(persons, { invite_only: true })
  const id = await say(persons[0], channel.id, content)
  const ears = await each(persons, person => Listener.start(ctx, person, { event_types }))
  const locked = { first: (tx: Tx) => tx`select from channels where id = ${channel.id} for no key update` }
  return { persons, channel, id, ears, locked }
}

t.test('a message deleted between opening and writing', async t => {
  const { persons, id, ears, locked } = await scene()
  const answer = await overtaken(server, {
    ...locked,
    request: () => edit(persons[0], id, { content: 'second' }),
    meanwhile: tx => tx`delete from messages where id = ${id}`,
  })
  t.match(answer, gone)
  t.same(await history(id), [])
  for (const ear of ears) t.same(await ear.events(t), [], 'no event without its change')
})

t.test('a message moved to a channel that its author may not see', async t => {
  const { persons, channel, id, ears } = await scene()
  const other = await channelOf([persons[1]], { invite_only: true })
  const answer = await overtaken(server, {
    first: tx => tx`select from channels where id in (${channel.id}, ${other.id}) order by id for no key update`,
    request: () => edit(persons[0], id, { content: 'second' }),
    meanwhile: tx => tx`update messages set channel_id = ${other.id} where id = ${id}`,
  })
  t.match(answer, gone)
  t.equal(await contentOf(id), 'first')
  t.same(await ears[1].events(t), [])
})

t.test('two edits at once follow each other', async t => {
  const { persons, id, ears, locked } = await scene()
  const answers = await overtaken(server, {
    ...locked,
    request: () => each(['second', 'third', 'fourth'], content => edit(persons[0], id, { content })),
  })
  t.same(
    answers.map(({ status }) => status),
    [200, 200, 200],
  )
  const events = (await ears[1].events(t)) as Loose[]
  const contents = events.map(({ content }) => content)
  t.same([...contents].sort(), ['fourth', 'second', 'third'])
  t.same(
    events.map(({ orig_content }) => orig_content),
    ['first', ...contents.slice(0, 2)],
    'each event begins with the end of the one before',
  )
  t.same(await history(id), ['first', ...contents.slice(0, 2)])
  t.equal(await contentOf(id), contents[2])
})

t.test('of two edits that name the same former content one is refused', async t => {
  const { persons, id, locked } = await scene()
  const prev_content_sha256 = createHash('sha256').update('first').digest('hex')
  const answers = await overtaken(server, {
    ...locked,
    request: () => each(['second', 'third'], content => edit(persons[0], id, { content, prev_content_sha256 })),
  })
  t.same(answers.map(({ status, body }) => body.code ?? status).sort(), [200, 'EXPECTATION_MISMATCH'])
  t.same(await history(id), ['first'])
})

t.test('a subscriber who leaves between opening and writing gets no event, and no mention', async t => {
  const { persons, channel, id, ears, locked } = await scene()
  const answer = await overtaken(server, {
    ...locked,
    request: () => edit(persons[0], id, { content: `@**|${persons[2].id}**` }),
    meanwhile: async tx => {
      await tx`
        update subscriptions set is_active = false
        where user_id = ${persons[2].id} and channel_id = ${channel.id}`
      await tx`update channels set subscribers_version = subscribers_version + 1 where id = ${channel.id}`
    },
  })
  t.equal(answer.status, 200)
  const [author, reader, left] = await each(ears, ear => ear.events(t))
  t.match([author, reader], [[{ type: 'update_message' }], [{ type: 'update_message' }]])
  t.same(left, [])
  t.same(await sql`select from message_flags where message_id = ${id}`, [])
})

t.test('an author deactivated between opening and writing', async t => {
  const [author, reader] = await people(server, 2)
  const id = await say(author, [reader])
  const answer = await overtaken(server, {
    first: tx => tx`update messages set client = 'other' where id = ${id}`,
    request: () => edit(author, id, { content: 'second' }),
    meanwhile: async tx => {
      const version = await bumpVersion(tx)
      await tx`update users set is_active = false, version = ${version} where id = ${author.id}`
    },
  })
  t.equal(answer.status, 401)
  t.equal(await contentOf(id), 'hello')
  t.same(await history(id), [])
})

t.test('a flag that a user sets while an edit removes the mention of the user stays', async t => {
  const { persons, id, ears } = await scene('placeholder')
  const reader = persons[1]
  await edit(persons[0], id, { content: `@**|${reader.id}** @**|${persons[2].id}**` })
  const answer = await overtaken(server, {
    first: tx => tx`update message_flags set flags = flags | 1 where message_id = ${id} and user_id = ${reader.id}`,
    request: () => edit(persons[0], id, { content: `no more @**|${persons[2].id}**` }),
  })
  t.equal(answer.status, 200)
  t.same(await sql`select user_id, flags from message_flags where message_id = ${id} order by user_id`, [
    { user_id: reader.id, flags: 1 },
    { user_id: persons[2].id, flags: 4 },
  ])
  t.match(await ears[2].events(t), [{ flags: ['mentioned'] }, { flags: ['mentioned'] }])
})

for (const content of ['no mention any more', 'still @**|READER**']) {
  t.test(`an event that an edit waits for with a flag comes before that of the edit: ${content}`, async t => {
    const { persons, id } = await scene('placeholder')
    const reader = persons[1]
    const ear = await Listener.start(ctx, reader, { event_types: [...event_types, 'update_message_flags'] })
    await edit(persons[0], id, { content: `@**|${reader.id}**` })
    const starred = { flag: 'starred', messages: [id], all: false } as const
    const entry = encodeEmission({ def: flagsAdd, payload: starred, audience: [reader.id] } as unknown as Emission)
    const answer = await overtaken(server, {
      first: tx => tx`update message_flags set flags = flags | 1 where message_id = ${id} and user_id = ${reader.id}`,
      request: () => edit(persons[0], id, { content: content.replace('READER', `${reader.id}`) }),
      meanwhile: tx => tx`insert into outbox (entry) values (${entry})`,
    })
    t.equal(answer.status, 200)
    t.match(await ear.events(t), [{ type: 'update_message' }, { flag: 'starred' }, { type: 'update_message' }])
  })
}

t.test('the last of many edits at once is made under locks', async t => {
  const { persons, id, locked } = await scene()
  const answers = await overtaken(server, {
    ...locked,
    request: () => each(['2', '3', '4', '5', '6', '7', '8'], content => edit(persons[0], id, { content })),
  })
  t.ok(answers.every(({ status }) => status === 200))
  t.equal((await history(id)).length, 7)
})

t.test('acts on one widget at once: all are stored, and their events have the order of their ids', async t => {
  const { persons, id, ears, locked } = await scene('/poll Lunch?\nsoup\nbread')
  const vote = (who: Person, key: string, vote: number) =>
    who.post('/submessage', {
      message_id: id,
      msg_type: 'widget',
      content: JSON.stringify({ type: 'vote', key, vote }),
    })
  const answers = await overtaken(server, {
    ...locked,
    request: () =>
      each([0, 1, 2, 3, 4, 5, 6, 7], n => vote(persons[n % 3] as Person, `canned,${n % 2}`, n < 4 ? 1 : -1)),
  })
  t.same(
    answers.map(({ status, body }) => body.msg || status),
    answers.map(() => 200),
  )
  const ids = ((await ears[2].events(t)) as Loose[]).map(({ submessage_id }) => submessage_id)
  t.equal(ids.length, 8)
  t.same(
    ids,
    [...ids].sort((a, b) => a - b),
  )
})

t.test('an act on a widget that is deleted meanwhile', async t => {
  const { persons, id, ears, locked } = await scene('/poll Lunch?\nsoup\nbread')
  const content = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 })
  const answer = await overtaken(server, {
    ...locked,
    request: () => persons[1].post('/submessage', { message_id: id, msg_type: 'widget', content }),
    meanwhile: tx => tx`delete from messages where id = ${id}`,
  })
  t.match(answer, gone)
  t.same(await ears[0].events(t), [])
})

t.test('a connection that ends while the statement waits', async t => {
  const { persons, id, ears, locked } = await scene()
  const answer = await overtaken(server, {
    ...locked,
    request: () => edit(persons[0], id, { content: 'second' }),
    meanwhile: async (_, pids) => {
      for (const pid of pids) await sql`select pg_terminate_backend(${pid})`
    },
  })
  t.equal(answer.status, 503)
  t.equal(await contentOf(id), 'first')
  t.same(await history(id), [])
  for (const ear of ears) t.same(await ear.events(t), [], 'no event without its change')
})
