import { type GroupPermission, groupPermissions } from '../../../shared/resources/permission-settings.js'
import { guest, member } from '../../access/allow.js'
import { hasRole } from '../../access/group-closure.js'
import { groupGroup, realmSetting, settingValue } from '../../access/groups.js'
import { activeUsers } from '../../access/users.js'
import type { Directory } from '../../store/directory.js'
import type { GroupRow } from '../../store/groups.js'
import type { StatePiece } from '../events/state.js'

export const userGroupsPiece: StatePiece = {
  fetchType: 'realm_user_groups',
  async read({ ctx: { directory, clock }, options: { view } }) {
    const named = [...directory.groups.values()].filter(
      group => group.name !== null && (view.include_deactivated_groups || !group.deactivated),
    )
    const holders = roleHolders(directory, clock.now())
    const groups = named.sort((a, b) => a.id - b.id).map(group => groupObject(directory, group, holders))
    return { realm_user_groups: groups }
  },
}

const permissionNames = Object.keys(groupPermissions) as GroupPermission[]

function groupObject(directory: Directory, group: GroupRow, holders: ReadonlyMap<string, number[]>) {
  const { id, name, description, is_system_group, creator_id, deactivated, date_created } = group
  return {
    id,
    name,
    description,
    members: is_system_group
      ? (holders.get(name ?? '') ?? [])
      : group.members.filter(userId => directory.users.get(userId)?.is_active),
    direct_subgroup_ids: group.subgroups,
    is_system_group,
    creator_id,
    date_created: is_system_group ? null : Math.floor(date_created.getTime() / 1000),
    deactivated,
    ...Object.fromEntries(
      permissionNames.map(setting => [setting, settingValue(directory, groupGroup(directory, group, setting))]),
    ),
  }
}

const nameOfRole: Readonly<Record<number, string>> = {
  100: 'role:owners',
  200: 'role:administrators',
  300: 'role:moderators',
  400: 'role:fullmembers',
  600: 'role:everyone',
}

/** Each active user is a direct member of one system group: that of its highest role. */
function roleHolders(directory: Directory, now: number): Map<string, number[]> {
  const waiting = realmSetting(directory, 'waiting_period_threshold')
  const holders = new Map<string, number[]>()
  for (const id of directory.derived(activeUsers)) {
    const user = directory.users.get(id)
    if (!user) continue
    const isNew = user.role === member && !hasRole(user, 'role:fullmembers', waiting, now)
    const name = isNew ? 'role:members' : (nameOfRole[user.role] ?? nameOfRole[guest] ?? '')
    const members = holders.get(name)
    if (members) members.push(id)
    else holders.set(name, [id])
  }
  return holders
}
