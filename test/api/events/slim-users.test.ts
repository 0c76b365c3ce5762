import t from 'tap'
import type { ClientState } from '../../../shared/events/client-state.js'
import { clientState } from '../../../shared/events/from-register.js'
import { applyRealmUserUpdate } from '../../../shared/events/realm-user.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const [ann, bob, bot] = [
  await server.person({ role: 100 }),
  await server.person({ full_name: 'Bob' }),
  await server.person({ bot_type: 1 }),
]
const { id: field } = await ann.ok('POST', '/realm/profile_fields', { name: 'Team', field_type: 1 })
for (const who of [ann, bob])
  await who.ok('PATCH', '/users/me/profile_data', { data: [{ id: field, value: `of ${who.id}` }] })

const register = (params: Record<string, unknown> = {}, who = ann) =>
  who.ok('POST', '/register', { event_types: ['realm_user'], ...params })

t.test('users have no profile, and no picture that was not uploaded; the caller has its own', async t => {
  const [whole, slim] = [await register(), await register({ slim_users: true })]
  t.match(whole.realm_users.find((one: { user_id: number }) => one.user_id === bob.id).profile_data, { [field]: {} })
  t.notOk('profile_data' in whole)
  t.equal(slim.realm_users.length, whole.realm_users.length)
  for (const one of slim.realm_users) {
    t.notOk('profile_data' in one)
    t.equal(one.avatar_url, null)
  }
  t.match(slim.profile_data, { [field]: { value: `of ${ann.id}` } })
  t.equal((await register({ slim_users: true, client_gravatar: false })).realm_users[0].avatar_url, null)
})

t.test('an uploaded picture stays', async t => {
  await server.sql`update users set avatar_source = 'U', avatar_path = '1/abc', version = version where id = ${bob.id}`
  await ann.ok('PATCH', `/users/${bob.id}`, { full_name: 'Bob Renamed' })
  const { realm_users } = await register({ slim_users: true })
  t.match(
    realm_users.find((one: { user_id: number }) => one.user_id === bob.id),
    { avatar_url: /user_avatars/ },
  )
})

t.test('a bot has no profile of its own', async t => {
  t.notOk('profile_data' in (await register({ slim_users: true }, bot)))
})

t.test('refused: what is no boolean', async t => {
  for (const slim_users of ['yes', '1', '', [], {}, 2])
    t.match(await ann.post('/register', { slim_users }), { status: 400, body: { code: 'BAD_REQUEST' } })
})

t.test('the state has the own profile in the own entry, and no part of a profile that was not fetched', async t => {
  const state: ClientState = clientState(await register({ slim_users: true }))
  t.match(state.realm_users?.[ann.id]?.profile_data, { [field]: { value: `of ${ann.id}` } })
  t.notOk('profile_data' in state)
  const change = (user_id: number) =>
    applyRealmUserUpdate(state, { person: { user_id, custom_profile_field: { id: field, value: 'new' } } })
  change(bob.id)
  t.equal(state.realm_users?.[bob.id]?.profile_data, undefined)
  change(ann.id)
  t.match(state.realm_users?.[ann.id]?.profile_data, { [field]: { value: 'new' } })
})
