import t from 'tap'
import { type Archive, personArchive, personExported, personExportsOf } from '../../support/exports.js'
import { upload } from '../../support/files.js'
import { Listener, type Loose } from '../../support/in-step.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const { sql } = server
const refused = { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } }
const forbidden = { status: 400, body: { code: 'UNAUTHORIZED_PRINCIPAL' } }

/** Requests of a week count, so a test begins with none. */
const noneYet = () => sql`update exports set requested = requested - interval '8 days'`

const [owner, admin, person, friend, guest] = [
  await server.person({ role: 100, full_name: 'Olga Owner' }),
  await server.person({ role: 200, full_name: 'Adam Admin' }),
  await server.person({ full_name: 'Petra Person', email_address_visibility: 4 }),
  await server.person({ full_name: 'Fritz Friend', email_address_visibility: 4 }),
  await server.person({ role: 600, full_name: 'Gisela Guest' }),
]
const say = async (who: Person, to: number | number[], content: string, topic = 'talk'): Promise<number> => {
  const place = typeof to === 'number' ? { type: 'stream', topic } : { type: 'private' }
  return (await who.ok('POST', '/messages', { ...place, to, content })).id
}
async function channelOf(creator: Person, name: string, given: Loose = {}): Promise<number> {
  await creator.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], ...given })
  return (await creator.ok('GET', '/get_stream_id', { stream: name })).stream_id
}
const open = await channelOf(friend, 'open')
await person.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'open', color: '#76ce90' }] })
const former = await channelOf(friend, 'former', { invite_only: true, principals: [friend.id, person.id, owner.id] })
const foreign = await channelOf(friend, 'foreign', { invite_only: true })
const cv = await upload(server.url, person, { name: 'cv.txt', bytes: 'my life', type: 'text/plain' })
const unused = await upload(server.url, person, { name: 'unused.txt', bytes: 'unused', type: 'text/plain' })
const given = await upload(server.url, friend, { name: 'given.txt', bytes: 'given to Petra', type: 'text/plain' })
const kept = await upload(server.url, friend, { name: 'kept.txt', bytes: 'kept', type: 'text/plain' })
const own = await say(person, open, `own [cv](${cv})`)
await person.ok('PATCH', `/messages/${own}`, { content: `own, edited [cv](${cv})` })
const lost = await say(person, former, 'own, of a former channel', 'before')
const others = await say(friend, open, `others [kept](${kept})`)
await say(friend, foreign, 'foreign')
await say(friend, [person.id], `for Petra [given](${given})`)
await say(friend, [person.id, admin.id], 'for Petra and Adam')
await say(friend, [admin.id], 'not for Petra')
await person.ok('POST', `/messages/${others}/reactions`, { emoji_name: 'heart' })
await friend.ok('POST', `/messages/${own}/reactions`, { emoji_name: 'eyes' })
await person.ok('POST', '/messages/flags', { messages: [own], op: 'add', flag: 'starred' })
await person.ok('POST', '/messages/flags', { messages: [own], op: 'add', flag: 'read' })
await person.ok('POST', '/drafts', {
  drafts: [{ type: 'stream', to: [open], topic: 'a', content: 'my draft', timestamp: 1 }],
})
await friend.ok('POST', '/drafts', {
  drafts: [{ type: 'stream', to: [open], topic: 'a', content: 'draft of Fritz', timestamp: 1 }],
})
const scheduled_delivery_timestamp = Math.ceil(Date.now() / 1000) + 3600
const later = { type: 'channel', to: open, topic: 'a', content: 'my plan', scheduled_delivery_timestamp }
await person.ok('POST', '/scheduled_messages', later)
await person.ok('POST', '/reminders', { message_id: own, scheduled_delivery_timestamp, note: 'my note' })
await person.ok('POST', '/users/me/alert_words', { alert_words: ['petra'] })
await person.ok('POST', '/users/me/status', { status_text: 'away' })
await person.ok('PATCH', '/settings', { twenty_four_hour_time: true })
await admin.ok('PATCH', `/users/${person.id}`, { full_name: 'Petra P. Person' })
await sql`insert into sessions (user_id, token_hash, method, device, address)
  select id, sha256(id::text::bytea), 'password', 'Browser ' || id, '203.0.113.' || id from users where not is_bot`
await owner.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['former'], principals: [person.id] })
// After Petra has left.
await owner.ok('PATCH', `/streams/${former}`, { new_name: 'renamed' })
await owner.ok('PATCH', `/messages/${lost}`, { topic: 'hidden', propagate_mode: 'change_all' })

const texts = (archive: Archive): string => [...archive.files.values()].join('\n')
let archive: Archive

t.test('a person exports its own data, and learns when they are ready', async t => {
  const ear = await Listener.start(server.ctx, person)
  const { id } = await person.ok('POST', `/users/${person.id}/exports`)
  const found = await personExported(person, person.id, id)
  t.match(found, { id, acting_user_id: person.id, pending: false, failed_timestamp: null, deleted_timestamp: null })
  const events = await ear.inStep(t)
  t.match(
    events.filter(event => event.type === 'message').map(event => event.message.content),
    [/^The export of your data .* is ready.*#settings\/account/],
    'one message, of the end',
  )
  archive = await personArchive(person, person.id)
  t.match(await sql`select event, actor_id, subject from audit_log where event = 'user_export/requested'`, [
    { event: 'user_export/requested', actor_id: person.id, subject: { user_id: person.id, export_id: id } },
  ])
})

t.test('it has the own messages and all direct messages, with what the person marked', t => {
  t.same(
    archive.contents.filter(content => !/The export|welcome|subscribed|removed/i.test(content)),
    [`own, edited [cv](${cv})`, 'own, of a former channel', `for Petra [given](${given})`, 'for Petra and Adam'],
  )
  t.match(
    archive.received.find(one => one.message === own),
    { user_profile: person.id, flags_mask: 1 | 2 },
    'read and starred',
  )
  t.same([...new Set(archive.received.map(one => one.user_profile))], [person.id])
  const edited = archive.messages.find(one => one.id === own)
  t.match(JSON.parse(edited?.edit_history), [{ user_id: person.id, prev_content: `own [cv](${cv})` }])
  t.match(archive.messages.find(one => one.id === own)?.subject, 'talk')
  t.match(archive.table('reaction'), [{ message: others, emoji_name: 'heart', user_profile: person.id }])
  t.equal(archive.table('reaction').length, 1, 'reactions of others are theirs')
  t.end()
})

t.test('it names no channel and no topic that the person may not read', t => {
  t.equal(archive.messages.find(one => one.id === lost)?.subject, null)
  t.equal(archive.messages.find(one => one.id === lost)?.edit_history, null)
  t.same(
    archive.table('stream').map(one => one.name),
    ['open'],
  )
  t.notMatch(texts(archive), /renamed|hidden|foreign|not for Petra|draft of Fritz/)
  t.end()
})

t.test('it has files, settings and what is about the person, but no secrets', async t => {
  const names = archive.json('attachment.json').zerver_attachment.map((one: Loose) => one.file_name)
  t.same(names, ['cv.txt', 'unused.txt', 'given.txt'])
  for (const [path, bytes] of [
    [cv, 'my life'],
    [unused, 'unused'],
    [given, 'given to Petra'],
  ] as const) {
    t.equal(String(archive.files.get(`uploads/${path.slice('/user_uploads/'.length)}`)), bytes)
  }
  t.match(archive.table('userprofile'), [
    { id: person.id, full_name: 'Petra P. Person', delivery_email: person.email, twenty_four_hour_time: true },
  ])
  t.equal(archive.table('userprofile').length, 1)
  const correspondents = archive.table('correspondent')
  t.ok(correspondents.some(one => one.full_name === 'Fritz Friend'))
  t.notOk(
    correspondents.some(one => one.id === guest.id),
    'only people with whom it shares a conversation',
  )
  t.match(archive.table('realm'), [{ id: 1, name: 'Parley' }])
  t.match(archive.table('draft'), [{ content: 'my draft' }])
  t.match(archive.table('scheduledmessage'), [{ content: 'my plan' }])
  t.match(archive.table('reminder'), [{ note: 'my note' }])
  t.match(archive.table('alertword'), [{ word: 'petra' }])
  t.match(archive.table('userstatus'), [{ status_text: 'away' }])
  t.match(archive.table('session'), [{ device: `Browser ${person.id}`, address: `203.0.113.${person.id}` }])
  t.equal(archive.table('session').length, 1)
  t.ok(archive.table('subscription').some(one => one.recipient === open * 4 + 2 && one.color === '#76ce90'))
  const entries = archive.table('auditlog')
  const renaming = entries.find(one => one.event === 'realm_user/update' && one.actor === admin.id)
  t.match(renaming, { after: { full_name: 'Petra P. Person' }, address: null }, 'what others did to the person')
  const all = texts(archive)
  for (const { api_key } of [owner, admin, person, friend]) t.notMatch(all, new RegExp(api_key))
  for (const { email } of [owner, friend]) t.notMatch(all, new RegExp(email))
  const [session] = await sql`select encode(token_hash, 'hex') as hash from sessions where user_id = ${person.id}`
  t.notMatch(all, new RegExp(String(session?.hash)))
})

t.test('an administrator exports the data of a person, who learns of it, and does not share the archive', async t => {
  await noneYet()
  await person.ok('PATCH', '/settings', { default_language: 'de' })
  const ear = await Listener.start(server.ctx, person)
  const { id } = await admin.ok('POST', `/users/${person.id}/exports`)
  const found = await personExported(admin, person.id, id)
  t.match(found.export_url, /\/user_avatars\/exports\//)
  t.match(
    (await personExportsOf(person, person.id)).find(one => one.id === id),
    { acting_user_id: admin.id, export_url: null, deleted_timestamp: null },
    'the person sees that it was made, without its address',
  )
  t.match(
    (await personExportsOf(owner, person.id)).find(one => one.id === id),
    { export_url: null },
  )
  const told = (await ear.inStep(t)).filter(event => event.type === 'message').map(event => event.message.content)
  t.match(told, [/^@_\*\*Adam Admin\|\d+\*\* hat einen Export deiner Daten angefordert/])
  t.equal(told.length, 1)
  t.match(await person.delete(`/users/${person.id}/exports/${id}`), forbidden)
  t.match(await friend.delete(`/users/${person.id}/exports/${id}`), forbidden)
  t.match(await admin.delete(`/users/${friend.id}/exports/${id}`), {
    ...refused,
    body: { msg: 'Invalid data export ID' },
  })
  t.match(await admin.delete(`/export/realm/${id}`), { ...refused, body: { msg: 'Invalid data export ID' } })
  await owner.ok('DELETE', `/users/${person.id}/exports/${id}`)
  t.match(await admin.delete(`/users/${person.id}/exports/${id}`), {
    ...refused,
    body: { msg: 'Export already deleted' },
  })
  t.equal((await fetch(found.export_url)).status, 404)
  t.match(await sql`select actor_id from audit_log where event = 'user_export/deleted'`, [{ actor_id: owner.id }])
})

t.test('exports of people are no exports of the organization', async t => {
  await noneYet()
  const ear = await Listener.start(server.ctx, admin)
  const { id } = await person.ok('POST', `/users/${person.id}/exports`)
  await personExported(person, person.id, id)
  t.same(
    (await ear.inStep(t)).filter(event => event.type === 'realm_export'),
    [],
  )
  t.same((await admin.ok('GET', '/export/realm')).exports, [])
  t.match(await admin.post('/export/realm', { since_export_id: id }), refused)
  await person.ok('DELETE', `/users/${person.id}/exports/${id}`)
})

t.test('the data of a deactivated person can be exported, those of an erased one not', async t => {
  const gone = await server.person({ full_name: 'Gustav Gone' })
  await gone.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'open' }] })
  await say(gone, open, 'by Gustav')
  await owner.ok('DELETE', `/users/${gone.id}`)
  const { id } = await admin.ok('POST', `/users/${gone.id}/exports`)
  await personExported(admin, gone.id, id)
  t.ok((await personArchive(admin, gone.id)).contents.includes('by Gustav'))
  await sql`update users set is_deleted = true, is_active = false, version = version + 1 where id = ${gone.id}`
  await sql`update organization set version = version + 1`
  t.match(await admin.post(`/users/${gone.id}/exports`), { ...refused, body: { msg: 'No such user' } })
})

t.test('others are refused, as is a third request in seven days', async t => {
  await noneYet()
  const bot = await server.person({ bot_type: 1, bot_owner_id: person.id })
  for (const who of [friend, guest, await server.person({ role: 300 }), bot]) {
    t.match(await who.post(`/users/${person.id}/exports`), forbidden)
    t.match(await who.get(`/users/${person.id}/exports`), forbidden)
    t.match(await who.delete(`/users/${person.id}/exports/1`), forbidden)
    t.match(await who.post('/users/999999/exports'), forbidden, 'whether there is such a user stays unknown')
  }
  t.match(await bot.post(`/users/${bot.id}/exports`), { ...refused, body: { msg: 'No such user' } })
  t.match(await admin.post(`/users/${owner.id}/exports`), forbidden, 'of an owner only owners')
  t.match(await admin.get(`/users/${owner.id}/exports`), forbidden)
  t.equal((await server.api(null).post(`/users/${person.id}/exports`)).status, 401)
  for (const id of [bot.id, 999_999]) {
    t.match(await admin.post(`/users/${id}/exports`), { ...refused, body: { msg: 'No such user' } })
    t.match(await admin.get(`/users/${id}/exports`), refused)
  }
  t.equal((await admin.post('/users/x/exports')).status, 404)
  t.equal((await admin.delete(`/users/${person.id}/exports/x`)).status, 404)

  await server.jobs.stop()
  const answers = await Promise.all([1, 2, 3].map(() => guest.ok('POST', `/users/${guest.id}/exports`)))
  t.equal(new Set(answers.map(({ id }) => id)).size, 1, 'a repeated request gets the pending one')
  const { progress, exports } = await guest.ok('GET', `/users/${guest.id}/exports`)
  t.same(progress, [{ id: exports[0].id, percent: 0 }])
  t.match(await guest.delete(`/users/${guest.id}/exports/${exports[0].id}`), {
    ...refused,
    body: { msg: 'Export still in progress' },
  })
  const fail = () => sql`update exports set state = 'failed', ended = now() where requester_id = ${guest.id}`
  await fail()
  await guest.ok('POST', `/users/${guest.id}/exports`)
  await fail()
  t.match(await guest.post(`/users/${guest.id}/exports`), { ...refused, body: { msg: 'Exceeded rate limit.' } })
  t.equal((await owner.post(`/users/${guest.id}/exports`)).status, 200, 'another one may still request it')
  await sql`
    insert into exports (kind, requester_id, user_id, requested, token)
    select 'person', ${owner.id}, ${friend.id}, now() - interval '8 days', lpad(n::text, 32, 'x') from generate_series(1, 99) as n`
  t.match(await friend.post(`/users/${friend.id}/exports`), refused, 'a hundred wait')
})
