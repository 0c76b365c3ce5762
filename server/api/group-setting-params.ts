import { z } from 'zod'
import { budgets } from '../budgets.js'
import { idList, idNumber } from './params.js'

/** Who is to hold a permission: a group, or a set of users and groups written out. */
export const groupSetting = z.union([
  idNumber,
  z.object({
    direct_members: idList(budgets.settingMembers.most).default([]),
    direct_subgroups: idList(budgets.groupsPerList.most).default([]),
  }),
])

/** How such a setting is changed: with `old`, only if that is still its value. */
export const groupSettingChange = z.object({ new: groupSetting, old: groupSetting.optional() })
