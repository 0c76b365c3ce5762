import t from 'tap'
import type { ChatState } from '../../../server/web/state/chat-state.js'
import { suggestedMembers } from '../../../server/web/state/group-members.js'
import {
  mayAddToGroup,
  mayCreateGroups,
  mayJoinGroup,
  mayManageGroup,
  mayRemoveFromGroup,
} from '../../../server/web/state/group-permissions.js'
import type { UserGroup } from '../../../shared/events/client-state.js'
import { groupPermissionNames } from '../../../shared/resources/user-group.js'
import { someState } from './state.js'

const own = { direct_members: [1], direct_subgroups: [] }
const self = { kind: 'person', id: 1 } as const
const other = { kind: 'person', id: 2 } as const
const subgroup = { kind: 'group', id: 11 } as const

/** A state, and a group in which the user of the page holds only these permissions. */
function someGroup(given: Partial<UserGroup> = {}): [ChatState, UserGroup] {
  const state = someState()
  const add = (id: number, name: string, more: Partial<UserGroup> = {}): UserGroup => {
    const group = { id, name, members: [], direct_subgroup_ids: [], is_system_group: name.startsWith('role:'), ...more }
    for (const one of groupPermissionNames) if (!(one in group)) Object.assign(group, { [one]: 90 })
    state.realm_user_groups[id] = group as unknown as UserGroup
    return group as unknown as UserGroup
  }
  add(90, 'role:nobody')
  add(91, 'role:everyone', { members: [1, 2, 3] })
  add(11, 'poets')
  state.realm_can_create_groups = 90
  state.realm_can_manage_all_groups = 90
  return [state, add(10, 'writers', { members: [2], direct_subgroup_ids: [11], ...given })]
}

/** What the user of the page may do, in one word each. */
function allowed([state, group]: [ChatState, UserGroup]): string[] {
  const rights = {
    manage: mayManageGroup(state, group),
    add: mayAddToGroup(state, group),
    'remove others': mayRemoveFromGroup(state, group, other),
    'remove subgroups': mayRemoveFromGroup(state, group, subgroup),
    leave: mayRemoveFromGroup(state, group, self),
    join: mayJoinGroup(state, group),
  }
  return Object.entries(rights).flatMap(([name, may]) => (may ? name : []))
}

t.test('each permission of a group allows what it says, and no more', async t => {
  t.same(allowed(someGroup()), [])
  t.same(allowed(someGroup({ can_mention_group: own })), [])
  t.same(allowed(someGroup({ can_join_group: own })), ['join'])
  t.same(allowed(someGroup({ can_leave_group: own })), ['leave'])
  t.same(allowed(someGroup({ can_add_members_group: own })), ['add', 'join'])
  t.same(allowed(someGroup({ can_remove_members_group: own })), ['remove others', 'leave'])
  const all = ['manage', 'add', 'remove others', 'remove subgroups', 'leave', 'join']
  t.same(allowed(someGroup({ can_manage_group: own })), all)
  const [state, group] = someGroup()
  state.realm_can_manage_all_groups = own
  t.same(allowed([state, group]), all)
})

t.test('a member does not join again, not even one of a subgroup', async t => {
  t.same(allowed(someGroup({ can_join_group: own, members: [1] })), [])
  t.same(allowed(someGroup({ can_join_group: own, direct_subgroup_ids: [91] })), [])
})

t.test('guests change no members and make no groups', async t => {
  const [state, group] = someGroup({ can_manage_group: own, can_join_group: own, can_leave_group: own })
  state.realm_can_create_groups = own
  t.ok(mayCreateGroups(state))
  Object.assign(state.realm_users[1] as object, { role: 600 })
  t.notOk(mayCreateGroups(state))
  t.same(allowed([state, group]), ['manage'])
})

t.test('no user changes a group of the system', async t => {
  const rights = Object.fromEntries(groupPermissionNames.map(name => [name, own]))
  t.same(allowed(someGroup({ ...rights, is_system_group: true })), [])
})

t.test('a group is offered neither its members nor a group that contains it', async t => {
  const [state] = someGroup()
  t.same(suggestedMembers(state, 10, ''), [
    { kind: 'group', id: 91 },
    { kind: 'person', id: 1 },
    { kind: 'person', id: 3 },
  ])
  t.same(suggestedMembers(state, 11, 'w'), [], 'a circle')
  t.same(suggestedMembers(state, 12345, 'poe'), [{ kind: 'group', id: 11 }])
})
