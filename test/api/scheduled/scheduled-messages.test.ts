import t from 'tap'
import { budgets } from '../../../server/config/budgets.js'
import { until } from '../../http/until.js'
import { upload } from '../../support/files.js'
import { Api } from '../../support/http.js'
import { kinds, Listener, type Loose } from '../../support/in-step.js'
import { deactivate, setUser } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { checkObject } from '../../support/wire-schemas.js'

const server = await startServer(t)
const { sql } = server
const refused = { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } }
const missing = { status: 404, body: { result: 'error', code: 'BAD_REQUEST' } }

const secondsFromNow = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds
const inAnHour = secondsFromNow(3600)
const schedule = async (owner: Person, given: Loose): Promise<number> =>
  (await owner.ok('POST', '/scheduled_messages', { scheduled_delivery_timestamp: inAnHour, ...given }))
    .scheduled_message_id
const listOf = async (owner: Person): Promise<Loose[]> =>
  (await owner.ok('GET', '/scheduled_messages')).scheduled_messages

async function channelOf(owner: Person, name: string, isPrivate = false): Promise<number> {
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], invite_only: isPrivate })
  return (await owner.ok('GET', '/get_stream_id', { stream: name })).stream_id
}

/** The time of the message came so many seconds ago. */
async function comes(id: number, secondsAgo = 0): Promise<void> {
  await sql`update scheduled_messages set due = date_trunc('second', now() - make_interval(secs => ${secondsAgo})) where id = ${id}`
  await sql`update jobs set due = now() where key = ${`scheduled message ${id}`}`
  server.jobs.look()
}

const newest = async (reader: Person, narrow: Loose[]): Promise<Loose | undefined> =>
  (
    await reader.ok('GET', '/messages', {
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      narrow,
      apply_markdown: false,
    })
  ).messages[0]

t.test('messages of both kinds are scheduled, listed by their time, and sent at it', async t => {
  const [owner, other] = [await server.person(), await server.person()]
  const channel = await channelOf(owner, 'plans')
  const ear = await Listener.start(server.ctx, owner)
  const given = { type: 'channel', to: channel, topic: 'x'.repeat(61), content: '**Hello** \n' }
  const late = await schedule(owner, { ...given, scheduled_delivery_timestamp: inAnHour + 5 })
  const soon = await schedule(owner, { type: 'direct', to: [owner.id, other.id], content: 'direct', topic: 'ignored' })
  const own = await schedule(owner, { type: 'private', to: [owner.id], content: 'x'.repeat(10_001) })
  const empty = await schedule(owner, { type: 'stream', to: channel, topic: '', content: 'no topic' })
  const found = await listOf(owner)
  for (const one of found) t.same(checkObject('scheduled_message', one), [])
  t.match(found, [
    { scheduled_message_id: soon, type: 'private', to: [other.id], content: 'direct', failed: false },
    { scheduled_message_id: own, to: [owner.id], content: /^x+\n\[message truncated\]$/ },
    { scheduled_message_id: empty, topic: '' },
    {
      scheduled_message_id: late,
      type: 'stream',
      to: channel,
      topic: `${'x'.repeat(57)}...`,
      content: '**Hello**',
      rendered_content: '<p><strong>Hello</strong></p>',
      scheduled_delivery_timestamp: inAnHour + 5,
    },
  ])
  t.notOk('topic' in (found[0] ?? {}), 'a direct message has no topic')
  t.same(await listOf(other), [], 'others do not see them')
  t.same(kinds(await ear.inStep(t)), Array(4).fill('scheduled_messages/add'))
  await owner.ok('DELETE', `/scheduled_messages/${empty}`)
  await comes(late)
  await comes(soon)
  await until(async () => (await listOf(owner)).length === 1)
  const events = await ear.inStep(t)
  t.equal(kinds(events)[0], 'scheduled_messages/remove', 'the deletion')
  for (const id of [late, soon]) {
    const removed = events.findIndex(event => event.scheduled_message_id === id)
    t.equal(events[removed - 1]?.type, 'message', 'the removal follows the message')
  }
  t.equal(kinds(events).filter(kind => kind === 'message').length, 2)
  t.match(await newest(other, [{ operator: 'dm', operand: [owner.id] }]), { content: 'direct', sender_id: owner.id })
  t.match(await newest(owner, [{ operator: 'channel', operand: channel }]), {
    content: '**Hello**',
    subject: `${'x'.repeat(57)}...`,
  })
  t.same(await sql`select id from jobs where key = ${`scheduled message ${late}`}`, [], 'its job is gone')
})

t.test('messages that are due together share transactions', async t => {
  const [owner, other] = [await server.person(), await server.person()]
  const ids: number[] = []
  for (let n = 0; n < 20; n++) ids.push(await schedule(owner, { type: 'direct', to: [other.id], content: `due ${n}` }))
  await sql`update jobs set due = now() where key = any(${ids.map(id => `scheduled message ${id}`)})`
  server.jobs.look()
  await until(async () => (await listOf(owner)).length === 0)
  const [row] = await sql<{ messages: number; transactions: number }[]>`
    select count(*)::int as messages, count(distinct xmin::text)::int as transactions from messages where sender_id = ${owner.id}`
  t.equal(row?.messages, 20)
  t.ok((row?.transactions ?? 20) <= 10, `${row?.transactions} transactions`)
})

t.test('a message is sent within a second of its time', async t => {
  const owner = await server.person()
  const due = secondsFromNow(2)
  const id = await schedule(owner, {
    type: 'direct',
    to: [owner.id],
    content: 'on time',
    scheduled_delivery_timestamp: due,
  })
  await until(async () => (await listOf(owner)).every(one => one.scheduled_message_id !== id))
  const message = await newest(owner, [{ operator: 'dm', operand: [owner.id] }])
  t.equal(message?.content, 'on time')
  t.ok(message?.timestamp >= due, 'not before')
})

t.test('whether it is read for its sender follows the request, the program, and the receivers', async t => {
  const [owner, other] = [await server.person(), await server.person()]
  const page = new Api(server.url, owner, 'website')
  const cases: [boolean, Loose][] = [
    [true, { to: [other.id] }],
    [false, { to: [owner.id] }],
    [true, { to: [owner.id], read_by_sender: true }],
    [false, { to: [other.id], read_by_sender: false }],
  ]
  for (const [isRead, given] of cases) {
    const message = { type: 'direct', content: 'x', scheduled_delivery_timestamp: inAnHour, ...given }
    const { body } = await page.post('/scheduled_messages', message)
    const [row] = await sql`select read_by_sender from scheduled_messages where id = ${body.scheduled_message_id}`
    t.equal(row?.read_by_sender, isRead, JSON.stringify(given))
  }
  const id = await schedule(owner, { type: 'direct', to: [other.id], content: 'of a program' })
  await comes(id)
  await until(async () => (await listOf(owner)).every(one => one.scheduled_message_id !== id))
  t.notOk((await newest(owner, [{ operator: 'dm', operand: [other.id] }]))?.flags.includes('read'))
})

t.test('an edit changes what it names, and the message is checked again', async t => {
  const [owner, other] = [await server.person(), await server.person()]
  const [channel, second] = [await channelOf(owner, 'first'), await channelOf(owner, 'second')]
  const id = await schedule(owner, { type: 'channel', to: channel, topic: 'a', content: 'one' })
  const ear = await Listener.start(server.ctx, owner)
  const edit = async (changes: Loose): Promise<Loose | undefined> => {
    await owner.ok('PATCH', `/scheduled_messages/${id}`, changes)
    return (await listOf(owner))[0]
  }
  t.match(await edit({ content: '*two*' }), { to: channel, topic: 'a', rendered_content: '<p><em>two</em></p>' })
  t.match(await edit({ topic: 'b' }), { to: channel, topic: 'b', content: '*two*' })
  t.match(await edit({ to: second }), { type: 'stream', to: second, topic: 'b' })
  t.match(await edit({ type: 'direct', to: [other.id] }), { type: 'private', to: [other.id], topic: undefined })
  t.match(await edit({ topic: 'ignored' }), { type: 'private', to: [other.id], topic: undefined })
  t.match(await edit({ scheduled_delivery_timestamp: inAnHour + 60 }), { scheduled_delivery_timestamp: inAnHour + 60 })
  t.match(await edit({ type: 'channel', to: channel, topic: 'c' }), { to: channel, topic: 'c' })
  t.same(kinds(await ear.inStep(t)), Array(7).fill('scheduled_messages/update'))
  const before = await listOf(owner)
  const cases: [string, Loose][] = [
    ['nothing', {}],
    ['a past time', { scheduled_delivery_timestamp: secondsFromNow(-1) }],
    ['a type without recipient', { type: 'direct' }],
    ['a channel without topic', { type: 'channel', to: channel }],
    ['a list for a channel', { to: [channel] }],
    ['a list for a channel with its type', { type: 'channel', to: [channel], topic: 'x' }],
    ['an id for a person', { type: 'direct', to: other.id }],
    ['no receiver', { type: 'direct', to: [] }],
    ['empty content', { content: ' ' }],
    ['NUL in the content', { content: 'a\0' }],
    ['an unknown type', { type: 'mail', to: [other.id] }],
    ['a far time', { scheduled_delivery_timestamp: 1e15 }],
  ]
  for (const [title, changes] of cases) t.match(await owner.patch(`/scheduled_messages/${id}`, changes), refused, title)
  t.match(await owner.patch(`/scheduled_messages/${id}`, { to: 9_999_999 }), {
    body: { code: 'STREAM_DOES_NOT_EXIST' },
  })
  for (const unknown of [id + 1000, 0, 99_999_999_999]) {
    t.match(await owner.patch(`/scheduled_messages/${unknown}`, { content: 'x' }), missing)
    t.match(await owner.delete(`/scheduled_messages/${unknown}`), missing)
  }
  t.match(await other.patch(`/scheduled_messages/${id}`, { content: 'x' }), missing)
  t.match(await other.delete(`/scheduled_messages/${id}`), missing)
  t.same(await ear.inStep(t), [])
  t.same(await listOf(owner), before)
})

t.test('what sending would refuse is refused at once', async t => {
  const [owner, other] = [await server.person(), await server.person()]
  const [open, secret] = [await channelOf(owner, 'open'), await channelOf(other, 'secret', true)]
  const gone = await server.person()
  await deactivate(sql, gone.id)
  const ear = await Listener.start(server.ctx, owner)
  const message = { type: 'channel', to: open, topic: 'x', content: 'x', scheduled_delivery_timestamp: inAnHour }
  const cases: [string, Loose][] = [
    ['a past time', { scheduled_delivery_timestamp: secondsFromNow(-1) }],
    ['now', { scheduled_delivery_timestamp: secondsFromNow(0) }],
    ['a time in no calendar', { scheduled_delivery_timestamp: 1_000_000_000_000_000 }],
    ['a time that is no number', { scheduled_delivery_timestamp: 'tomorrow' }],
    ['half a second', { scheduled_delivery_timestamp: inAnHour + 0.5 }],
    ['a list of one channel', { to: [open] }],
    ['the name of a channel', { to: 'open' }],
    ['a private channel of others', { to: secret }],
    ['no topic', { topic: undefined }],
    ['NUL in the topic', { topic: 'a\0' }],
    ['blank content', { content: '\n' }],
    ['no receiver', { type: 'direct', to: [] }],
    ['a person without list', { type: 'direct', to: other.id }],
    ['an address', { type: 'direct', to: [other.email] }],
    ['an unknown person', { type: 'direct', to: [9_999_999] }],
    ['a deactivated person', { type: 'direct', to: [gone.id] }],
    ['an unknown type', { type: 'mail' }],
    ['a wrong switch', { read_by_sender: 'perhaps' }],
  ]
  for (const [title, changes] of cases)
    t.match(await owner.post('/scheduled_messages', { ...message, ...changes }), refused, title)
  t.match(await owner.post('/scheduled_messages', { ...message, to: 9_999_999 }), {
    status: 400,
    body: { code: 'STREAM_DOES_NOT_EXIST', stream_id: 9_999_999 },
  })
  for (const name of ['type', 'to', 'content', 'scheduled_delivery_timestamp']) {
    const without = { ...message, [name]: undefined }
    t.match(await owner.post('/scheduled_messages', without), {
      body: { code: 'REQUEST_VARIABLE_MISSING', var_name: name },
    })
  }
  const anonymous = server.api(null)
  t.equal((await anonymous.get('/scheduled_messages')).status, 401)
  t.equal((await anonymous.post('/scheduled_messages', message)).status, 401)
  t.same(await listOf(owner), [])
  t.same(await ear.inStep(t), [])
})

t.test(
  'one that may not be sent at its time stays, and its sender gets a notice; a new time gives it another chance',
  async t => {
    const [owner, other] = [await server.person(), await server.person()]
    const channel = await channelOf(owner, 'to be archived')
    const archived = await schedule(owner, { type: 'channel', to: channel, topic: 'a', content: 'too late' })
    const late = await schedule(owner, { type: 'direct', to: [other.id], content: 'the server was down' })
    const ear = await Listener.start(server.ctx, owner)
    await owner.ok('DELETE', `/streams/${channel}`)
    await comes(archived)
    await comes(late, 601)
    await until(async () => (await listOf(owner)).every(one => one.failed))
    const isNotice = ({ sender_email }: Loose) => sender_email.startsWith('notification-bot@')
    const noticesOf = async (): Promise<Loose[]> => {
      const page = {
        anchor: 'newest',
        num_before: 9,
        num_after: 0,
        narrow: [{ operator: 'is', operand: 'dm' }],
        apply_markdown: false,
      }
      return (await owner.ok('GET', '/messages', page)).messages.filter(isNotice)
    }
    await until(async () => (await noticesOf()).length === 2)
    const notices = await noticesOf()
    t.ok(kinds(await ear.inStep(t)).includes('scheduled_messages/update'))
    t.equal(notices.length, 2)
    t.match(
      notices.map((one: Loose) => one.content).join('\n'),
      /<time:\d{4}-[\d-]+T[\d:]+Z>[\s\S]+quote[\s\S]+\(\/#scheduled\)/,
    )
    const failed = { ...refused, body: { ...refused.body, msg: /new time/ } }
    t.match(await owner.patch(`/scheduled_messages/${late}`, { content: 'x' }), failed)
    await owner.ok('PATCH', `/scheduled_messages/${late}`, { scheduled_delivery_timestamp: inAnHour })
    t.match(
      (await listOf(owner)).find(one => one.scheduled_message_id === late),
      { failed: false },
    )
    await comes(late)
    await until(async () => (await listOf(owner)).length === 1)
    t.match(await newest(other, [{ operator: 'dm', operand: [owner.id] }]), { content: 'the server was down' })
    t.match(await owner.patch(`/scheduled_messages/${late}`, { content: 'x' }), missing, 'it was sent')
  },
)

t.test('of a deactivated account it fails silently', async t => {
  const [owner, other] = [await server.person(), await server.person()]
  const id = await schedule(owner, { type: 'direct', to: [other.id], content: 'x' })
  await deactivate(sql, owner.id)
  await comes(id)
  await until(async () => (await sql`select id from scheduled_messages where id = ${id} and failed`).length === 1)
  t.same(await sql`select id from jobs where kind = 'notice'`, [])
  await setUser(sql, owner.id, { is_active: true })
  t.match(await listOf(owner), [{ scheduled_message_id: id, failed: true }])
})

t.test('an edit and the time of the message meet: it is sent once, as before or as after the edit', async t => {
  const [owner, other] = [await server.person(), await server.person()]
  for (let round = 0; round < 8; round++) {
    const id = await schedule(owner, { type: 'direct', to: [other.id], content: `before ${round}` })
    const [edited] = await Promise.all([
      owner.patch(`/scheduled_messages/${id}`, { content: `after ${round}` }),
      comes(id),
    ])
    if (edited.status === 200) await comes(id)
    else t.match(edited, missing)
    await until(async () => (await listOf(owner)).length === 0)
    const sent = await sql<{ content: string }[]>`
      select content from messages where sender_id = ${owner.id} and content like ${`% ${round}`}`
    t.same(
      sent.map(row => row.content),
      [`${edited.status === 200 ? 'after' : 'before'} ${round}`],
    )
  }
})

t.test('a file of a scheduled message is kept, and opens to no receiver before', async t => {
  const [owner, other] = [await server.person(), await server.person()]
  const url = await upload(server.url, owner, { name: 'notes.txt', bytes: 'text' })
  await schedule(owner, { type: 'direct', to: [other.id], content: `[notes](${url})` })
  const path = url.replace('/user_uploads/', '')
  const [file] = await sql<{ id: number }[]>`select id from attachments where path_id = ${path}`
  await sql`update attachments set created = now() - interval '60 days' where id = ${file?.id ?? 0}`
  await sql`update jobs set due = now() where kind = 'forget-files'`
  server.jobs.look()
  await until(async () => (await sql`select id from jobs where kind = 'forget-files' and due > now()`).length === 1)
  t.equal((await sql`select id from attachments where id = ${file?.id ?? 0}`).length, 1)
  t.equal((await other.get(url)).status, 403)
})

t.test('there is a bound', async t => {
  const owner = await server.person()
  const id = await schedule(owner, { type: 'direct', to: [owner.id], content: 'x' })
  await sql`
    insert into scheduled_messages (user_id, topic, recipients, content, rendered_content, file_ids, client, read_by_sender, due)
    select user_id, topic, recipients, content, rendered_content, file_ids, client, read_by_sender, due
    from scheduled_messages, generate_series(2, ${budgets.scheduledMessages.most}) where id = ${id}`
  const one = { type: 'direct', to: [owner.id], content: 'x', scheduled_delivery_timestamp: inAnHour }
  t.match(await owner.post('/scheduled_messages', one), { ...refused, body: { ...refused.body, msg: /at most 1000/ } })
  await sql`delete from scheduled_messages where user_id = ${owner.id} and id <> ${id}`
  await sql`
    insert into scheduled_messages (user_id, topic, recipients, content, rendered_content, file_ids, client, read_by_sender, due)
    select user_id, topic, recipients, repeat('x', 10000), '', file_ids, client, read_by_sender, due
    from scheduled_messages, generate_series(1, ${budgets.scheduledCharacters.most / 10_000}) where id = ${id}`
  t.match(await owner.patch(`/scheduled_messages/${id}`, { content: 'longer' }), {
    ...refused,
    body: { ...refused.body, msg: /characters/ },
  })
  await sql`delete from scheduled_messages where user_id = ${owner.id}`
})
