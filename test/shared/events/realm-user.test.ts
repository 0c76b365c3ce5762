import t from 'tap'
import type { View } from '../../../shared/capabilities.js'
import type { ClientState } from '../../../shared/events/client-state.js'
import { clientState } from '../../../shared/events/from-register.js'
import {
  applyRealmUserAdd,
  applyRealmUserRemove,
  applyRealmUserUpdate,
  type PersonChange,
  realmUserAdd,
} from '../../../shared/events/realm-user.js'
import type { UserObject } from '../../../shared/resources/user.js'

const person = (user_id: number): UserObject => ({
  user_id,
  email: `user${user_id}@test.example`,
  delivery_email: null,
  full_name: `User ${user_id}`,
  role: 400,
  is_owner: false,
  is_admin: false,
  is_guest: false,
  is_bot: false,
  timezone: '',
  date_joined: '2026-01-01T00:00+00:00',
  avatar_version: 1,
  avatar_url: 'https://test.example/a?v=1',
  is_imported_stub: false,
  profile_data: {},
})

const start = () =>
  clientState({
    user_id: 1,
    full_name: 'User 1',
    is_admin: false,
    realm_users: [person(1), person(2)],
    realm_non_active_users: [],
    realm_user_groups: [{ id: 5, members: [1, 2] }],
  })

const change = (state: ClientState, person: PersonChange & { user_id: number }) =>
  applyRealmUserUpdate(state, { person: { ...person } })

t.test('a change of a user reaches every place that shows it', async t => {
  const state = start()
  change(state, { user_id: 1, role: 100 })
  change(state, { user_id: 1, full_name: 'Renamed' })
  change(state, { user_id: 2, new_email: 'new@test.example' })
  change(state, { user_id: 2, custom_profile_field: { id: 7, value: 'x', rendered_value: '<p>x</p>' } })
  t.match(state, { full_name: 'Renamed', is_admin: true, is_owner: true, is_moderator: true })
  t.match(state.realm_users?.[1], { full_name: 'Renamed', role: 100, is_owner: true, is_admin: true, is_guest: false })
  t.match(state.realm_users?.[2], { email: 'new@test.example', profile_data: { 7: { value: 'x' } } })
  change(state, { user_id: 2, custom_profile_field: { id: 7, value: null } })
  t.same(state.realm_users?.[2]?.profile_data, {})
  change(state, { user_id: 99, full_name: 'Nobody' })
})

const idsIn = (users: object | undefined) => Object.keys(users ?? {}).map(Number)

t.test('a deactivated user changes lists and leaves its groups', async t => {
  const state = start()
  change(state, { user_id: 2, is_active: false })
  t.same([idsIn(state.realm_users), idsIn(state.realm_non_active_users)], [[1], [2]])
  t.match(state.realm_user_groups, { 5: { members: [1] } })
  change(state, { user_id: 2, is_active: true })
  t.same([idsIn(state.realm_users), idsIn(state.realm_non_active_users)], [[1, 2], []])
})

t.test('users come and go; a placeholder gives way to the user itself', async t => {
  const state = start()
  applyRealmUserRemove(state, { person: { user_id: 2, full_name: 'Unknown user' } })
  t.same(idsIn(state.realm_users), [1])
  for (let i = 0; i < 2; i++) applyRealmUserAdd(state, { person: { ...person(3), is_active: true } })
  t.same(idsIn(state.realm_users), [1, 3])
  t.same(state.realm_users?.[3], person(3))
})

t.test('placeholder users are sent only to clients whose user list has to be complete', async t => {
  const view = (user_list_incomplete: boolean) => ({ user_list_incomplete }) as View
  const payload = { person: person(5), isUnknown: true }
  t.equal(realmUserAdd.render(payload, view(true)), null)
  t.same(realmUserAdd.render(payload, view(false)), { type: 'realm_user', op: 'add', person: person(5) })
  t.ok(realmUserAdd.render({ person: person(5) }, view(true)))
})
