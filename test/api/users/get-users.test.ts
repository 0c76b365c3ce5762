import t from 'tap'
import { limitGuests, setOrganization, setUser } from '../../support/organization.js'
import { startServer } from '../../support/server.js'
import { checkObject } from '../../support/wire-schemas.js'

type User = Record<string, unknown>

t.test('each user is listed once, deactivated users and bots too, the system bot not', async t => {
  const server = await startServer(t)
  const reader = await server.person()
  const others = [await server.person({ is_active: false }), await server.person({ bot_type: 1 })]
  await server.sql`
    insert into users (delivery_email, full_name, role, is_bot, bot_type, is_system_bot, api_key)
    values ('system@test.example', 'System', 400, true, 1, true, ${'s'.repeat(32)})`
  const { members } = await reader.ok('GET', '/users')
  t.same(
    members.map((user: User) => user.user_id),
    [reader.id, ...others.map(user => user.id)],
  )
  for (const user of members) t.same(checkObject('user', user), [])
  t.same(
    members.map((user: User) => user.is_active),
    [true, false, true],
  )
  t.notOk(members.some((user: User) => 'profile_data' in user))
  const full = await reader.ok('GET', '/users', { include_custom_profile_fields: true, client_gravatar: false })
  t.same(full.members[0].profile_data, {})
  t.notOk('profile_data' in full.members[2], 'bots have no profile')
  t.ok(full.members.every((user: User) => String(user.avatar_url).endsWith('&v=1')))
})

t.test('a list shows what its reader may see, also when others asked before', async t => {
  const server = await startServer(t)
  const administrator = await server.person({ role: 200 })
  const shy = await server.person({ email_address_visibility: 4 })
  const discreet = await server.person({ email_address_visibility: 3 })
  const member = await server.person()
  const emails = async (reader: typeof member) => {
    const { members } = await reader.ok('GET', '/users')
    return Object.fromEntries(members.map((user: User) => [user.user_id, user.delivery_email]))
  }
  for (let round = 0; round < 2; round++) {
    t.match(await emails(administrator), { [shy.id]: null, [discreet.id]: discreet.email })
    t.match(await emails(member), { [shy.id]: null, [discreet.id]: null, [member.id]: member.email })
    t.match(await emails(shy), { [shy.id]: shy.email, [discreet.id]: null })
  }
  await setUser(server.sql, shy.id, { full_name: 'Renamed' })
  const { members } = await member.ok('GET', '/users')
  t.equal(members.find((user: User) => user.user_id === shy.id).full_name, 'Renamed')
})

t.test('only the requested users are listed', async t => {
  const server = await startServer(t)
  const [reader, other] = [await server.person(), await server.person()]
  const asked = await reader.ok('GET', '/users', { user_ids: [other.id, 99_999] })
  t.same(
    asked.members.map((user: User) => user.user_id),
    [other.id],
  )
  t.same((await reader.ok('GET', '/users', { user_ids: [] })).members, [])
  for (const user_ids of ['5', '["5"]', '[-1]', 'x']) {
    t.equal((await reader.get('/users', { user_ids })).body.code, 'BAD_REQUEST', user_ids)
  }
})

t.test('spectators see the users only of an organization that is open to them', async t => {
  const server = await startServer(t)
  const member = await server.person({ email_address_visibility: 2 })
  const spectator = server.api(null)
  const refused = await spectator.get('/users')
  t.equal(refused.status, 401)
  t.equal(refused.body.code, 'UNAUTHORIZED')
  await setOrganization(server.sql, { enable_spectator_access: true })
  const { members } = await spectator.ok('GET', '/users')
  t.equal(members.length, 1)
  t.equal(members[0].delivery_email, null)
  t.match(members[0].date_joined, /^\d{4}-\d\d-\d\d$/)
  t.notMatch(JSON.stringify(members), member.email)
})

t.test('the newest message of each user is one that the user received, however many others came later', async t => {
  const server = await startServer(t)
  const [busy, former, direct, silent] = await Promise.all([1, 2, 3, 4].map(() => server.person()))
  if (!busy || !former || !direct || !silent) return
  const subscriptions = (name: string) => ({ subscriptions: [{ name }] })
  const post = async (name: string) =>
    (await busy.ok('POST', '/messages', { type: 'channel', to: name, topic: 'x', content: 'x' })).id
  await busy.ok('POST', '/users/me/subscriptions', subscriptions('theirs'))
  await former.ok('POST', '/users/me/subscriptions', subscriptions('theirs'))
  const received = await post('theirs')
  await former.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['theirs'] })
  const { id: dm } = await busy.ok('POST', '/messages', { type: 'direct', to: [direct.id], content: 'x' })
  const newest = () =>
    Promise.all(
      [busy, former, direct, silent].map(async one => (await one.ok('GET', '/users/me')).max_message_id as number),
    )
  const later = await post('theirs')
  t.same(await newest(), [later, received, dm, -1])
  // More than the newest ids that a worker looks through first.
  await server.sql`
    insert into messages (sender_id, channel_id, topic, content, rendered_content, renderer_version)
    select sender_id, channel_id, topic, content, rendered_content, renderer_version
    from messages, generate_series(1, 300) where id = ${later}`
  const last = await post('theirs')
  t.same(await newest(), [last, received, dm, -1])
  await server.sql`delete from messages where id >= ${later}`
  t.same(await newest(), [dm, received, dm, -1], 'a deleted message is not the newest')
})

t.test('one sees oneself whole', async t => {
  const server = await startServer(t)
  const self = await server.person({ role: 100, email_address_visibility: 4 })
  const { result, msg, max_message_id, ...user } = await self.ok('GET', '/users/me')
  t.equal(result, 'success')
  t.equal(msg, '')
  t.equal(max_message_id, -1)
  t.same(checkObject('human', user), [])
  t.match(user, { user_id: self.id, delivery_email: self.email, is_owner: true, is_admin: true, profile_data: {} })
  t.match(user.avatar_url, /[?&]v=1$/)
  t.equal((await server.api(null).get('/users/me')).status, 401)
  const byId = await self.ok('GET', `/users/${self.id}`)
  t.equal(byId.user.delivery_email, self.email)
})

t.test('a guest whose list has to be complete gets placeholders, which do not show who is deactivated', async t => {
  const server = await startServer(t)
  await limitGuests(server.sql)
  const guest = await server.person({ role: 600 })
  const strangers = [await server.person(), await server.person({ is_active: false })]
  const fetch_event_types = ['realm_user']
  const plain = await guest.ok('POST', '/register', { fetch_event_types })
  t.same(
    plain.realm_users.map((user: User) => [user.user_id, user.full_name === 'Unknown user']),
    [[guest.id, false], ...strangers.map(user => [user.id, true])],
  )
  t.same(plain.realm_non_active_users, [])
  const client_capabilities = { user_list_incomplete: true }
  const modern = await guest.ok('POST', '/register', { fetch_event_types, client_capabilities })
  t.equal(modern.realm_users.length, 1)
  t.same((await guest.ok('GET', '/users')).members.length, 1, 'a list of its own has no placeholders')
})

t.test('spectators are shown nothing of what people say of themselves', async t => {
  const server = await startServer(t)
  const person = await server.person()
  await setOrganization(server.sql, { enable_spectator_access: true })
  const profile = { 1: { value: 'private matter' } }
  await setUser(server.sql, person.id, { profile_data: profile })
  const spectator = server.api(null)
  const asked = { include_custom_profile_fields: true }
  t.match((await person.ok('GET', '/users', asked)).members[0].profile_data, profile)
  const seen = [await spectator.ok('GET', '/users', asked), await spectator.ok('POST', '/register')]
  t.notMatch(JSON.stringify(seen), 'private matter')
})
