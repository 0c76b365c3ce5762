import { ApiError } from '../../../shared/errors.js'
import { type UserGroupUpdatePayload, userGroupAdd, userGroupUpdate } from '../../../shared/events/user-group.js'
import { type GroupSettingValue, sameSettingValue } from '../../../shared/resources/group-setting-value.js'
import { type GroupPermission, groupPermissions } from '../../../shared/resources/permission-settings.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { findGroup } from '../../lookups/find-group.js'
import { currentUser } from '../../lookups/find-user.js'
import type { Directory } from '../../memory/directory.js'
import { requireMayManageGroup } from '../../policies/group-permissions.js'
import { checkSettingValue } from '../../policies/group-setting-value.js'
import { type NamedGroup, settingValue } from '../../policies/groups.js'
import { activeUsers } from '../../policies/users.js'
import { groupObject, groupSettings } from '../../presenters/group-object.js'
import type { Emit } from '../../realtime/emission.js'
import { updateGroup as storeGroup } from '../../store/groups/group-changes.js'
import { bumpVersion } from '../../store/organization/organization.js'
import { requireFreeName } from './checks.js'
import type { GivenSettings } from './create-group.js'
import { settingGroups } from './setting-groups.js'

interface SettingUpdate {
  readonly new: GroupSettingValue
  /** The value that the caller expects the setting to have now. */
  readonly old?: GroupSettingValue | undefined
}

/** An absent field stays as it is. */
interface GroupUpdate {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly deactivated?: boolean | undefined
  readonly settings: Readonly<Partial<Record<GroupPermission, SettingUpdate>>>
}

/**
 * Changes name, description and settings of a group, possibly a deactivated one, and reactivates it (`deactivated: false`; true has no
 * effect). All or nothing.
 * @throws {ApiError} EXPECTATION_MISMATCH, SYSTEM_GROUP_REQUIRED, BAD_REQUEST
 */
export async function updateGroup(ctx: Ctx, actor: Actor, groupId: number, update: GroupUpdate): Promise<void> {
  const { directory } = ctx
  const groups = await ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'change')
    const group = findGroup(directory, groupId)
    requireMayManageGroup(directory, currentUser(directory, actor.user), group)
    const { name = group.name, description = group.description } = update
    if (name !== group.name) requireFreeName(directory, name, group.id)
    const values = changedSettings(directory, group, update.settings)
    const data = {
      ...(name !== group.name && { name }),
      ...(description !== group.description && { description }),
      ...values,
    }
    const returns = group.deactivated && update.deactivated === false
    if (Object.keys(data).length === 0 && !returns) return []
    const version = await bumpVersion(tx)
    const { ids, written } = await settingGroups(tx, directory, values, version)
    const settings = { ...group.settings, ...ids }
    const deactivated = group.deactivated && !returns
    const changed: NamedGroup = { ...group, name, description, settings, deactivated, version }
    await storeGroup(tx, group.id, changed, version)
    announceUpdate(emit, directory, { group, changed, values, data })
    return [changed, ...written]
  })
  directory.adopt({ groups })
}

/** The settings whose value changes, in their form on the wire. */
function changedSettings(directory: Directory, group: NamedGroup, updates: GroupUpdate['settings']): GivenSettings {
  const present = groupSettings(directory, group)
  const changed: Partial<Record<GroupPermission, GroupSettingValue>> = {}
  for (const [name, update] of Object.entries(updates) as [GroupPermission, SettingUpdate][]) {
    if (update.old !== undefined && !sameSettingValue(update.old, present[name])) {
      throw new ApiError('EXPECTATION_MISMATCH', "'old' value does not match the expected value.", {
        field_name: 'old',
      })
    }
    checkSettingValue(directory, name, groupPermissions[name], update.new)
    if (!sameSettingValue(update.new, present[name])) changed[name] = settingValue(directory, update.new)
  }
  return changed
}

interface Change {
  readonly group: NamedGroup
  readonly changed: NamedGroup
  readonly values: GivenSettings
  readonly data: UserGroupUpdatePayload['data']
}

/** Clients without support for deactivated groups receive the whole group when it is reactivated, and nothing before. */
export function announceUpdate(emit: Emit, directory: Directory, { group, changed, values, data }: Change): void {
  const audience = directory.derived(activeUsers)
  const { id: group_id, deactivated } = group
  if (Object.keys(data).length > 0) emit(userGroupUpdate, { group_id, data, of_deactivated: deactivated }, audience)
  if (deactivated === changed.deactivated) return
  emit(userGroupUpdate, { group_id, data: { deactivated: false }, of_deactivated: true }, audience)
  const object = groupObject(directory, changed, groupSettings(directory, changed, values))
  emit(userGroupAdd, { group: object, reactivated: true }, audience)
}
