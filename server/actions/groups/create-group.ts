import { badRequest } from '../../../shared/errors.js'
import { userGroupAdd } from '../../../shared/events/user-group.js'
import type { GroupSettingValue } from '../../../shared/resources/group-setting-value.js'
import { type GroupPermission, groupPermissions } from '../../../shared/resources/permission-settings.js'
import type { Actor } from '../../auth/actor.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import type { Directory } from '../../memory/directory.js'
import { requireMayCreateGroups } from '../../policies/group-permissions.js'
import { checkSettingValue } from '../../policies/group-setting-value.js'
import type { NamedGroup } from '../../policies/groups.js'
import { activeUsers } from '../../policies/users.js'
import { groupObject, groupSettings } from '../../presenters/group-object.js'
import { insertGroup } from '../../store/groups/group-changes.js'
import type { GroupRow } from '../../store/groups/groups.js'
import { bumpVersion } from '../../store/organization/organization.js'
import type { UserRow } from '../../store/users/users.js'
import { requireFreeName, requireMembers, requireSubgroups } from './checks.js'
import { settingGroups } from './setting-groups.js'

export type GivenSettings = Readonly<Partial<Record<GroupPermission, GroupSettingValue>>>

interface GroupDraft {
  readonly name: string
  readonly description: string
  readonly members: readonly number[]
  readonly subgroups: readonly number[]
  readonly settings: GivenSettings
}

/**
 * The creator manages the group, unless the request says otherwise, and is a member only if listed.
 * @returns the group's id
 * @throws {ApiError} BAD_REQUEST
 */
export async function createGroup(ctx: Ctx, actor: Actor, draft: GroupDraft): Promise<number> {
  const { directory } = ctx
  let written: readonly GroupRow[] = []
  const id = await ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'change')
    const caller = currentUser(directory, actor.user)
    requireMayCreateGroups(directory, caller)
    requireRoom(directory, caller)
    const members = requireMembers(directory, draft.members)
    requireFreeName(directory, draft.name, null)
    const subgroups = requireSubgroups(directory, draft.subgroups)
    for (const [name, value] of Object.entries(draft.settings) as [GroupPermission, GroupSettingValue][]) {
      checkSettingValue(directory, name, groupPermissions[name], value)
    }
    const creator = { direct_members: [caller.id], direct_subgroups: [] }
    const values: GivenSettings = { can_manage_group: creator, can_add_members_group: creator, ...draft.settings }
    const version = await bumpVersion(tx)
    const { ids, written: ofSettings } = await settingGroups(tx, directory, values, version)
    const settings = ids as Record<string, number>
    const { name, description } = draft
    const row = { name, description, creator_id: caller.id, settings, members, subgroups }
    const made = await insertGroup(tx, row, version)
    const group: NamedGroup = { ...row, ...made, is_system_group: false, deactivated: false, version }
    const object = groupObject(directory, group, groupSettings(directory, group, values))
    emit(userGroupAdd, { group: object }, directory.derived(activeUsers))
    written = [group, ...ofSettings]
    // The answer, which is stored with a request's key.
    return group.id
  })
  directory.adopt({ groups: written })
  return id
}

/** Deactivated groups count too: clients receive them with all other groups. */
function requireRoom(directory: Directory, { id }: UserRow): void {
  const { most } = budgets.groupsMade
  let made = 0
  for (const group of directory.groupsByName.values()) if (group.creator_id === id) made++
  if (made >= most) throw badRequest(`One account can make at most ${most} user groups.`)
}
