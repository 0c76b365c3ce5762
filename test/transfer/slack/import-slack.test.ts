import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { runImport } from '../../../server/transfer/run.js'
import { UnusableArchive } from '../../../server/transfer/source.js'
import { type ArchiveFiles, digestOfImports, writeArchive } from '../../support/archive.js'
import { Listener, type Loose } from '../../support/in-step.js'
import { startServer } from '../../support/server.js'

const folder = await mkdtemp(join(tmpdir(), 'parley-slack-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))
const server = await startServer(t)
const { ctx, sql } = server
const alice = await server.person({ role: 100, email: 'alice@acme.example', full_name: 'Alice Owner' })
await server.person({ email: 'other@acme.example' })

const inOrder = { outOfOrder: false }
let written = 0
const archive = (files: ArchiveFiles) => writeArchive(folder, `${++written}.zip`, files)
const day = (n: number) => String(1709542800 + n)

const people = [
  { id: 'U1', real_name: 'Alice', is_primary_owner: true, profile: { email: 'Alice@Acme.example' } },
  { id: 'U2', real_name: 'Bob `x`', is_admin: true, tz: 'Asia/Tokyo', profile: { email: 'bob@acme.example' } },
  { id: 'U3', real_name: 'Carl', deleted: true, profile: { email: 'carl@acme.example' } },
  { id: 'U4', real_name: 'Alice Owner', profile: {} },
  { id: 'U5', real_name: 'Eve', is_restricted: true, profile: { email: 'eve@partner.example' } },
  { id: 'U6', real_name: 'Deploy', is_bot: true, profile: { bot_id: 'B6', email: 'other@acme.example' } },
]
const channels = [
  {
    id: 'C1',
    name: 'general',
    is_general: true,
    creator: 'U1',
    created: 1704100000,
    members: ['U1', 'U2', 'U3', 'U5'],
    purpose: { value: 'All of <https://a.example|us>' },
  },
  { id: 'C2', name: 'old', is_archived: true, members: ['U1', 'U2'] },
  { id: 'C3', name: 'OLD', members: [] },
]
const lists = {
  'users.json': people,
  'channels.json': channels,
  'groups.json': [{ id: 'G1', name: 'secret', members: ['U2', 'U5'] }],
  'dms.json': [
    { id: 'D1', members: ['U1', 'U2'] },
    { id: 'D2', members: ['U2', 'U2'] },
  ],
  'mpims.json': [{ id: 'M1', name: 'mpdm-all-1', members: ['U1', 'U2', 'U3'] }],
}
const root = `${day(100)}.000100`
const general = [
  { user: 'U2', ts: `${day(1)}.000100`, text: 'Hello <@U1>, see <#C2|old>, <#G1|secret> and <@U9|gone>' },
  { user: 'U2', ts: `${day(2)}.000100`, subtype: 'channel_join', text: 'joined' },
  {
    user: 'U1',
    ts: `${day(3)}.000100`,
    text: 'Faces of <#G1|secret>',
    edited: { user: 'U1', ts: `${day(9)}.000000` },
    reactions: [
      { name: '+1', users: ['U1', 'U2'] },
      { name: '+1::skin-tone-3', users: ['U2'] },
      { name: 'partyparrot', users: ['U1'] },
      { name: 'heart', users: ['U77'] },
    ],
  },
  { user: 'U1', ts: root, thread_ts: root, text: '*Ship* on <https://f.example|Friday>?' },
  { user: 'U2', ts: `${day(101)}.000100`, thread_ts: root, text: 'Yes' },
  { user: 'U2', ts: `${day(102)}.000100`, thread_ts: root, subtype: 'thread_broadcast', text: 'Decided' },
  { user: 'U2', ts: `${day(103)}.000100`, thread_ts: `${day(50)}.000100`, text: 'Ship on Friday?' },
  { user: 'U2', ts: `${day(103)}.000200`, thread_ts: `${day(51)}.000100`, text: 'Ship on Friday?' },
  {
    user: 'U2',
    ts: `${day(104)}.000100`,
    files: [{ id: 'F1', name: 'a.pdf' }, { mode: 'tombstone' }],
  },
  { subtype: 'bot_message', bot_id: 'B6', ts: `${day(105)}.000100`, text: 'Built' },
  { subtype: 'bot_message', bot_id: 'B7', username: 'Monitor', ts: `${day(106)}.000100`, text: 'Alarm' },
  { user: 'U2', ts: `${day(107)}.000100`, text: `${'word '.repeat(1999)}\n${'more '.repeat(1500)}` },
  { user: 'U2', ts: `${day(1)}.000100`, text: 'The same again' },
  { user: 'U2', ts: 'soon', text: 'No time' },
  17,
]
const whole: ArchiveFiles = {
  ...lists,
  // A day that comes first in the archive is not the first in time.
  'general/2024-03-01.json': general,
  'secret/2024-03-04.json': [{ user: 'U2', ts: `${day(5)}.000100`, text: 'A secret of <#C1|general>' }],
  'old/2023-03-04.json': [{ user: 'U1', ts: '1677920400.000100', text: 'Last words' }],
  'D1/2024-03-04.json': [
    { user: 'U1', ts: `${day(1)}.000100`, text: 'Hello Bob' },
    { user: 'U2', ts: `${day(7)}.000100`, thread_ts: `${day(1)}.000100`, text: 'In a thread' },
  ],
  'D2/2024-03-04.json': [{ user: 'U2', ts: `${day(8)}.000100`, text: 'Note' }],
  'mpdm-all-1/2024-03-04.json': [{ user: 'U3', ts: `${day(9)}.000100`, text: 'All of us' }],
  'unknown/2024-03-04.json': [{ user: 'U2', ts: `${day(10)}.000100`, text: 'Nowhere' }],
}

const stored = () =>
  sql<{ place: string | null; topic: string; content: string; sender: string; id: number; date_sent: Date }[]>`
    select coalesce(channels.name, array_to_string(user_ids, ' ')) as place, topic, content, full_name as sender, messages.id, date_sent
    from messages join users on users.id = sender_id left join channels on channels.id = channel_id
      left join conversations on conversations.id = conversation_id
    where messages.client = 'import' order by messages.id`
const userIds = async () =>
  new Map(
    (await sql<{ email: string; id: number }[]>`select lower(delivery_email) as email, id from users`).map(row => [
      row.email,
      row.id,
    ]),
  )

t.test('what an import refuses changes nothing', async t => {
  const before = await digestOfImports(sql)
  const refused = async (files: ArchiveFiles, words: RegExp) => {
    await t.rejects(runImport(ctx, await archive(files), inOrder), new UnusableArchive(), String(words))
    await runImport(ctx, await archive(files), inOrder).catch(error => t.match(error.message, words))
  }
  await refused({ 'readme.txt': 'Hello' }, /no known server/)
  await t.rejects(runImport(ctx, join(folder, 'missing.zip'), inOrder), /cannot be read/)
  await sql`select setval('messages_id_seq', 5)`
  await refused(whole, /ids from 1 on/)
  await sql`select setval('messages_id_seq', 134217728, false)`
  t.equal(await digestOfImports(sql), before)
  t.same(await sql`select from imports`, [], 'nothing was begun')
})

t.test('an archive becomes people, channels and messages, and clients notice only new people and channels', async t => {
  const { stream_id } = await alice
    .ok('POST', '/channels/create', { name: 'live', subscribers: [alice.id] })
    .then(({ id }: Loose) => ({ stream_id: id }))
  const { id: liveId } = await alice.ok('POST', '/messages', {
    type: 'channel',
    to: stream_id,
    topic: 't',
    content: 'Live',
  })
  // Of conversations of an earlier time there is no event: clients learn of them when they register again.
  const fetched = [
    'realm',
    'realm_user',
    'realm_user_groups',
    'subscription',
    'stream',
    'default_streams',
    'message',
    'user_topic',
  ]
  const ear = await Listener.start(ctx, alice, { fetch_event_types: fetched })
  const before = structuredClone(ear.state.unread_msgs)
  const row = await runImport(ctx, await archive(whole), inOrder)
  const events = await ear.inStep(t)
  const kinds = new Set(events.map(event => `${event.type}/${event.op}`))
  t.notOk(
    [...kinds].some(kind => /message|reaction|flags/.test(kind)),
    [...kinds].join(),
  )
  t.same(ear.state.unread_msgs, before, 'nothing is unread')
  t.match(row, { state: 'finished', written: { messages: 18, 'pointers to threads': 1, 'copies in the channel': 1 } })
  t.match(row.checked, {
    twice: 1,
    messages: { source: 22, kept: 19, dropped: { join: 1, 'in a folder that no list names': 1 }, faulty: 1 },
  })
  t.same(
    (row.faults as Loose[]).map(({ kind, count }) => [kind, count]),
    [
      ['reactions with an emoji that is not here', 1],
      ['reactions of people who are not here', 1],
    ],
  )

  const messages = await stored()
  t.ok(
    messages.every(({ id }) => id < liveId),
    'ids are below those of users',
  )
  t.same(
    messages.map(one => one.date_sent.getTime()),
    messages.map(one => one.date_sent.getTime()).sort((a, b) => a - b),
    'ids rise with time',
  )
  const ids = await userIds()
  const [bob, carl] = [ids.get('bob@acme.example'), ids.get('carl@acme.example')]
  const of = (place: string) => messages.filter(one => one.place === place).map(one => [one.topic, one.content])
  const oldId = (await sql<{ id: number }[]>`select id from channels where name = 'old'`)[0]?.id
  t.same(of('general').slice(0, 8), [
    ['', `Hello @**Alice Owner|${alice.id}**, see #**old**, #**secret** and @gone`],
    ['', 'No time'],
    ['', 'Faces of #**secret**'],
    ['Ship on Friday?', '**Ship** on [Friday](https://f.example)?'],
    ['', 'Ship on Friday? (2 replies: #**general>Ship on Friday?**)'],
    ['Ship on Friday?', 'Yes'],
    ['Ship on Friday?', 'Decided'],
    ['', 'Decided\n\n(#**general>Ship on Friday?**)'],
  ])
  t.same(
    of('general')
      .slice(8, 10)
      .map(([topic]) => topic),
    ['Ship on Friday? (2024-03-04)', 'Ship on Friday? (2)'],
  )
  t.same(
    of('general')
      .slice(10, 13)
      .map(([, content]) => content),
    ['*(a.pdf: without an address.)*\n*(A file: deleted at the source.)*', 'Built', 'Alarm'],
  )
  t.match(
    of('general')
      .slice(13)
      .map(([, content]) => content?.slice(-5)),
    ['word', 'more'].map(word => new RegExp(word)),
    'a long text becomes two messages',
  )
  t.same(of('old'), [['', 'Last words']])
  t.same(of([alice.id, bob].join(' ')), [
    ['', 'Hello Bob'],
    ['', 'In a thread'],
  ])
  t.same(of(String(bob)), [['', 'Note']])
  t.equal(of([alice.id, bob, carl].join(' ')).length, 1)

  const { messages: seen } = await alice.ok('GET', '/messages', {
    narrow: [{ operator: 'channel', operand: 'general' }],
    anchor: 'oldest',
    num_before: 0,
    num_after: 100,
  })
  t.ok(seen.every(({ flags }: Loose) => flags.includes('read')))
  t.match(seen[0], {
    sender_full_name: 'Bob x',
    flags: ['read', 'mentioned'],
    content: new RegExp(`data-stream-id="${oldId}"`),
  })
  t.equal(
    seen[2].content,
    '<p>Faces of #<strong>secret</strong></p>',
    'a link shows no channel that the author could not read',
  )
  t.match(seen[2], {
    last_edit_timestamp: Number(day(9)),
    reactions: [{ emoji_name: '+1', user_id: alice.id }, { user_id: bob }],
  })
  const { messages: found } = await alice.ok('GET', '/messages', {
    narrow: [{ operator: 'search', operand: 'Alarm' }],
    anchor: 'newest',
    num_before: 5,
    num_after: 0,
  })
  t.equal(found.length, 1, 'a search finds it')
})

t.test('people: an account with the address stays as it is, and no account gains anything', async t => {
  const rows = await sql<Loose[]>`
    select lower(delivery_email) as email, full_name, role, is_active, bot_type, timezone, password_hash from users order by id`
  const of = (email: string) => rows.find(row => row.email === email)
  t.match(of('alice@acme.example'), { full_name: 'Alice Owner', role: 100, is_active: true })
  t.match(of('bob@acme.example'), {
    full_name: 'Bob x',
    role: 200,
    is_active: true,
    timezone: 'Asia/Tokyo',
    password_hash: null,
  })
  t.match(of('carl@acme.example'), { role: 400, is_active: false })
  t.match(of('u4@slack.invalid'), { full_name: 'Alice Owner (u4)', is_active: false }, 'a name like the owner')
  t.match(of('eve@partner.example'), { role: 600, is_active: true })
  t.match(of('u6@slack.invalid'), { bot_type: 1, is_active: false }, 'a bot gets no address')
  t.match(of('b7@slack.invalid'), { full_name: 'Monitor', bot_type: 1, is_active: false }, 'a sender in no list')
  t.match(of('other@acme.example'), { bot_type: null, is_active: true })
  t.notOk(rows.some(row => row.role === 100 && row.email !== 'alice@acme.example'))
  t.same(await sql`select name from import_objects where kind = 'person' and name is not null`, [])
})

t.test('channels have their settings, subscribers and whole history', async t => {
  const rows = await sql<Loose[]>`
    select name, is_archived, is_default, invite_only, description, date_created,
      first_message_id = (select min(id) from messages where channel_id = channels.id) as has_first,
      (select count(*)::int from subscriptions where channel_id = channels.id and spans @> first_message_id) as subscribers
    from channels where name <> 'live' order by id`
  t.match(rows, [
    {
      name: 'general',
      is_default: true,
      is_archived: false,
      invite_only: false,
      description: 'All of [us](https://a.example)',
      has_first: true,
      subscribers: 4,
      date_created: new Date(1704100000000),
    },
    { name: 'old', is_archived: true, is_default: false, has_first: true, subscribers: 2 },
    { name: 'OLD (2)', subscribers: 0 },
    { name: 'secret', invite_only: true, has_first: true, subscribers: 2 },
  ])
  const { streams } = await alice.ok('GET', '/streams')
  t.notOk(
    streams.some(({ name }: Loose) => name === 'secret'),
    'the owner was no member',
  )
})

t.test('the same archive adds nothing, and a newer one only what is new', async t => {
  const before = await digestOfImports(sql)
  await runImport(ctx, await archive(whole), inOrder)
  t.equal(await digestOfImports(sql), before, 'the same archive')
  const later = {
    ...whole,
    'general/2024-04-01.json': [{ user: 'U2', ts: `${day(9000)}.000100`, thread_ts: root, text: 'Later' }],
  }
  const file = await archive(later)
  const row = await runImport(ctx, file, inOrder)
  t.match(row, { written: { messages: 1 }, checked: { known: 18 } })
  t.same((await stored()).at(-1), {
    ...(await stored()).at(-1),
    topic: 'Ship on Friday?',
    content: 'Later',
    place: 'general',
  })
  const { messages } = await alice.ok('GET', '/messages', {
    narrow: [
      { operator: 'channel', operand: 'general' },
      { operator: 'topic', operand: 'Ship on Friday?' },
    ],
    anchor: 'newest',
    num_before: 10,
    num_after: 0,
  })
  t.match(messages.at(-1).content, /Later/)

  const older = await archive({
    ...lists,
    'general/2020-01-01.json': [{ user: 'U2', ts: '1577836800.000100', text: 'Much older' }],
  })
  await t.rejects(runImport(ctx, older, inOrder), /1 messages of the archive are older/)
  await runImport(ctx, older, { outOfOrder: true })
  t.equal((await stored()).at(-1)?.content, 'Much older')
})

t.test('one import runs at a time', async t => {
  const file = await archive({
    ...lists,
    'general/2024-05-01.json': [{ user: 'U2', ts: `${day(99_000)}.000100`, text: 'Last' }],
  })
  const results = await Promise.allSettled([runImport(ctx, file, inOrder), runImport(ctx, file, inOrder)])
  t.same(results.map(one => one.status).sort(), ['fulfilled', 'rejected'])
  t.equal((await stored()).filter(one => one.content === 'Last').length, 1)
})

t.test('an archive can have any number of threads', async t => {
  const threads = 2100
  const messages = Array.from({ length: threads }, (_, i) => {
    const thread_ts = `${day(200_000 + i * 10)}.000100`
    return [
      { user: 'U1', ts: thread_ts, thread_ts, text: 'Question' },
      { user: 'U2', ts: `${day(200_001 + i * 10)}.000100`, thread_ts, text: 'Answer' },
    ]
  }).flat()
  const row = await runImport(ctx, await archive({ ...lists, 'old/2024-06-01.json': messages }), inOrder)
  t.match(row.written, { messages: 2 * threads, 'pointers to threads': threads })
  const [topics] = await sql<{ count: number; most: number }[]>`
    select count(*)::int as count, max(messages)::int as most from (
      select count(*) as messages from messages join channels on channels.id = channel_id
      where channels.name = 'old' and topic like 'Question%' group by lower(topic)) topics`
  t.same(topics, { count: threads, most: 2 }, 'each thread has its own topic')
})
