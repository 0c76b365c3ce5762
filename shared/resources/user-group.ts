import { z } from 'zod'
import type { DeepReadonly } from './deep-readonly.js'
import { groupSettingValue } from './group-setting-value.js'
import { type GroupPermission, groupPermissions } from './permission-settings.js'

export const groupPermissionNames = Object.keys(groupPermissions) as readonly GroupPermission[]

/** A named group as answers, events and the register state show it. */
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

export type UserGroupObject = DeepReadonly<z.output<typeof userGroupObject>>
