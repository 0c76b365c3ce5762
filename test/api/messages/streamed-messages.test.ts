// Messages that grow: pieces, their positions, the end, and what readers see of each.
import t from 'tap'
import { keysOf } from '../../../server/redis/keys.js'
import { limits } from '../../../shared/limits.js'
import { until } from '../../realtime/rig.js'
import { basic } from '../../support/http.js'
import { type Asserts, allCapabilities, type Listener as StateListener } from '../../support/in-step.js'
import { postKeyed } from '../../support/keyed.js'
import { deactivate } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { statementsOf } from '../../support/queries.js'
import { startServer } from '../../support/server.js'
import { channelOf, each, group, kinds, Listener, type Loose, people, refused, say, setChannel } from './scene.js'

const server = await startServer(t)
const { ctx } = server
const keys = keysOf(server.config.keyPrefix, ctx.directory.organization.uuid)

const types = ['message', 'update_message', 'delete_message', 'streamed_message', 'default_streams']

const modern = (person: Person, params: Loose = {}) =>
  Listener.start(ctx, person, { event_types: types, client_capabilities: allCapabilities, ...params })
const older = (person: Person) => modern(person, { client_capabilities: {} })

/** Begins a message; returns its id. */
async function begin(who: Person, to: number, content: string, more: Loose = {}): Promise<number> {
  return (
    await who.ok('POST', '/messages', { type: 'channel', to, topic: 'answers', content, streamed: true, ...more })
  ).id
}

const append = (who: Person, id: number, position: number, text: string) =>
  who.post(`/messages/${id}/text`, { position, text })
const end = (who: Person, id: number) => who.post(`/messages/${id}/end`)
const grown = async (who: Person, id: number): Promise<Loose> => who.ok('GET', `/messages/${id}/text`)
const contentOf = async (who: Person, id: number): Promise<string> =>
  (await who.ok('GET', `/messages/${id}`)).raw_content
const ended = (reason: string) => refused('MESSAGE_NOT_GROWING', { reason })

/** Events until one that fits, which the server sends by itself. */
async function eventsUntil(t: Asserts, ears: StateListener, fits: (event: Loose) => boolean): Promise<Loose[]> {
  const events: Loose[] = []
  while (!events.some(fits)) events.push(...(await ears.events(t)))
  return events
}

/** The author has been silent for long: the job looks at once. */
async function silence(id: number): Promise<void> {
  await ctx.redis.command('HSET', keys.streamed(id), 'at', 0)
  await look(id)
}

async function look(id: number): Promise<void> {
  await server.sql`update jobs set due = now() where key = ${`streamed message ${id}`}`
  server.jobs.look()
}

const endOf = (id: number) => (event: Loose) => event.op === 'end' && event.message_id === id

t.test('a message grows by pieces, and is then a message like any other', async t => {
  const [author, reader] = await people(server, 2)
  const channel = await channelOf([author, reader])
  const [ears, old] = [await modern(reader), await older(reader)]
  const id = await begin(author, channel.id, 'The **ans')
  t.match(await append(author, id, 9, 'wer** is '), { status: 200, body: { length: 18 } })
  t.match(await append(author, id, 18, '42 \u{1f600}'), { status: 200, body: { length: 22 } })
  const whole = 'The **answer** is 42 \u{1f600}'
  t.match(await grown(reader, id), { text: whole, length: 22, is_growing: true })
  t.equal((await end(author, id)).status, 200)
  const events = await ears.events(t)
  const stored = events.filter(one => one.type !== 'update_message' || one.content === whole)
  t.same(kinds(stored), [
    'message',
    'streamed_message/start',
    'streamed_message/append',
    'streamed_message/append',
    'update_message',
    'streamed_message/end',
  ])
  t.match(
    events.filter(one => one.type === 'streamed_message'),
    [
      { message_id: id, text: 'The **ans' },
      { message_id: id, position: 9, text: 'wer** is ' },
      { message_id: id, position: 18, text: '42 \u{1f600}' },
      { message_id: id, reason: 'finished', user_id: author.id },
    ],
  )
  const last = events.findLast(one => one.type === 'update_message')
  t.match(last, { rendering_only: true, user_id: null, rendered_content: /<strong>answer<\/strong> is 42/ })
  t.same(
    (await old.events(t)).filter(one => one.type === 'streamed_message'),
    [],
  )
  const { message } = await reader.ok('GET', `/messages/${id}`)
  t.notOk('last_edit_timestamp' in message)
  t.match(await reader.ok('GET', `/messages/${id}/history`), { message_history: { length: 1 } })
  t.match(await grown(reader, id), { text: whole, length: 22, is_growing: false })
  t.match(
    await reader.ok('GET', '/messages', {
      anchor: 'newest',
      num_before: 5,
      num_after: 0,
      narrow: [['search', 'answer']],
    }),
    {
      messages: [{ id }],
    },
  )
})

t.test('in a conversation, to both', async t => {
  const [author, reader, outsider] = await people(server, 3)
  const ears = await each([author, reader, outsider], person => modern(person))
  const { id } = await author.ok('POST', '/messages', { type: 'direct', to: [reader.id], content: 'a', streamed: true })
  await append(author, id, 1, 'b')
  t.equal((await end(author, id)).status, 200)
  const [own, others, none] = await each(ears, ear => ear.events(t))
  const growth = ['streamed_message/start', 'streamed_message/append', 'streamed_message/end']
  t.same(
    [own, others].map(list => kinds(list).filter(kind => kind.startsWith('streamed'))),
    [growth, growth],
  )
  t.same(none, [])
  t.match(await append(outsider, id, 2, 'c'), refused('BAD_REQUEST', { msg: 'Invalid message(s)' }))
  t.match(await end(outsider, id), refused('BAD_REQUEST', { msg: 'Invalid message(s)' }))
  t.match(await outsider.get(`/messages/${id}/text`), refused('BAD_REQUEST', { msg: 'Invalid message(s)' }))
})

t.test('a piece is one statement, which writes nothing', async t => {
  const [author, reader] = await people(server, 2)
  const channel = await channelOf([author, reader])
  const id = await begin(author, channel.id, 'a')
  let position = 1
  const piece = () => append(author, id, position++, 'b')
  await piece()
  const begun = performance.now()
  const statements = await statementsOf(server, async () => {
    for (let i = 0; i < 20; i++) t.equal((await piece()).status, 200)
  })
  const own = statements.filter(text => text.includes('from messages m') && !text.includes('reader_flags'))
  t.equal(own.length, 20)
  // The text is shown to other readers once a second at most.
  const writes = statements.filter(
    text => /\b(?:insert|update|delete)\b(?! of)/i.test(text) && !text.includes('for update'),
  )
  const seconds = (performance.now() - begun) / 1000
  t.ok(writes.length <= seconds + 1, writes.join('\n'))
})

t.test('others get the whole text, once a second at most, and all of it when the author pauses', async t => {
  const [author, reader] = await people(server, 2)
  const channel = await channelOf([author, reader])
  const [ears, newer] = [await older(reader), await modern(reader)]
  const begun = performance.now()
  const id = await begin(author, channel.id, '**a')
  let text = '**a'
  for (let i = 0; i < 10; i++) {
    await append(author, id, text.length, 'b')
    text += 'b'
    await new Promise(resolve => setTimeout(resolve, 120))
  }
  await append(author, id, text.length, '**')
  text += '**'
  const events = await eventsUntil(t, ears, event => event.content === text)
  const seconds = (performance.now() - begun) / 1000
  const updates = events.filter(event => event.type === 'update_message')
  t.ok(updates.length >= 1 && updates.length <= seconds, `${updates.length} in ${seconds} s`)
  t.match(updates.at(-1), {
    message_id: id,
    rendering_only: true,
    user_id: null,
    rendered_content: /<strong>abbbbbbbbbb</,
  })
  t.equal(await contentOf(reader, id), '**a')
  t.equal((await end(author, id)).status, 200)
  t.equal(await contentOf(reader, id), text)
  const updatesOfPieces = (await newer.events(t)).filter(event => event.type === 'update_message')
  t.match(updatesOfPieces, { length: 1, 0: { content: text } }, 'who gets the pieces gets the whole text once')
})

t.test('a repeated piece appends nothing; a gap and another text are refused with the position', async t => {
  const [author] = await people(server, 1)
  const channel = await channelOf([author])
  const ears = await modern(author)
  const id = await begin(author, channel.id, 'one ')
  await append(author, id, 4, 'two ')
  await append(author, id, 8, 'three')
  await ears.events(t)
  t.match(await append(author, id, 4, 'two '), { status: 200, body: { length: 13 } })
  t.match(await append(author, id, 6, 'o th'), { status: 200, body: { length: 13 } })
  t.match(await append(author, id, 13, ''), { status: 200, body: { length: 13 } }, 'a sign of life')
  const wrong = refused('WRONG_POSITION', { expected_position: 13 })
  t.match(await append(author, id, 4, 'TWO '), wrong)
  t.match(await append(author, id, 8, 'three and'), wrong)
  t.match(await append(author, id, 14, 'x'), wrong)
  t.same(
    (await ears.events(t)).filter(event => event.op === 'append'),
    [],
  )
  await end(author, id)
  t.equal(await contentOf(author, id), 'one two three')
})

t.test('of two pieces for one position one is appended', async t => {
  const [author] = await people(server, 1)
  const channel = await channelOf([author])
  const id = await begin(author, channel.id, 'a')
  const answers = await Promise.all(['b', 'c', 'd', 'e'].map(text => append(author, id, 1, text)))
  t.same(answers.map(({ status }) => status).sort(), [200, 400, 400, 400])
  t.match(await grown(author, id), { length: 2 })
})

t.test('white space is kept while the message grows, and trimmed at its end', async t => {
  const [author] = await people(server, 1)
  const channel = await channelOf([author])
  const id = await begin(author, channel.id, 'a ')
  t.match(await append(author, id, 2, 'b\n'), { status: 200, body: { length: 4 } })
  await end(author, id)
  t.equal(await contentOf(author, id), 'a b')
})

t.test('pieces that are refused', async t => {
  const [author, reader, outsider] = await people(server, 3)
  const channel = await channelOf([author, reader], { invite_only: true })
  const id = await begin(author, channel.id, 'a')
  t.match(await append(reader, id, 1, 'b'), refused('BAD_REQUEST', { msg: /permission to append/ }))
  t.match(await append(outsider, id, 1, 'b'), refused('BAD_REQUEST', { msg: 'Invalid message(s)' }))
  t.match(await append(author, 999_999_999, 1, 'b'), refused('BAD_REQUEST', { msg: 'Invalid message(s)' }))
  t.match(await append(author, await say(author, channel.id), 5, 'b'), ended('unknown'))
  t.match(await append(author, id, 1, 'b\0c'), refused('BAD_REQUEST', { msg: /null bytes/ }))
  const half = await fetch(`${server.url}/api/v1/messages/${id}/text`, {
    method: 'POST',
    headers: { Authorization: basic(author), 'Content-Type': 'application/json' },
    body: '{"position":1,"text":"b\\ud83d"}',
  })
  t.match([half.status, await half.json()], [200, { length: 3 }])
  t.match(await author.post(`/messages/${id}/text`, { text: 'b' }), refused('REQUEST_VARIABLE_MISSING'))
  t.match(await author.post(`/messages/${id}/text`, { position: 1 }), refused('REQUEST_VARIABLE_MISSING'))
  t.match(await append(author, id, -1, 'b'), refused('BAD_REQUEST'))
  t.match(await append(author, id, 1.5, 'b'), refused('BAD_REQUEST'))
  t.match(await grown(author, id), { text: 'ab\ufffd', is_growing: true }, 'half of a surrogate pair is no character')
})

t.test('a text is as long as a message at most, however often more is sent', async t => {
  const [author] = await people(server, 1)
  const channel = await channelOf([author])
  const id = await begin(author, channel.id, 'a')
  const most = limits.max_message_length
  const long = '\u{1f600}'.repeat(most - 1)
  t.match(await append(author, id, 1, `${long}b`), refused('BAD_REQUEST', { msg: /more than 10000/ }))
  t.match(await append(author, id, 1, long), { status: 200, body: { length: most } })
  t.match(await append(author, id, most, 'b'), refused('BAD_REQUEST', { msg: /more than 10000/ }))
  t.equal((await end(author, id)).status, 200)
  t.equal(await contentOf(author, id), `a${long}`)
  const tooLong = { type: 'channel', to: channel.id, topic: 'x', content: 'a'.repeat(most + 1), streamed: true }
  t.match(await author.post('/messages', tooLong), refused('BAD_REQUEST', { msg: /more than 10000/ }))
})

t.test('pieces that come together are appended in turn, or refused with the position', async t => {
  const [author] = await people(server, 1)
  const channel = await channelOf([author])
  const id = await begin(author, channel.id, 'a')
  let length = 1
  while (length < 200) {
    const position = length
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => append(author, id, position + i, 'b')))
    for (const { status, body } of answers) if (status !== 200) t.match(body, { code: 'WRONG_POSITION' })
    length = (await grown(author, id)).length
  }
  t.equal((await end(author, id)).status, 200)
  t.equal(await contentOf(author, id), `a${'b'.repeat(length - 1)}`)
})

t.test('a reader stops it: the next piece is refused, and the author hears of it', async t => {
  const [author, reader, outsider] = await people(server, 3)
  const channel = await channelOf([author, reader], { invite_only: true })
  const ears = await modern(author)
  const id = await begin(author, channel.id, 'a')
  await append(author, id, 1, 'b')
  t.match(await end(outsider, id), refused('BAD_REQUEST', { msg: 'Invalid message(s)' }))
  t.equal((await end(reader, id)).status, 200)
  t.match(await append(author, id, 2, 'c'), ended('stopped'))
  t.match(await end(author, id), ended('stopped'))
  t.match(await end(reader, id), ended('stopped'))
  t.match((await ears.events(t)).findLast(endOf(id)), { reason: 'stopped', user_id: reader.id })
  t.equal(await contentOf(reader, id), 'ab')
})

t.test('the author may repeat the end', async t => {
  const [author, reader] = await people(server, 2)
  const channel = await channelOf([author, reader])
  const ears = await modern(reader)
  const id = await begin(author, channel.id, 'a')
  const answers = await Promise.all([end(author, id), end(author, id), end(author, id)])
  t.same(
    answers.map(({ status }) => status),
    [200, 200, 200],
  )
  t.equal((await end(author, id)).status, 200)
  t.match(await end(reader, id), ended('finished'))
  t.match(await append(author, id, 1, 'b'), ended('finished'))
  t.equal((await ears.events(t)).filter(endOf(id)).length, 1)
  const other = await say(author, channel.id)
  t.match(await end(author, other), ended('unknown'))
  t.match(await end(reader, other), ended('unknown'))
})

t.test('the server ends it when its author is silent, and not before', async t => {
  const [author, reader] = await people(server, 2)
  const channel = await channelOf([author, reader])
  const ears = await modern(reader)
  const id = await begin(author, channel.id, 'a')
  await append(author, id, 1, 'b')
  const key = `streamed message ${id}`
  const [first] = await server.sql`select id from jobs where key = ${key}`
  await look(id)
  const isLater = async () =>
    (await server.sql`select from jobs where key = ${key} and id > ${first?.id} and due > now()`).length > 0
  await until(isLater)
  t.equal((await append(author, id, 2, 'c')).status, 200)
  await silence(id)
  const events = await eventsUntil(t, ears, endOf(id))
  t.match(events.find(endOf(id)), { reason: 'silent', user_id: null })
  t.equal(await contentOf(reader, id), 'abc')
  t.match(await append(author, id, 3, 'd'), ended('silent'))
  t.match(await end(author, id), ended('silent'))
})

t.test('what a worker had only marked as ended is ended by the job', async t => {
  const [author, reader] = await people(server, 2)
  const channel = await channelOf([author, reader])
  const ears = await modern(reader)
  const id = await begin(author, channel.id, 'a')
  await append(author, id, 1, 'b')
  await ctx.streamedTexts.end(id, 'stopped')
  t.match(await append(author, id, 2, 'c'), ended('stopped'))
  await look(id)
  t.match((await eventsUntil(t, ears, endOf(id))).find(endOf(id)), { reason: 'stopped' })
  t.equal(await contentOf(reader, id), 'ab')
})

t.test('a text that Redis has lost: the message keeps its beginning', async t => {
  const [author, reader] = await people(server, 2)
  const channel = await channelOf([author, reader])
  const ears = await modern(reader)
  const [one, two] = [await begin(author, channel.id, 'a'), await begin(author, channel.id, 'a')]
  for (const id of [one, two]) {
    await append(author, id, 1, 'b')
    await ctx.redis.command('DEL', keys.streamed(id), keys.streamedText(id))
    t.match(await append(author, id, 2, 'c'), ended('unknown'))
  }
  t.equal((await end(author, one)).status, 200)
  await look(two)
  const events = await eventsUntil(t, ears, endOf(two))
  t.match([events.find(endOf(one)), events.find(endOf(two))], [{ reason: 'lost' }, { reason: 'lost' }])
  t.same(await each([one, two], id => contentOf(reader, id)), ['a', 'a'])
})

t.test('a deleted message, an edited one, one that moved', async t => {
  const [author, reader] = await people(server, 2)
  const channel = await channelOf([author, reader])
  const ears = await modern(reader)
  const [gone, edited, moved] = await each([1, 2, 3], () => begin(author, channel.id, 'a'))
  for (const id of [gone, edited, moved]) await append(author, id, 1, 'b')
  await (await server.person({ role: 100 })).ok('DELETE', `/messages/${gone}`)
  t.match(await append(author, gone, 2, 'c'), refused('BAD_REQUEST', { msg: 'Invalid message(s)' }))
  t.match(await end(author, gone), refused('BAD_REQUEST', { msg: 'Invalid message(s)' }))
  await silence(gone)
  await author.ok('PATCH', `/messages/${edited}`, { content: 'other' })
  t.match(await append(author, edited, 2, 'c'), ended('edited'))
  t.match(await grown(reader, edited), { text: 'other', is_growing: false })
  t.equal((await end(author, edited)).status, 200)
  t.match((await ears.events(t)).find(endOf(edited)), { reason: 'edited' })
  t.equal(await contentOf(reader, edited), 'other')
  await author.ok('PATCH', `/messages/${moved}`, { topic: 'elsewhere' })
  t.match(await append(author, moved, 2, 'c'), { status: 200 })
  t.equal((await end(author, moved)).status, 200)
  const { message } = await reader.ok('GET', `/messages/${moved}`, { apply_markdown: false })
  t.match(message, { subject: 'elsewhere', content: 'abc' })
  await until(async () => (await server.sql`select from jobs where key = ${`streamed message ${gone}`}`).length === 0)
})

t.test('where the author may not send any more', async t => {
  const [author, other, reader] = await people(server, 3)
  const [left, closed, archived] = [
    await channelOf([author, reader], { invite_only: true }),
    await channelOf([other, author, reader]),
    await channelOf([other, author, reader]),
  ]
  const ids = await each([left, closed, archived], channel => begin(author, channel.id, 'a'))
  await author.ok('DELETE', '/users/me/subscriptions', { subscriptions: [left.name] })
  await setChannel(server, closed.id, { settings: { can_send_message_group: await group(server, 'role:moderators') } })
  await setChannel(server, archived.id, { is_archived: true })
  for (const id of ids) t.match(await append(author, id, 1, 'b'), refused())
  const ears = await modern(reader)
  await silence(ids[0])
  t.match((await eventsUntil(t, ears, endOf(ids[0]))).find(endOf(ids[0])), { reason: 'silent' })
})

t.test('a form, a poll and a to-do list do not grow', async t => {
  const [author] = await people(server, 1)
  const channel = await channelOf([author])
  const to = { type: 'channel', to: channel.id, topic: 'x', streamed: true }
  const form = JSON.stringify({ widget_type: 'zform', extra_data: { type: 'choices', heading: 'h', choices: [] } })
  t.match(
    await author.post('/messages', { ...to, content: 'a', widget_content: form }),
    refused('BAD_REQUEST', { msg: /form/ }),
  )
  t.match(await author.post('/messages', { ...to, content: '/poll a\nb' }), refused('BAD_REQUEST', { msg: /poll/ }))
  t.match(await author.post('/messages', { ...to, content: ' ' }), refused('BAD_REQUEST'))
  t.match(await author.post('/messages', { ...to, content: 'a', streamed: 'perhaps' }), refused('BAD_REQUEST'))
})

t.test('what the whole text mentions counts at its end, by the rights of the author', async t => {
  const [author, reader] = await people(server, 2)
  const channel = await channelOf([author, reader])
  const ears = await modern(reader)
  const id = await begin(author, channel.id, 'Look, ')
  await append(author, id, 6, `@**${reader.full_name}**`)
  await end(author, id)
  const update = (await ears.events(t)).findLast(one => one.type === 'update_message')
  t.match(update, { message_id: id, flags: ['mentioned'] })
  const forbidden = await begin(author, channel.id, 'Look, ')
  await append(author, forbidden, 6, '@*role:nobody*')
  t.equal((await end(author, forbidden)).status, 200)
  t.equal(await contentOf(reader, forbidden), 'Look, @*role:nobody*')
})

t.test('a repeated request to begin makes one message', async t => {
  const [author] = await people(server, 1)
  const channel = await channelOf([author])
  const params = { type: 'channel', to: channel.id, topic: 'x', content: 'a', streamed: true }
  const keyed = (key: string) => postKeyed(author, '/messages', params, key)
  const [first, second] = [await keyed('begins'), await keyed('begins')]
  t.equal(first.body.id, second.body.id)
  t.match(await append(author, first.body.id, 1, 'b'), { status: 200, body: { length: 2 } })
})

t.test('a deactivated author is silent', async t => {
  const [author, reader] = await people(server, 2)
  const channel = await channelOf([author, reader])
  const ears = await modern(reader)
  const id = await begin(author, channel.id, 'a')
  await append(author, id, 1, 'b')
  await deactivate(server.sql, author.id)
  t.match(await append(author, id, 2, 'c'), { status: 401 })
  await silence(id)
  t.match((await eventsUntil(t, ears, endOf(id))).find(endOf(id)), { reason: 'silent' })
  t.equal(await contentOf(reader, id), 'ab')
})
