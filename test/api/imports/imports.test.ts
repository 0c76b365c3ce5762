import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { until } from '../../http/until.js'
import { type ArchiveFiles, digestOfImports, writeArchive } from '../../support/archive.js'
import { upload } from '../../support/files.js'
import { pathIn, requested, rested } from '../../support/imports.js'
import type { Loose } from '../../support/in-step.js'
import { startServer } from '../../support/server.js'

const folder = await mkdtemp(join(tmpdir(), 'parley-imports-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))
const server = await startServer(t)
const { sql } = server
const owner = await server.person({ role: 100, full_name: 'Olga Owner' })
const admin = await server.person({ role: 200, email: 'alice@acme.example', full_name: 'Alice' })
const robert = await server.person({ full_name: 'Robert' })
const bot = await server.person({ bot_type: 1, bot_owner_id: owner.id })
const refused = { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } }
const forbidden = { status: 400, body: { code: 'UNAUTHORIZED_PRINCIPAL' } }

let written = 0
const archive = (files: ArchiveFiles) => writeArchive(folder, `${++written}.zip`, files)
const slack: ArchiveFiles = {
  'users.json': [
    { id: 'U1', real_name: 'Alice', profile: { email: 'Alice@Acme.example' } },
    { id: 'U2', real_name: 'Bob', profile: { email: 'bob@elsewhere.example' } },
    { id: 'U3', real_name: 'Carl' },
    { id: 'U4', real_name: 'Deploy', is_bot: true, profile: {} },
  ],
  'channels.json': [
    { id: 'C1', name: 'general', members: ['U1', 'U2'] },
    { id: 'C2', name: 'old-talk', is_archived: true, members: ['U2'] },
    { id: 'C3', name: 'noise', members: ['U1'] },
  ],
  'general/2024-03-04.json': [
    { user: 'U2', ts: '1709542800.000100', thread_ts: '1709542800.000100', text: 'Ship on Friday?' },
    { user: 'U3', ts: '1709542801.000100', thread_ts: '1709542800.000100', text: 'Yes' },
    17,
  ],
  'old-talk/2024-03-04.json': [{ user: 'U2', ts: '1709542802.000100', text: 'Last words' }],
  'noise/2024-03-04.json': [{ user: 'U1', ts: '1709542803.000100', text: 'Noise' }],
}

t.test('an administrator uploads an archive, sees its plan, chooses, and imports it', async t => {
  const before = await digestOfImports(sql)
  const id = await requested(admin, await archive(slack))
  t.same((await admin.ok('GET', '/attachments')).attachments, [], 'the archive is no file of the person any more')
  t.equal((await admin.ok('GET', '/attachments')).upload_space_used, 0)
  const found = await rested(admin, id)
  t.match(found, {
    id,
    acting_user_id: admin.id,
    name: 'slack.zip',
    state: 'ready',
    reason: null,
    source: 'Slack',
    percent: null,
    ended: null,
    plan: {
      source: 'Slack',
      people: { people: 3, bots: 1, here: 1, without_address: ['Carl'] },
      channels: { public: 3, archived: 1 },
      messages: { source: 5, kept: 4, faulty: 1, replies: 1, first: 1709542800, last: 1709542803 },
    },
    channels: [
      { key: 'C1', name: 'general', is_private: false, is_archived: false, members: 2 },
      { key: 'C2', name: 'old-talk', is_archived: true },
      { key: 'C3', name: 'noise' },
    ],
    written: {},
    faults: [{ count: 1, first: [/general\/2024-03-04.json/] }],
  })
  t.same(found.people, [
    { key: 'U2', name: 'Bob', email: 'bob@elsewhere.example', is_bot: false, is_active: true, user_id: null },
    { key: 'U3', name: 'Carl', email: null, is_bot: false, is_active: true, user_id: null },
    { key: 'U4', name: 'Deploy', email: null, is_bot: true, is_active: true, user_id: null },
    { key: 'U1', name: 'Alice', email: 'Alice@Acme.example', is_bot: false, is_active: true, user_id: admin.id },
  ])
  t.equal(await digestOfImports(sql), before, 'the check changes nothing')

  await admin.ok('POST', `/imports/${id}/start`, {
    people: { U2: robert.id },
    channels: { C2: 'Archive of talk' },
    left_out_channels: ['C3'],
    out_of_order: false,
  })
  const ended = await rested(admin, id)
  t.match(ended, { state: 'finished', written: { messages: 3, 'pointers to threads': 1 }, people: [], channels: [] })
  t.ok(ended.ended >= ended.requested)
  const { messages } = await robert.ok('GET', '/messages', {
    anchor: 'newest',
    num_before: 10,
    num_after: 0,
    narrow: [],
  })
  t.same(
    messages.map((one: Loose) => [
      one.display_recipient,
      one.subject,
      one.sender_full_name,
      one.flags.includes('read'),
    ]),
    [
      ['general', 'Ship on Friday?', 'Robert', true],
      ['general', 'general chat', 'Robert', true],
      ['general', 'Ship on Friday?', 'Carl', true],
      ['Archive of talk', 'general chat', 'Robert', true],
    ],
  )
  const { streams } = await admin.ok('GET', '/streams', { include_all: true, exclude_archived: false })
  const names = streams.map((one: Loose) => one.name)
  t.ok(names.includes('general') && names.includes('Archive of talk') && !names.includes('noise'))
  t.same(await sql`select from users where delivery_email = 'bob@elsewhere.example'`, [], 'Bob is Robert')
  t.same(await sql`select key from import_requests where key is not null`, [], 'the archive is removed')
  const log = await sql`select event, actor_id from audit_log where event like 'import/%' order by id`
  t.same(
    log.map(({ event, actor_id }) => [event, actor_id]),
    [
      ['import/requested', admin.id],
      ['import/started', admin.id],
    ],
  )
  const [created] =
    await sql`select actor_id, operator from audit_log where event = 'realm_user/add' order by id desc limit 1`
  t.match(created, { actor_id: admin.id }, 'accounts are made in the name of who started it')

  t.match(await admin.post(`/imports/${id}/start`), { ...refused, body: { msg: 'The archive is imported already' } })
  await admin.ok('DELETE', `/imports/${id}`)
  t.match(await admin.get(`/imports/${id}`), { ...refused, body: { msg: 'Invalid import ID' } })
  t.same((await admin.ok('GET', '/imports')).imports, [])
})

t.test('an archive that cannot be imported fails with the reason, without paths of the server', async t => {
  const broken = await requested(owner, await archive({ 'readme.txt': 'Hello' }))
  const found = await rested(owner, broken)
  t.match(found, {
    state: 'failed',
    reason: /^The archive is of no known server/,
    source: null,
    plan: null,
    people: [],
  })
  const address = await upload(server.url, owner, { name: 'x.zip', bytes: 'no zip', type: 'application/zip' })
  const { id } = await owner.ok('POST', '/imports', { path_id: pathIn(address) })
  t.match(await rested(owner, id), {
    state: 'failed',
    reason: 'The archive is neither a ZIP or tar archive nor a known file of messages.',
  })
  t.match(await owner.post(`/imports/${id}/start`), {
    ...refused,
    body: { msg: 'The check of the archive has failed' },
  })
  await owner.ok('DELETE', `/imports/${id}`)
  await owner.ok('DELETE', `/imports/${broken}`)
})

t.test('older messages of a later archive are refused, and come with the choice for it', async t => {
  const older = {
    'users.json': [{ id: 'U1', real_name: 'Alice', profile: { email: 'alice@acme.example' } }],
    'channels.json': [{ id: 'C1', name: 'general', members: ['U1'] }],
    'general/2023-03-04.json': [{ user: 'U1', ts: '1677920400.000100', text: 'Before all' }],
  }
  const id = await requested(owner, await archive(older))
  await rested(owner, id)
  await owner.ok('POST', `/imports/${id}/start`)
  t.match(await rested(owner, id), { state: 'failed', reason: /older than those of an earlier import/ })
  await owner.ok('POST', `/imports/${id}/start`, { out_of_order: true })
  t.match(await rested(owner, id), { state: 'finished', reason: null, written: { messages: 1 } })
  await owner.ok('DELETE', `/imports/${id}`)
})

t.test('who may not, and what is refused', async t => {
  const address = await upload(server.url, robert, { name: 'a.zip', bytes: 'x', type: 'application/zip' })
  t.match(await robert.post('/imports', { path_id: pathIn(address) }), forbidden)
  t.match(await robert.get('/imports'), forbidden)
  t.match(await robert.get('/imports/1'), forbidden)
  t.match(await robert.post('/imports/1/start'), forbidden)
  t.match(await robert.delete('/imports/1'), forbidden)
  t.equal((await server.api(null).get('/imports')).status, 401)
  const invalid = { ...refused, body: { msg: 'Invalid attachment' } }
  t.match(await admin.post('/imports', { path_id: pathIn(address) }), invalid, 'a file of another person')
  t.match(await admin.post('/imports', { path_id: '1/00/none/x.zip' }), invalid)
  t.match(await admin.post('/imports', { path_id: 'x'.repeat(2000) }), refused)
  const used = await upload(server.url, admin, { name: 'b.zip', bytes: 'x', type: 'application/zip' })
  await admin.ok('POST', '/messages', { type: 'private', to: [owner.id], content: `[b](${used})` })
  t.match(await admin.post('/imports', { path_id: pathIn(used) }), invalid, 'a message uses it')
  const none = { ...refused, body: { msg: 'Invalid import ID' } }
  t.match(await admin.get('/imports/999999'), none)
  t.match(await admin.post('/imports/999999/start'), none)
  t.match(await admin.delete('/imports/999999'), none)
  t.match(await admin.delete('/imports/9007199254740991'), none)
  t.equal((await admin.get('/imports/x')).status, 404)
  t.equal((await admin.post('/imports/x/start')).status, 404)
  t.equal((await admin.delete('/imports/x')).status, 404)

  const id = await requested(admin, await archive({ ...slack, 'note.json': [] }))
  await rested(admin, id)
  const start = (params: Loose) => admin.post(`/imports/${id}/start`, params)
  t.match(await start({ people: { U2: 999999 } }), { ...refused, body: { msg: 'No such user' } })
  t.match(await start({ people: { U2: bot.id } }), { ...refused, body: { msg: 'No such user' } })
  t.match(await start({ people: { U2: 'Robert' } }), refused)
  t.match(await start({ people: [1] }), refused)
  t.match(await start({ people: { 'U\0': robert.id } }), refused)
  t.match(await start({ channels: { 'C\0': 'x' } }), refused)
  t.match(await start({ left_out_channels: ['C\0'] }), refused)
  t.match(await start({ people: Object.fromEntries(Array.from({ length: 2001 }, (_, i) => [i, 1])) }), refused)
  t.match(await start({ channels: { C1: '' } }), refused)
  t.match(await start({ channels: { C1: 'x'.repeat(61) } }), refused)
  t.match(await start({ channels: 'x' }), refused)
  t.match(await start({ left_out_channels: [1] }), refused)
  t.match(await start({ left_out_channels: Array.from({ length: 2001 }, (_, i) => String(i)) }), refused)
  t.match(await start({ out_of_order: 'perhaps' }), refused)
  t.match(await admin.ok('GET', `/imports/${id}`), { import: { state: 'ready' } }, 'nothing was begun')
  await admin.ok('DELETE', `/imports/${id}`)
})

t.test('while a worker is at it, an archive can be neither started nor deleted; a dead job ends it', async t => {
  // Another job of the key keeps the check waiting.
  await sql`insert into jobs (kind, key, payload, due) values ('mail', 'imports', '{}', now() + interval '1 hour')`
  const id = await requested(admin, await archive({ ...slack, 'note.json': [1] }))
  t.match(await admin.post(`/imports/${id}/start`), {
    ...refused,
    body: { msg: 'The archive is still being checked' },
  })
  t.match(await admin.delete(`/imports/${id}`), { ...refused, body: { msg: 'The archive is still being checked' } })
  await sql`update import_requests set state = 'running' where id = ${id}`
  t.match(await admin.ok('GET', '/imports'), { imports: [{ id, state: 'running', percent: 0 }] })
  t.match(await admin.post(`/imports/${id}/start`), { ...refused, body: { msg: 'The import is still running' } })
  t.match(await admin.delete(`/imports/${id}`), { ...refused, body: { msg: 'The import is still running' } })
  await sql`update jobs set state = 'dead' where kind = 'import'`
  await sql`update jobs set due = now() where kind = 'end-imports'`
  await until(async () => (await admin.ok('GET', `/imports/${id}`)).import.state === 'failed')
  t.match(await admin.ok('GET', `/imports/${id}`), { import: { reason: '' } })
  await sql`update import_requests set ended = now() - interval '8 days' where id = ${id}`
  await sql`update jobs set due = now() where kind = 'end-imports'`
  await until(async () => (await admin.ok('GET', '/imports')).imports.length === 0)
  await sql`delete from jobs where key = 'imports'`
})

t.test('five archives are kept at most', async t => {
  await sql`
    insert into import_requests (requester_id, requested, name, size, key, state)
    select ${owner.id}, now(), 'x.zip', 1, 'key ' || n, 'ready' from generate_series(1, 5) as n`
  const address = await upload(server.url, owner, { name: 'c.zip', bytes: 'x', type: 'application/zip' })
  t.match(await owner.post('/imports', { path_id: pathIn(address) }), { ...refused, body: { msg: /5 archives/ } })
  t.equal((await owner.ok('GET', '/attachments')).attachments.length, 1, 'the file stays one of the person')
  await sql`delete from import_requests`
})
