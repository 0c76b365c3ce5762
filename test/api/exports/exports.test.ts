import { execFileSync } from 'node:child_process'
import t from 'tap'
import { until } from '../../http/until.js'
import { Archive, exported, exportsOf } from '../../support/exports.js'
import { upload } from '../../support/files.js'
import { Listener, type Loose } from '../../support/in-step.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { checkObject } from '../../support/wire-schemas.js'

const server = await startServer(t, { EXPORT_MAX_MESSAGES: '1000' })
const { sql } = server
const refused = { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } }

/** Requests of a week count, so each test begins with none. */
const noneYet = () => sql`update exports set requested = requested - interval '8 days'`
const archiveOf = async (who: Person, params: Loose = {}) => Archive.at((await exported(who, params)).export_url)

async function channelOf(owner: Person, name: string, given: Loose = {}): Promise<number> {
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], ...given })
  return (await owner.ok('GET', '/get_stream_id', { stream: name })).stream_id
}
const say = async (who: Person, to: number | number[], content: string): Promise<number> => {
  const place = typeof to === 'number' ? { type: 'stream', topic: 'talk' } : { type: 'private' }
  return (await who.ok('POST', '/messages', { ...place, to, content })).id
}

const [owner, admin, sharing, other] = [
  await server.person({ role: 100, full_name: 'Olga Owner' }),
  await server.person({ role: 200, full_name: 'Adam Admin' }),
  await server.person({ full_name: 'Shirin Sharing', email_address_visibility: 4 }),
  await server.person({ full_name: 'Otto Other', email_address_visibility: 4 }),
]
await sharing.ok('PATCH', '/settings', { allow_private_data_export: true })
await owner.ok('PATCH', '/settings', { allow_private_data_export: true })
const open = await channelOf(owner, 'open')
await other.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'open' }] })
const closed = await channelOf(other, 'closed', { invite_only: true })
const protectedOne = await channelOf(other, 'protected', { invite_only: true, history_public_to_subscribers: false })
const file = await upload(server.url, other, { name: 'plan.txt', bytes: 'the plan', type: 'text/plain' })
const hidden = await upload(server.url, other, { name: 'secret.txt', bytes: 'the secret', type: 'text/plain' })
const publicOne = await say(other, open, `public [plan](${file})`)
await say(other, closed, `closed [secret](${hidden})`)
await say(other, protectedOne, 'before Shirin came')
await other.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'protected' }], principals: [sharing.id] })
await say(other, protectedOne, 'received by Shirin')
await say(other, [sharing.id], 'direct to Shirin')
await say(other, [admin.id], 'direct to Adam')
await say(other, [admin.id, sharing.id], 'to both')
await owner.ok('POST', `/messages/${publicOne}/reactions`, { emoji_name: 'heart' })
await other.ok('POST', '/messages/flags', { messages: [publicOne], op: 'add', flag: 'starred' })
await other.ok('POST', '/messages/flags', { messages: [publicOne], op: 'add', flag: 'read' })

const ownContents = (archive: Archive) =>
  archive.contents.filter(content => !/export|welcome|created|subscribed you/i.test(content))

t.test('an export is announced, progresses, and is downloaded from an address without credentials', async t => {
  const ear = await Listener.start(server.ctx, admin)
  const bystander = await Listener.start(server.ctx, other)
  const { id } = await admin.ok('POST', '/export/realm')
  await until(async () => (await exportsOf(admin)).every(one => !one.pending))
  const [found] = await exportsOf(admin)
  t.same(checkObject('realm_export', found), [])
  t.match(found, {
    id,
    acting_user_id: admin.id,
    export_type: 'public',
    deleted_timestamp: null,
    failed_timestamp: null,
  })
  t.match(found?.export_url, /^http:.*\/user_avatars\/exports\/[\w-]{32}\/export-[\d-]+\.tar\.gz$/)
  const events = await ear.inStep(t)
  t.match(
    events.map(event => event.type).filter(type => type !== 'update_message_flags'),
    ['realm_export', 'message', 'realm_export'],
    'the message comes before the last event',
  )
  t.match(events[0], { exports: [{ id, pending: true, export_url: null }] })
  t.match(events.at(-1), {
    exports: [{ id, pending: false, export_url: new RegExp(`${new URL(found?.export_url).pathname}$`) }],
  })
  t.match(
    events.find(event => event.type === 'message'),
    { message: { content: /is ready.*organization\/exports/ } },
  )
  t.same(await bystander.inStep(t), [], 'others get no event')
  const log = await sql`select event, actor_id from audit_log where event like 'realm_export/%'`
  t.match([...log], [{ event: 'realm_export/requested', actor_id: admin.id }])
})

t.test('the archive is served in ranges, and other programs read it', async t => {
  const url: string = (await exportsOf(admin)).at(-1)?.export_url
  const head = await fetch(url, { method: 'HEAD' })
  const size = Number(head.headers.get('content-length'))
  const whole = Buffer.from(await (await fetch(url)).arrayBuffer())
  t.equal(whole.length, size)
  t.match(Object.fromEntries(head.headers), {
    'content-type': 'application/gzip',
    'cache-control': 'private, no-store',
    'content-disposition': /^attachment; filename="export-.*\.tar\.gz"$/,
  })
  for (const [start, end] of [
    [0, 9],
    [5, size - 1],
    [size - 400, size - 1],
    [300, 301],
  ] as const) {
    const answer = await fetch(url, { headers: { Range: `bytes=${start}-${end}` } })
    t.equal(answer.status, 206)
    t.same(Buffer.from(await answer.arrayBuffer()), whole.subarray(start, end + 1), `${start} to ${end}`)
  }
  t.equal((await fetch(url, { headers: { Range: `bytes=${size}-` } })).status, 416)
  t.equal((await fetch(url, { method: 'POST' })).status, 405)
  for (const wrong of [
    url.slice(0, -3),
    `${url}/x`,
    url.replace(/exports\/./, one => one.replace(/.$/, one.endsWith('x') ? 'y' : 'x')),
    url.replace(/export-/, ''),
  ]) {
    t.equal((await fetch(wrong)).status, 404)
  }
  const names = String(execFileSync('tar', ['tzf', '-'], { input: whole }))
    .trim()
    .split('\n')
  t.ok(names.some(name => name.endsWith('/realm.json')))
  t.ok(names.every(name => name.startsWith('export-')))
})

t.test('a public export has messages of public channels, and no private data', async t => {
  await noneYet()
  const archive = await archiveOf(admin)
  t.same(ownContents(archive), [`public [plan](${file})`])
  t.same(archive.received, [], 'what people have read or starred is their own')
  t.same(
    archive.table('stream').filter(one => one.invite_only),
    [],
  )
  t.same(archive.table('huddle'), [])
  t.match(archive.table('reaction'), [{ message: publicOne, emoji_name: 'heart', user_profile: owner.id }])
  const names = (row: Loose[]) => row.map(one => one.file_name)
  t.same(names(archive.json('attachment.json').zerver_attachment), ['plan.txt'])
  t.equal(String(archive.files.get(`uploads/${file.slice('/user_uploads/'.length)}`)), 'the plan')
  t.match(archive.json('uploads/records.json'), [{ user_profile_id: other.id, size: 8, content_type: 'text/plain' }])
  const person = archive.table('userprofile').find(one => one.id === other.id)
  t.equal(
    person?.delivery_email,
    `user${other.id}@${server.ctx.realmHost}`,
    'an address that administrators do not see',
  )
  t.equal(person?.twenty_four_hour_time, undefined)
  t.match(archive.table('realm'), [{ id: 1, name: 'Parley' }])
  t.match(
    archive.messages.find(one => one.id === publicOne),
    {
      sender: other.id,
      recipient: archive.table('stream').find(one => one.id === open)?.recipient,
      subject: 'talk',
      realm: 1,
      is_channel_message: true,
      has_attachment: true,
      sending_client: archive.table('client').find(one => one.name)?.id,
    },
  )
})

t.test('with consent it has what those who agreed can see, and their private data', async t => {
  const archive = await archiveOf(admin, { export_type: 'full_with_consent' })
  t.same(ownContents(archive), [`public [plan](${file})`, 'received by Shirin', 'direct to Shirin', 'to both'])
  const channels = archive.table('stream').map(one => one.id)
  t.ok(channels.includes(protectedOne))
  t.notOk(channels.includes(closed))
  const accounts = new Set(archive.received.map(one => one.user_profile))
  t.same([...accounts].sort(), [owner.id, sharing.id].sort())
  const people = archive.table('userprofile')
  t.equal(people.find(one => one.id === sharing.id)?.delivery_email, sharing.email)
  t.not(people.find(one => one.id === other.id)?.delivery_email, other.email)
  t.same(
    archive.table('huddle').map(one => one.group_size),
    [3],
  )
})

t.test('without consent it has everything, but no secrets', async t => {
  const archive = await archiveOf(owner, { export_type: 'full_without_consent' })
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from messages where id <= (select cut from exports order by id desc limit 1)`
  t.equal(archive.messages.length, row?.count)
  const star = archive.received.find(one => one.message === publicOne && one.user_profile === other.id)
  t.equal(star?.flags_mask, 1 | 2, 'read and starred')
  const direct = archive.messages.find(one => one.content === 'direct to Adam')
  const mask = archive.received.find(one => one.message === direct?.id && one.user_profile === admin.id)?.flags_mask
  t.equal(mask, 2048, 'a direct message that is not read')
  t.same(
    archive.table('recipient').find(one => one.id === direct?.recipient),
    {
      id: admin.id * 4 + 1,
      type: 1,
      type_id: admin.id,
    },
  )
  t.match(
    archive.table('huddle').map(one => one.group_size),
    [3],
  )
  const text = [...archive.files.values()].join('\n')
  for (const { api_key } of [owner, admin, sharing, other]) t.notMatch(text, new RegExp(api_key))
  const [organization] = await sql<{ secret: string }[]>`select secret from organization`
  t.notMatch(text, new RegExp(String(organization?.secret)))
  const tables = Object.keys(archive.json('realm.json'))
  for (const name of ['confirmation', 'preregistrationuser', 'multiuseinvite', 'pushdevicetoken', 'session']) {
    t.notOk(tables.includes(`zerver_${name}`), name)
  }
  t.ok(archive.table('subscription').length > 5)
  t.same(new Set(archive.messages.map(one => typeof one.date_sent)), new Set(['number']))
})

t.test('an export since another one has the messages since then', async t => {
  await noneYet()
  const first = await exported(admin)
  const id = await say(other, open, 'afterwards')
  const archive = await archiveOf(admin, { since_export_id: first.id })
  t.same(
    archive.messages.map(one => one.id),
    [id],
  )
  t.same(archive.json('uploads/records.json'), [], 'its file came before')
  t.same(archive.json('attachment.json').zerver_attachment.length, 1)
  t.match(archive.table('reaction'), [{ message: publicOne }], 'tables are complete')
  await owner.ok('DELETE', `/export/realm/${first.id}`)
  t.equal((await archiveOf(admin, { since_export_id: first.id })).messages.length, 1, 'a deleted one counts')
  for (const wrong of [
    { since_export_id: 999_999 },
    { since_export_id: first.id, export_type: 'full_without_consent' },
    { since_export_id: 'x' },
    { since_export_id: -1 },
    { export_type: 'everything' },
    { export_type: 1 },
  ]) {
    t.match(await admin.post('/export/realm', wrong), refused, JSON.stringify(wrong))
  }
})

t.test('an archive is deleted once, on request or after a week', async t => {
  await noneYet()
  const { id, export_url: url } = await exported(admin)
  const ear = await Listener.start(server.ctx, owner)
  await admin.ok('DELETE', `/export/realm/${id}`)
  const events = await ear.inStep(t)
  const deleted = events.at(-1)?.exports.find((one: Loose) => one.id === id)
  t.match(deleted, { export_url: null, deleted_timestamp: Number, pending: false })
  t.equal((await fetch(url)).status, 404)
  t.match(await admin.delete(`/export/realm/${id}`), { status: 400, body: { msg: 'Export already deleted' } })
  t.match(await admin.delete('/export/realm/999999'), { status: 400, body: { msg: 'Invalid data export ID' } })
  t.equal((await admin.delete('/export/realm/x')).status, 404)
  const old = await exported(admin)
  await sql`update exports set finished = now() - interval '7 days' where id = ${old.id}`
  await sql`update jobs set due = now() where kind = 'end-exports'`
  server.jobs.look()
  await until(async () => (await exportsOf(admin)).at(-1)?.deleted_timestamp !== null)
  await sql`update jobs set due = now() where kind = 'remove-files'`
  server.jobs.look()
  const keys = () => sql`select key from loose_files where key like 'exports/%'`
  await until(async () => (await keys()).length === 0)
  t.same([...(await sql`select * from export_parts where export_id in (${id}, ${old.id})`)], [])
})

t.test('one that is pending or failed is not deleted; one that workers gave up has failed', async t => {
  await noneYet()
  await server.sql`insert into jobs (kind, key, payload, due) values ('mail', 'exports', '{}', now() + interval '1 hour')`
  const { id } = await admin.ok('POST', '/export/realm')
  t.match((await admin.ok('GET', '/export/realm')).progress, [{ id, percent: 0 }])
  t.match(await admin.delete(`/export/realm/${id}`), { status: 400, body: { msg: 'Export still in progress' } })
  await admin.ok('PATCH', '/settings', { default_language: 'de' })
  await sql`update jobs set state = 'dead' where kind = 'export'`
  await sql`delete from jobs where kind = 'mail'`
  await sql`update jobs set due = now() where kind = 'end-exports'`
  server.jobs.look()
  await until(async () => (await exportsOf(admin)).at(-1)?.failed_timestamp !== null)
  t.match(await admin.delete(`/export/realm/${id}`), { status: 400, body: { msg: 'Export failed, nothing to delete' } })
  await until(async () => {
    const { messages } = await admin.ok('GET', '/messages', {
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      narrow: [],
    })
    return /Der Export.* ist fehlgeschlagen.*Exporte/.test(messages[0]?.content)
  })
})

t.test('an owner must agree, or show the address', async t => {
  await noneYet()
  await owner.ok('PATCH', '/settings', { allow_private_data_export: false, email_address_visibility: 4 })
  t.match(await admin.post('/export/realm', { export_type: 'full_with_consent' }), refused)
  t.match(await admin.post('/export/realm', { export_type: 'public' }), refused)
  t.equal((await exported(admin, { export_type: 'full_without_consent' })).pending, false)
})

t.test('five exports may be requested in seven days', async t => {
  await noneYet()
  await owner.ok('PATCH', '/settings', { email_address_visibility: 1 })
  const answers = await Promise.all(Array.from({ length: 7 }, () => admin.post('/export/realm')))
  t.same(answers.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 400, 400])
  await until(async () => (await exportsOf(admin)).every(one => !one.pending))
  await admin.ok('DELETE', `/export/realm/${(await exportsOf(admin)).at(-1)?.id}`)
  t.match(
    await admin.post('/export/realm'),
    { ...refused, body: { msg: 'Exceeded rate limit.' } },
    'deleted ones count',
  )
  await noneYet()
  t.equal((await admin.post('/export/realm')).status, 200)
})

t.test('an organization that is too large is exported on the command line', async t => {
  await noneYet()
  await sql`
    insert into messages (sender_id, channel_id, topic, content, rendered_content, renderer_version)
    select ${other.id}, ${open}, 'many', 'x', '<p>x</p>', 1 from generate_series(1, 1000)`
  t.match(await admin.post('/export/realm'), { status: 400, body: { msg: /command line/ } })
})
