import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { runImport } from '../../../server/transfer/run.js'
import { until } from '../../http/until.js'
import { writeArchive } from '../../support/archive.js'
import { rested } from '../../support/imports.js'
import { kinds, Listener, type Loose } from '../../support/in-step.js'
import { startServer } from '../../support/server.js'

const folder = await mkdtemp(join(tmpdir(), 'parley-undo-import-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))
const server = await startServer(t)
const { sql } = server
const admin = await server.person({ role: 200, email: 'alice@acme.example', full_name: 'Alice' })
const refused = (msg: string) => ({ status: 400, body: { code: 'BAD_REQUEST', msg } })
const file = await writeArchive(folder, 'slack.zip', {
  'users.json': [
    { id: 'U1', real_name: 'Alice', profile: { email: 'alice@acme.example' } },
    { id: 'U2', real_name: 'Bob', profile: { email: 'bob@acme.example' } },
    { id: 'U3', real_name: 'Carl' },
    { id: 'U4', real_name: 'Deploy', is_bot: true, profile: {} },
  ],
  'channels.json': [
    { id: 'C1', name: 'general', is_general: true, creator: 'U2', members: ['U1', 'U2'] },
    { id: 'C2', name: 'used', members: ['U1', 'U2'] },
    { id: 'C3', name: 'named', members: ['U1'] },
  ],
  'groups.json': [{ id: 'G1', name: 'secret', members: ['U2'] }],
  'dms.json': [{ id: 'D1', members: ['U2', 'U3'] }],
  'general/2024-03-04.json': [
    { user: 'U2', ts: '1709542800.000100', text: 'Hello <@U1>', reactions: [{ name: '+1', users: ['U1'] }] },
    { user: 'U3', ts: '1709542801.000100', text: 'Hello', files: [{ id: 'F1', name: 'notes.txt' }] },
  ],
  '__uploads/F1/notes.txt': 'A file',
  'used/2024-03-04.json': [{ user: 'U3', ts: '1709542802.000100', text: 'Hello' }],
  'D1/2024-03-04.json': [{ user: 'U3', ts: '1709542803.000100', text: 'Hello' }],
})

/** The id of a request whose archive is imported. */
async function imported(): Promise<number> {
  const { digest } = await runImport(server.ctx, file, { outOfOrder: false })
  const [{ id }] = await sql<[{ id: number }]>`
    insert into import_requests (requester_id, requested, name, size, state, digest, ended)
    values (${admin.id}, now(), 'slack.zip', 1, 'finished', ${digest}, now()) returning id`
  return id
}
const undone = async (id: number): Promise<Loose> => {
  await admin.ok('POST', `/imports/${id}/undo`)
  return rested(admin, id)
}
const names = async () =>
  (await admin.ok('GET', '/streams', { include_all: true })).streams.map((one: Loose) => one.name).sort()
const people = async () => (await admin.ok('GET', '/users')).members.map((one: Loose) => one.full_name)

t.test('while people work, an administrator takes away all that an import has brought', async t => {
  const before = { names: await names(), people: await people() }
  const id = await imported()
  t.match(await admin.ok('GET', `/imports/${id}`), {
    import: { state: 'finished', can_be_undone: true, undone: null, written: { messages: 4 } },
  })
  t.same((await names()).length, before.names.length + 4)
  const listener = await Listener.start(server.ctx, admin)
  const ended = await undone(id)
  const types = kinds(await listener.inStep(t))
  t.same([...new Set(types)].sort(), [
    'default_streams',
    'realm_bot/delete',
    'realm_user/remove',
    'realm_user/update',
    'stream/delete',
    'subscription/remove',
  ])
  t.equal(types.filter(type => type === 'stream/delete').length, 4)
  t.match(ended, {
    state: 'undone',
    reason: null,
    can_be_undone: false,
    written: {},
    undone: { messages: 4, accounts: 3, accounts_that_stay: 0, channels: 4, channels_that_stay: [] },
  })
  t.same({ names: await names(), people: await people() }, before, 'this worker has forgotten them')
  t.same(await sql`select from messages where client = 'import'`, [])
  t.same(await sql`select from attachments where name = 'notes.txt'`, [])
  t.same(await sql`select from user_groups where name is null`, [])
  t.match(await admin.post(`/imports/${id}/undo`), refused('Nothing is imported from the archive'))
  t.match(await admin.post(`/imports/${id}/start`), refused('The archive is not kept any more'))
  const log = await sql`select actor_id from audit_log where event = 'import/undone'`
  t.same([...log], [{ actor_id: admin.id }])
  await admin.ok('DELETE', `/imports/${id}`)
})

t.test('what was used since stays, and the answer names it', async t => {
  const id = await imported()
  const channels = new Map(
    (await sql<{ name: string; id: number }[]>`select name, id from channels`).map(one => [one.name, one.id]),
  )
  const to = channels.get('used')
  await admin.ok('POST', '/messages', { type: 'channel', to, topic: 'now', content: 'Written here' })
  await admin.ok('POST', '/scheduled_messages', {
    type: 'channel',
    to: channels.get('named'),
    topic: 'later',
    content: 'Later',
    scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 86_400,
  })
  await sql`update users set password_hash = 'x' where delivery_email = 'bob@acme.example'`
  t.match((await undone(id)).undone, {
    messages: 4,
    accounts: 2,
    accounts_that_stay: 1,
    channels: 2,
    channels_that_stay: ['used', 'named'],
  })
  const { messages } = await admin.ok('GET', '/messages', {
    anchor: 'newest',
    num_before: 10,
    num_after: 0,
    narrow: [{ operator: 'channel', operand: to }],
  })
  t.same(
    messages.map((one: Loose) => one.content),
    ['<p>Written here</p>'],
  )
  const { streams } = await admin.ok('GET', '/streams')
  t.equal(streams.find((one: Loose) => one.stream_id === to).first_message_id, messages[0].id)
  const { id: sent } = await admin.ok('POST', '/messages', { type: 'channel', to, topic: 'now', content: 'And again' })
  t.ok(sent > messages[0].id, 'the channel lives on')
  t.ok((await people()).includes('Bob'))
  await admin.ok('DELETE', `/imports/${id}`)
})

t.test('who may not, and what is refused', async t => {
  const member = await server.person()
  t.match(await member.post('/imports/1/undo'), { status: 400, body: { code: 'UNAUTHORIZED_PRINCIPAL' } })
  t.match(await admin.post('/imports/999999/undo'), refused('Invalid import ID'))
  t.match(await admin.post('/imports/9007199254740991/undo'), refused('Invalid import ID'))
  t.equal((await admin.post('/imports/x/undo')).status, 404)
  const [{ id }] = await sql<[{ id: number }]>`
    insert into import_requests (requester_id, requested, name, size, state, digest)
    values (${admin.id}, now(), 'x.zip', 1, 'ready', 'x') returning id`
  t.match(await admin.post(`/imports/${id}/undo`), refused('Nothing is imported from the archive'))
  t.match(await admin.ok('GET', `/imports/${id}`), { import: { state: 'ready', can_be_undone: false } })
  for (const [state, msg] of [
    ['checking', 'The archive is still being checked'],
    ['running', 'The import is still running'],
    ['undoing', 'The import is being undone'],
  ] as const) {
    await sql`update import_requests set state = ${state} where id = ${id}`
    t.match(await admin.post(`/imports/${id}/undo`), refused(msg))
    t.match(await admin.post(`/imports/${id}/start`), refused(msg))
    t.match(await admin.delete(`/imports/${id}`), refused(msg))
  }
  await sql`update jobs set due = now() where kind = 'end-imports'`
  await until(async () => (await admin.ok('GET', `/imports/${id}`)).import.state === 'failed')
  await admin.ok('DELETE', `/imports/${id}`)
})
