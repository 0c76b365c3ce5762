import { z } from 'zod'
import { budgets } from '../config/budgets.js'
import { idList, idNumber } from '../params/schemas.js'

/** The new holders of a permission: a group, or a set of users and groups. */
export const groupSetting = z.union([
  idNumber,
  z.object({
    direct_members: idList(budgets.settingMembers.most).default([]),
    direct_subgroups: idList(budgets.groupsPerList.most).default([]),
  }),
])

/** A change of such a setting; with `old`, the change applies only if that is still the value. */
export const groupSettingChange = z.object({ new: groupSetting, old: groupSetting.optional() })
