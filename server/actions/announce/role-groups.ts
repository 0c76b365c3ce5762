import { userGroupAddMembers, userGroupRemoveMembers } from '../../../shared/events/user-group.js'
import type { Directory } from '../../memory/directory.js'
import { systemGroup } from '../../policies/groups.js'
import { directRoleGroup } from '../../policies/role-groups.js'
import { activeUsers } from '../../policies/users.js'
import type { Emit } from '../../realtime/emission.js'

/**
 * Emits user_group remove_members and add_members of the system groups when users change roles, are created, reactivated or promoted: to
 * all users, after the event of the change itself (docs/protocol/events.md#a-new-role). `before`, `after`: the directory without and with
 * the change; `after` may be a preview. Leaves out users who are being deactivated: clients remove them from groups themselves
 * (actions/announce/strangers.ts covers the other clients).
 */
export function notifyOfRoleGroups(emit: Emit, before: Directory, after: Directory, userIds: readonly number[]): void {
  const left = new Map<string, number[]>()
  const joined = new Map<string, number[]>()
  for (const id of [...userIds].sort((a, b) => a - b)) {
    const [was, is] = [directRoleGroup(before, before.users.get(id)), directRoleGroup(after, after.users.get(id))]
    if (was === is || is === undefined) continue
    if (was !== undefined) push(left, was, id)
    push(joined, is, id)
  }
  const audience = after.derived(activeUsers)
  for (const [name, user_ids] of left) {
    emit(userGroupRemoveMembers, { group_id: systemGroup(after, name), user_ids }, audience)
  }
  for (const [name, user_ids] of joined) {
    emit(userGroupAddMembers, { group_id: systemGroup(after, name), user_ids }, audience)
  }
}

function push(lists: Map<string, number[]>, name: string, id: number): void {
  const list = lists.get(name)
  if (list) list.push(id)
  else lists.set(name, [id])
}
