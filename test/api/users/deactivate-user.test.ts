import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { bumpVersion } from '../../../server/store/organization/organization.js'
import { until } from '../../http/until.js'
import { kinds, Listener, type Loose } from '../../support/in-step.js'
import { newMails } from '../../support/mails.js'
import { limitGuests, setOrganization } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { createChannel } from './scene.js'

const dataDir = await mkdtemp(join(tmpdir(), 'parley-mail-'))
t.teardown(() => rm(dataDir, { recursive: true, force: true }))
const server = await startServer(t, { DATA_DIR: dataDir })
const { sql, ctx } = server
const owner = await server.person({ role: 100 })
const admin = await server.person({ role: 200 })

const remove = (who: Person, whom: { id: number }, params: Loose = {}) => who.delete(`/users/${whom.id}`, params)
const refused = { status: 400, body: { code: 'BAD_REQUEST' } }

t.test('who may not, and who cannot be deactivated', async t => {
  const person = await server.person()
  const bot = await server.person({ bot_type: 1, bot_owner_id: person.id })
  const gone = await server.person({ is_active: false })
  for (const role of [300, 400, 600] as const) t.match(await remove(await server.person({ role }), person), refused)
  t.match(await remove(person, person), refused, 'not even itself')
  t.match(await remove(admin, bot), refused, 'a bot')
  t.match(await remove(admin, gone), refused, 'somebody who is deactivated')
  t.match(await remove(admin, { id: 99_999_999 }), refused, 'nobody')
  t.match(await remove(admin, owner), { status: 400, body: { code: 'UNAUTHORIZED_PRINCIPAL' } })
  t.match(await remove(owner, owner), refused, 'the only owner')
  for (const actions of ['yes', [1], { delete_profile: 'yes' }, '{']) {
    t.match(await remove(admin, person, { actions }), refused, JSON.stringify(actions))
  }
  t.match(await remove(admin, person, { deactivation_notification_comment: 'x'.repeat(2001) }), refused)
  t.equal((await person.get('/users/me')).status, 200, 'nothing was done')
  t.notOk((await readdir(dataDir)).includes('mail'), 'no mail either')
})

t.test('its key, its queue and its sockets end at once', async t => {
  const person = await server.person()
  const { queue_id } = await person.ok('POST', '/register', { fetch_event_types: [] })
  const waiting = person.get('/events', { queue_id, last_event_id: -1 })
  await admin.ok('DELETE', `/users/${person.id}`)
  t.match(await waiting, { status: 401, body: { code: 'UNAUTHORIZED' } })
  t.match(await person.get('/users/me'), { status: 401 })
  t.match(await remove(admin, person), refused, 'not twice')
})

t.test('bots come first, and each account first leaves its channels; all clients stay in step', async t => {
  const person = await server.person()
  const bot = await server.person({ bot_type: 1, bot_owner_id: person.id })
  const [member, guest] = [await server.person(), await server.person({ role: 600 })]
  await createChannel(sql, 'both of them', [person.id, bot.id, guest.id])
  await createChannel(sql, 'only one', [person.id])
  await member.ok('POST', '/user_groups/create', {
    name: 'leavers',
    description: '',
    members: [person.id, member.id],
    can_mention_group: { direct_members: [person.id], direct_subgroups: [] },
    can_join_group: { direct_members: [person.id], direct_subgroups: [3] },
  })
  const ears = [await Listener.start(ctx, member), await Listener.start(ctx, guest), await Listener.start(ctx, admin)]
  await admin.ok('DELETE', `/users/${person.id}`)
  for (const ear of ears) {
    const events = await ear.inStep(t)
    const ofGuest = ear.person === guest
    const peers = events.filter(event => event.op === 'peer_remove')
    t.same(
      peers.map(event => event.user_ids),
      ofGuest ? [[bot.id], [person.id]] : [[bot.id], [person.id], [person.id]],
    )
    t.same(
      events.filter(event => event.type === 'realm_user').map(event => event.person),
      [
        { user_id: bot.id, is_active: false },
        { user_id: person.id, is_active: false },
      ],
    )
    t.same(kinds(events).at(0), 'subscription/peer_remove')
    t.same(kinds(events).at(-1), 'realm_user/update')
  }
  t.equal((await bot.get('/users/me')).status, 401)
})

t.test('guests who may know only some: who loses sight, who keeps it, who never had it', async t => {
  await limitGuests(sql)
  const person = await server.person()
  const loses = await server.person({ role: 600 })
  const keeps = await server.person({ role: 600 })
  const never = await server.person({ role: 600 })
  const channel = await createChannel(sql, 'with one who loses', [person.id, loses.id])
  const open = await createChannel(sql, 'of the stranger', [never.id])
  await person.ok('POST', '/messages', { type: 'direct', to: [keeps.id], content: 'hello' })
  const value = { direct_members: [person.id, admin.id], direct_subgroups: [] }
  await admin.ok('POST', '/user_groups/create', {
    name: 'strange',
    description: '',
    members: [person.id],
    can_mention_group: value,
  })
  await nameInSettings(channel, person.id)
  await nameInSettings(open, person.id)
  const params = { client_capabilities: { user_list_incomplete: true, archived_channels: true } }
  const start = (who: Person) => Listener.start(ctx, who, params)
  const ears = { loses: await start(loses), keeps: await start(keeps), never: await start(never) }
  await admin.ok('DELETE', `/users/${person.id}`)
  const lost = await ears.loses.inStep(t)
  t.match(
    lost.find(event => event.type === 'realm_user'),
    {
      op: 'remove',
      person: { user_id: person.id, full_name: 'Unknown user' },
    },
  )
  t.ok(kinds(lost).includes('user_group/remove_members'))
  t.ok(kinds(lost).includes('stream/update'))
  const kept = kinds(await ears.keeps.inStep(t))
  t.same(kept, ['realm_user/update'])
  const strangers = await ears.never.inStep(t)
  t.same(kinds(strangers), [
    'user_group/remove_members',
    'user_group/remove_members',
    'user_group/update',
    'realm/update_dict',
    'stream/update',
  ])
  await setOrganization(sql, { can_access_all_users_group: null })
})

/** Makes a nameless group with the user the value of a setting of the channel and of the organization. */
async function nameInSettings(channelId: number, userId: number): Promise<void> {
  await sql.begin(async tx => {
    const version = await bumpVersion(tx)
    const [group] = await tx`insert into user_groups (version) values (${version}) returning id`
    await tx`insert into user_group_members values (${group?.id}, ${userId}), (${group?.id}, ${admin.id})`
    const settings = tx.json({ can_send_message_group: group?.id })
    await tx`update channels set settings = settings || ${settings}, version = ${version} where id = ${channelId}`
    const ofRealm = tx.json({ can_create_groups: group?.id })
    await tx`update organization set settings = settings || ${ofRealm}`
  })
}

t.test('the messages that shall go are gone for all who saw them, the others stay', async t => {
  const [person, reader] = [await server.person(), await server.person()]
  const open = await createChannel(sql, 'for messages', [person.id, reader.id])
  const hidden = await createChannel(sql, 'hidden messages', [person.id, reader.id])
  await sql.begin(async tx => {
    const version = await bumpVersion(tx)
    await tx`update channels set invite_only = true, version = ${version} where id = ${hidden}`
  })
  const send = async (params: Loose) => (await person.ok('POST', '/messages', { content: 'gone?', ...params })).id
  const inOpen: number[] = []
  for (let i = 0; i < 105; i++) inOpen.push(await send({ type: 'stream', to: open, topic: i % 2 ? 'a' : 'b' }))
  const inHidden = await send({ type: 'stream', to: hidden, topic: 'a' })
  const direct = await send({ type: 'direct', to: [reader.id] })
  const other = (await reader.ok('POST', '/messages', { type: 'stream', to: open, topic: 'a', content: 'mine' })).id
  const far = await server.person()
  const ear = await Listener.start(ctx, reader)
  const stranger = await Listener.start(ctx, far, { event_types: ['delete_message', 'default_streams'] })
  await admin.ok('DELETE', `/users/${person.id}`, { actions: { delete_public_channel_messages: true } })
  const events = await ear.inStep(t)
  const deleted = events.filter(event => event.type === 'delete_message').flatMap(event => event.message_ids)
  t.same(
    deleted.sort((a, b) => a - b),
    inOpen,
  )
  t.ok(kinds(events).indexOf('delete_message') < kinds(events).indexOf('realm_user/update'))
  t.same(await stranger.events(), [])
  for (const id of [inHidden, direct, other]) t.equal((await reader.get(`/messages/${id}`)).status, 200)
  t.equal((await reader.get(`/messages/${inOpen[0]}`)).status, 400)
})

t.test('private and direct messages are removed on request', async t => {
  const [person, reader] = [await server.person(), await server.person()]
  const hidden = await createChannel(sql, 'more hidden messages', [person.id, reader.id])
  await sql`update channels set invite_only = true where id = ${hidden}`
  await setOrganization(sql, {})
  const ids: number[] = []
  for (const params of [
    { type: 'stream', to: hidden, topic: 'a' },
    { type: 'direct', to: [reader.id] },
  ]) {
    ids.push((await person.ok('POST', '/messages', { content: 'gone?', ...params })).id)
  }
  const actions = { delete_private_channel_messages: true, delete_direct_messages: true }
  // The event does not contain the conversation of a direct message; a client learns it only from a new register
  // answer.
  const ear = await Listener.start(ctx, reader, {
    fetch_event_types: ['update_message_flags', 'message', 'realm_user'],
  })
  await admin.ok('DELETE', `/users/${person.id}`, { actions })
  await ear.inStep(t)
  for (const id of ids) t.equal((await reader.get(`/messages/${id}`)).status, 400)
})

t.test('with its profile go name, address, picture and key', async t => {
  const person = await server.person({ email_address_visibility: 3 })
  const member = await server.person()
  const ears = [await Listener.start(ctx, member), await Listener.start(ctx, admin)]
  await admin.ok('DELETE', `/users/${person.id}`, { actions: { delete_profile: true } })
  for (const ear of ears) {
    // No event reports that a user is deleted; a client learns it only from a new register answer.
    for (const one of (await ear.events(t)).filter(event => event.type === 'realm_user')) {
      t.notMatch(JSON.stringify(one), person.email)
      t.notMatch(JSON.stringify(one), person.full_name)
    }
  }
  const { user } = await admin.ok('GET', `/users/${person.id}`)
  t.match(user, { full_name: `Deleted user ${person.id}`, is_active: false, is_deleted: true, profile_data: undefined })
  t.match(user.delivery_email, /^deleteduser/)
  const again = await server.person({ email: person.email, full_name: person.full_name })
  t.equal((await again.get('/users/me')).status, 200, 'the address is free again')
})

t.test('the user gets a mail, with the text of the administrators', async t => {
  const [person, other] = [await server.person(), await server.person()]
  const mails = newMails(sql, dataDir)
  await admin.ok('DELETE', `/users/${person.id}`, { deactivation_notification_comment: 'Goodbye and thanks' })
  t.match(await mails(), [{ to: person.email, text: /Goodbye and thanks/, html: /Goodbye and thanks/ }])
  await admin.ok('DELETE', `/users/${other.id}`, { deactivation_notification_comment: '' })
  t.match(await mails(), [{ to: other.email }], 'also when there is nothing to say')
})

t.test('a mail that cannot be sent does not prevent the deactivation', async t => {
  const settings = { SMTP_URL: 'smtp://127.0.0.1:1', LOG_LEVEL: 'silent' }
  const elsewhere = await startServer(t, settings, server.organization)
  const person = await server.person()
  const answer = await elsewhere.api(admin).delete(`/users/${person.id}`, { deactivation_notification_comment: '' })
  t.equal(answer.status, 200)
  t.equal((await person.get('/users/me')).status, 401)
  await until(async () => (await sql`select from jobs where kind = 'mail' and error is not null`).length === 1)
  await sql`delete from jobs where kind = 'mail'`
})

t.test('no worker answers a deactivated user any more, also one that has not heard of it', async t => {
  const elsewhere = await startServer(t, {}, server.organization)
  const channel = await createChannel(sql, 'left', [])
  for (let round = 0; round < 10; round++) {
    const person = await server.person()
    t.equal((await elsewhere.api(person).get('/users/me')).status, 200)
    await admin.ok('DELETE', `/users/${person.id}`)
    // Requests that were authenticated with what the worker still knew.
    const requests = [
      elsewhere.api(person).get('/users/me'),
      elsewhere.api(person).get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 }),
      elsewhere.api(person).get(`/streams/${channel}`),
      elsewhere.api(person).post('/messages', { type: 'direct', to: [admin.id], content: 'still here' }),
      elsewhere.api(person).post('/users/me/muted_users/1'),
      elsewhere.api(person).patch('/settings', { full_name: 'Somebody Else' }),
    ]
    for (const { status, body } of await Promise.all(requests)) {
      t.match({ status, body }, { status: 401, body: { code: 'UNAUTHORIZED' } })
    }
  }
})

t.test('two owners who deactivate each other at once: one of them stays', async t => {
  const other = await server.person({ role: 100 })
  const answers = await Promise.all([remove(owner, other), remove(other, owner)])
  t.same(answers.filter(answer => answer.status === 200).length, 1)
  const owners = await sql`select id from users where role = 100 and is_active`
  t.equal(owners.length, 1)
})
