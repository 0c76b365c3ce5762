import type { UserGroup } from '../../../shared/events/client-state.js'
import type { ChatState } from './chat-state.js'
import type { Holder } from './holders.js'
import { holds, isGuest, isInGroup } from './permissions.js'

// The server decides; these functions only tell which controls the page offers (docs/protocol/permissions.md#permissions-of-a-group).

export const mayCreateGroups = (state: ChatState): boolean =>
  !isGuest(state) && holds(state, state.realm_can_create_groups)

export const mayManageGroup = (state: ChatState, group: UserGroup): boolean =>
  !group.is_system_group && (holds(state, state.realm_can_manage_all_groups) || holds(state, group.can_manage_group))

/** Guests change no members, not even themselves. */
const mayManageMembers = (state: ChatState, group: UserGroup): boolean =>
  !isGuest(state) && mayManageGroup(state, group)

const mayWith = (
  state: ChatState,
  group: UserGroup,
  name: 'can_add_members_group' | 'can_remove_members_group' | 'can_join_group' | 'can_leave_group',
): boolean => !isGuest(state) && !group.is_system_group && holds(state, group[name])

/** Whether the user of the page may add people and subgroups. */
export const mayAddToGroup = (state: ChatState, group: UserGroup): boolean =>
  mayManageMembers(state, group) || mayWith(state, group, 'can_add_members_group')

export function mayRemoveFromGroup(state: ChatState, group: UserGroup, { kind, id }: Holder): boolean {
  if (mayManageMembers(state, group)) return true
  if (kind === 'group') return false
  return (
    mayWith(state, group, 'can_remove_members_group') ||
    (id === state.user_id && mayWith(state, group, 'can_leave_group'))
  )
}

/** Whether the user of the page is not in the group yet, not even through a subgroup, and may join it. */
export const mayJoinGroup = (state: ChatState, group: UserGroup): boolean =>
  !isInGroup(state, state.user_id, group.id) && (mayAddToGroup(state, group) || mayWith(state, group, 'can_join_group'))
