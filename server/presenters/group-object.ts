import type { GroupSettingValue } from '../../shared/resources/group-setting-value.js'
import type { GroupPermission } from '../../shared/resources/permission-settings.js'
import { groupPermissionNames, type UserGroupObject } from '../../shared/resources/user-group.js'
import type { Directory } from '../memory/directory.js'
import { directMembers, groupGroup, isNamed, type NamedGroup, settingValue } from '../policies/groups.js'

type GroupSettings = Readonly<Record<GroupPermission, GroupSettingValue>>

/** A group on the wire; the same for all viewers, because it contains no user data but ids. */
export function groupObject(
  directory: Directory,
  group: NamedGroup,
  settings: GroupSettings = groupSettings(directory, group),
): UserGroupObject {
  const { id, name, description, is_system_group, creator_id, deactivated, date_created } = group
  return {
    id,
    name,
    description,
    members: directMembers(directory, group),
    direct_subgroup_ids: group.subgroups,
    is_system_group,
    creator_id,
    date_created: is_system_group ? null : Math.floor(date_created.getTime() / 1000),
    deactivated,
    ...settings,
  }
}

/** The value of each permission of the group. `given`: values that are not stored yet. */
export function groupSettings(
  directory: Directory,
  group: NamedGroup,
  given: Partial<GroupSettings> = {},
): GroupSettings {
  const values = groupPermissionNames.map(name => {
    return [name, settingValue(directory, given[name] ?? groupGroup(directory, group, name))]
  })
  return Object.fromEntries(values)
}

/** All groups as the bytes of a JSON array, ids ascending; encoded once per version of the directory for all viewers. */
export function groupListBytes(directory: Directory, includeDeactivated: boolean): Uint8Array {
  return directory.derived(includeDeactivated ? allGroups : activeGroups)
}

const allGroups = (directory: Directory): Uint8Array => listBytes(directory, () => true)
const activeGroups = (directory: Directory): Uint8Array => listBytes(directory, group => !group.deactivated)

function listBytes(directory: Directory, isListed: (group: NamedGroup) => boolean): Uint8Array {
  const groups = [...directory.groups.values()].filter(isNamed).filter(isListed)
  return Buffer.from(JSON.stringify(groups.sort((a, b) => a.id - b.id).map(group => groupObject(directory, group))))
}
