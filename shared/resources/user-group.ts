import { z } from 'zod'
import { type GroupSettingValue, groupSettingValue } from './group-setting-value.js'
import { type GroupPermission, groupPermissions } from './permission-settings.js'

export const groupPermissionNames = Object.keys(groupPermissions) as readonly GroupPermission[]

/** A named group as answers, events and the register state show it. */
export type UserGroupObject = {
  readonly id: number
  readonly name: string
  readonly description: string
  /** Direct members that are active; ids ascending. */
  readonly members: readonly number[]
  readonly direct_subgroup_ids: readonly number[]
  readonly is_system_group: boolean
  readonly creator_id: number | null
  /** UNIX seconds; null for system groups. */
  readonly date_created: number | null
  readonly deactivated: boolean
} & { readonly [Name in GroupPermission]: GroupSettingValue }

/** The same as a schema, for what operations return. */
export const userGroupObject = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  members: z.array(z.int()).describe('Direct members that are active, ids ascending.'),
  direct_subgroup_ids: z.array(z.int()),
  is_system_group: z.boolean(),
  creator_id: z.int().nullable(),
  date_created: z.int().nullable().describe('UNIX seconds; null for system groups.'),
  deactivated: z.boolean(),
  can_add_members_group: groupSettingValue,
  can_join_group: groupSettingValue,
  can_leave_group: groupSettingValue,
  can_manage_group: groupSettingValue,
  can_mention_group: groupSettingValue,
  can_remove_members_group: groupSettingValue,
})
