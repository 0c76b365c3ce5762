import t from 'tap'
import { joinDefaultChannels } from '../../../server/actions/users/join-default-channels.js'
import type { UserRow } from '../../../server/store/users.js'
import { kinds, Listener, type Loose } from '../../support/in-step.js'
import { groupId, limitGuests, setChannel, setOrganization, setUser } from '../../support/organization.js'
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
const refused = { status: 400, body: { code: 'BAD_REQUEST' } }

t.test('an account that can be used at once, with its password and the defaults of the organization', async t => {
  await sql`update organization set user_settings_defaults = '{"email_address_visibility": 3, "enter_sends": true}', version = version + 1`
  const email = 'Mixed.Case@test.example'
  const { body, status } = await create(admin, { email, full_name: '  Full Name  ' })
  t.equal(status, 200)
  const signedIn = await server.api(null).ok('POST', '/fetch_api_key', { username: email, password })
  const self = await server.api({ email, api_key: signedIn.api_key }).ok('GET', '/users/me')
  t.match(self, { user_id: body.user_id, full_name: 'Full Name', delivery_email: email, role: 400, is_active: true })
  t.match(self.email, `user${body.user_id}@`)
  await sql`update organization set user_settings_defaults = '{}', version = version + 1`
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

// The channel's name may change while the user is created; no new channel with the former name may appear.
t.test('default channels are joined as they are then, however they were named before', async t => {
  const id = await createChannel(sql, 'former name', [])
  await setChannel(sql, id, { is_default: true })
  await ctx.directory.fresh()
  const person = await server.person()
  await ctx.directory.fresh()
  await setChannel(sql, id, { name: 'later name' })
  await joinDefaultChannels(ctx, ctx.directory.users.get(person.id) as UserRow)
  const { subscriptions } = await person.ok('GET', '/users/me/subscriptions')
  t.same(
    subscriptions.map((one: Loose) => one.name),
    ['later name'],
  )
  t.match(await person.get('/get_stream_id', { stream: 'former name' }), refused)
  await setChannel(sql, id, { is_default: false })
})

t.test('what is refused', async t => {
  await server.person({ email: 'taken@test.example' })
  const bad: Loose[] = [
    { email: 'TAKEN@test.example' },
    { email: 'nobody' },
    { email: 'a@b@c' },
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

t.test('guests who may know only some hear of the group alone, or of a placeholder', async t => {
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
  await setOrganization(sql, { can_access_all_users_group: null })
})

t.test('where the organization wants it, the notification bot tells of who joined', async t => {
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
