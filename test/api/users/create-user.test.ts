import t from 'tap'
import { kinds, Listener, type Loose } from '../../support/in-step.js'
import { groupId, limitGuests, setChannel, setColumns, setOrganization, setUser } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { createChannel } from './scene.js'

const server = await startServer(t)
const { sql, ctx } = server
const admin = await server.person({ role: 200 })
await setUser(sql, admin.id, { can_create_users: true })

const password = 'correct horse battery'
let made = 0
const draft = (change: Loose = {}) => ({
  email: `new${++made}@test.example`,
  full_name: 'New Person',
  password,
  ...change,
})
const create = (who: Person, change?: Loose) => who.post('/users', draft(change))
/** Creates an account and signs in to it. */
async function newcomer(email = draft().email) {
  await admin.ok('POST', '/users', draft({ email }))
  const { api_key } = await server.api(null).ok('POST', '/fetch_api_key', { username: email, password })
  return server.api({ email, api_key })
}
const refused = { status: 400, body: { code: 'BAD_REQUEST' } }

t.test('an account that can be used at once, with its password and the defaults of the organization', async t => {
  await setColumns(sql, { user_settings_defaults: { email_address_visibility: 3, enter_sends: true } })
  const email = 'Mixed.Case@test.example'
  const { body, status } = await create(admin, { email, full_name: '  Full Name  ' })
  t.equal(status, 200)
  const signedIn = await server.api(null).ok('POST', '/fetch_api_key', { username: email, password })
  const self = await server.api({ email, api_key: signedIn.api_key }).ok('GET', '/users/me')
  t.match(self, { user_id: body.user_id, full_name: 'Full Name', delivery_email: email, role: 400, is_active: true })
  t.match(self.email, `user${body.user_id}@`)
  await setColumns(sql, { user_settings_defaults: {} })
})

t.test('who may not', async t => {
  for (const role of [300, 400, 600] as const) {
    const person = await server.person({ role })
    await setUser(sql, person.id, { can_create_users: true })
    // The role is checked before the parameters.
    t.match(await person.post('/users'), { status: 400, body: { code: 'UNAUTHORIZED_PRINCIPAL' } })
  }
  t.match(await create(await server.person({ role: 200 })), refused)
  t.match(await create(await server.person({ role: 100 })), refused, 'not even an owner, unless it was granted')
  t.match(await server.api(null).post('/users', draft()), { status: 401 })
})

// The capital sigma has two small forms; the database treats them as equal and refuses the email.
t.test('an address that the database alone takes for another one is in use', async t => {
  t.equal((await create(admin, { email: 'ΑΣ@test.example' })).status, 200)
  t.match(await create(admin, { email: 'ασ@test.example' }), refused)
  const owner = await server.person({ role: 100 })
  await setUser(sql, owner.id, { can_change_user_emails: true })
  t.match(await owner.patch(`/users/${admin.id}`, { new_email: 'ασ@test.example' }), refused)
})

// This worker's directory may still have the former name; no new channel with that name may appear.
t.test('an account joins the default channels as they are in the database', async t => {
  const id = await createChannel(sql, 'former name', [])
  await setChannel(sql, id, { is_default: true })
  await ctx.directory.fresh()
  await setChannel(sql, id, { name: 'later name' })
  const { subscriptions } = await (await newcomer()).ok('GET', '/users/me/subscriptions')
  t.same(
    subscriptions.map((one: Loose) => one.name),
    ['later name'],
  )
  t.match(await admin.get('/get_stream_id', { stream: 'former name' }), refused)
  await setChannel(sql, id, { is_default: false })
})

t.test('no account remains if it cannot join the default channels', async t => {
  const [first, second] = [await createChannel(sql, 'joined first', []), await createChannel(sql, 'never joined', [])]
  for (const id of [first, second]) await setChannel(sql, id, { is_default: true })
  await sql.unsafe(`
    create function refuse_subscription() returns trigger language plpgsql as $$ begin raise 'not this channel'; end $$;
    create trigger refused before insert on subscriptions
      for each row when (new.channel_id = ${second}) execute function refuse_subscription()`)
  const listener = await Listener.start(ctx, admin)
  const email = 'unlucky@test.example'
  const counts = () => sql`
    select (select count(*) from users) as users, (select count(*) from subscriptions) as subscriptions,
      (select count(*) from audit_log) as entries, (select version from organization) as version`
  const before = await counts()
  t.match(await create(admin, { email }), { status: 500 })
  t.same(await counts(), before, 'nothing is stored')
  t.same(await listener.inStep(t), [], 'there is no event')
  t.match(await server.api(null).post('/fetch_api_key', { username: email, password }), { status: 401 })
  await sql.unsafe('drop trigger refused on subscriptions; drop function refuse_subscription()')
  t.same((await (await newcomer(email)).ok('GET', '/users/me/subscriptions')).subscriptions.length, 2, 'a retry works')
  for (const id of [first, second]) await setChannel(sql, id, { is_default: false })
})

t.test('the account and its subscriptions are one write to the outbox', async t => {
  const channel = await createChannel(sql, 'one write', [admin.id])
  await setChannel(sql, channel, { is_default: true })
  await sql.unsafe(`
    create table stored (id bigint, xid xid8);
    create function note_stored() returns trigger language plpgsql as
      $$ begin insert into stored values (new.id, new.xid); return null; end $$;
    create trigger noted after insert on outbox for each row when (new.message_id is null) execute function note_stored()`)
  await newcomer()
  const [row] = await sql`select count(distinct xid)::int as transactions, count(*)::int as events from stored`
  t.same(row?.transactions, 1)
  t.ok(row?.events >= 4, 'user, group, subscription and peers')
  await sql.unsafe('drop trigger noted on outbox; drop function note_stored(); drop table stored')
  await setChannel(sql, channel, { is_default: false })
})

t.test('what is refused', async t => {
  await server.person({ email: 'taken@test.example' })
  const bad: Loose[] = [
    { email: 'TAKEN@test.example' },
    { email: 'nobody' },
    { email: 'a@b@c' },
    { email: 'welcome-bot@system.invalid' },
    { email: 'someone@System.Invalid' },
    { email: 'a\u0000b@test.example' },
    { email: `${'a'.repeat(250)}@b.example` },
    { full_name: 'X' },
    { full_name: 'x'.repeat(101) },
    { full_name: 'a*b' },
    { password: '' },
    { password: 'short' },
    { password: 'password' },
    { password: 'aaaaaaaaaaaa' },
    { password: 'new9@test.example', email: 'new9@test.example' },
    { password: 'x'.repeat(5000) },
  ]
  for (const change of bad) t.match(await create(admin, change), refused, JSON.stringify(change).slice(0, 60))
  for (const name of ['email', 'password', 'full_name']) {
    t.match(await create(admin, { [name]: undefined }), {
      status: 400,
      body: { code: 'REQUEST_VARIABLE_MISSING', var_name: name },
    })
  }
  await setOrganization(sql, { emails_restricted_to_domains: true })
  t.match(await create(admin), refused)
  await setOrganization(sql, { emails_restricted_to_domains: false, require_unique_names: true })
  t.equal((await create(admin, { full_name: 'Just Once' })).status, 200)
  t.match(await create(admin, { full_name: 'just ONCE' }), refused)
  await setOrganization(sql, { require_unique_names: false })
})

t.test('two requests for the same address: one account', async t => {
  const answers = await Promise.all([1, 2, 3].map(() => create(admin, { email: 'same@test.example' })))
  t.same(answers.map(answer => answer.status).sort(), [200, 400, 400])
})

t.test('what others see: the person, its group, and then its channels', async t => {
  const [member, guest] = [await server.person(), await server.person({ role: 600 })]
  const standard = await createChannel(sql, 'standard', [member.id])
  await setChannel(sql, standard, { is_default: true })
  const ears = [await Listener.start(ctx, member), await Listener.start(ctx, admin), await Listener.start(ctx, guest)]
  const { user_id } = (await create(admin)).body
  for (const ear of ears) {
    const events = await ear.inStep(t)
    const peers = ear.person === guest ? [] : ['subscription/peer_add']
    t.same(kinds(events), ['realm_user/add', 'user_group/add_members', ...peers])
    t.match(events[0]?.person, { user_id, is_active: true, profile_data: {} })
    t.same(events[1]?.user_ids, [user_id])
    t.equal(events[1]?.group_id, await groupId(sql, 'role:fullmembers'))
  }
  await setChannel(sql, standard, { is_default: false })
})

t.test('guests with a limited view of users get the group alone, or a placeholder', async t => {
  await limitGuests(sql)
  const guest = await server.person({ role: 600 })
  const modern = await Listener.start(ctx, guest)
  const plain = await Listener.start(ctx, guest, { client_capabilities: {} })
  const full_name = 'Not For Guests'
  const { user_id } = (await create(admin, { full_name })).body
  t.same(kinds(await modern.inStep(t)), ['user_group/add_members'])
  const events = await plain.inStep(t)
  t.match(events[0], {
    type: 'realm_user',
    op: 'add',
    person: { user_id, full_name: 'Unknown user', delivery_email: null },
  })
  t.notMatch(JSON.stringify(events), full_name)
  const entries = await sql`select after from audit_log where subject ->> 'user_id' = ${String(user_id)}`
  t.match(entries, [{ after: { full_name } }], 'the audit log has the account once, and no placeholder')
  t.equal(entries.length, 1)
  await setOrganization(sql, { can_access_all_users_group: null })
})

t.test("if the organization's setting says so, the notification bot announces new users", async t => {
  const member = await server.person()
  const channel = await createChannel(sql, 'joined', [member.id])
  await setOrganization(sql, { signup_announcements_stream_id: channel })
  const ear = await Listener.start(ctx, member, { event_types: ['message', 'default_streams'], fetch_event_types: [] })
  const { user_id } = (await create(admin, { full_name: 'Announced Person' })).body
  const [event] = await ear.events(t)
  t.match(event?.message, {
    subject: 'signups',
    content: `@_**Announced Person|${user_id}** joined this organization.`,
  })
  await setOrganization(sql, { signup_announcements_stream_id: -1 })
})
