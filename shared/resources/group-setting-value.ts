import { z } from 'zod'

/** A set of users and groups that has no name. */
export interface SettingMembers {
  readonly direct_members: readonly number[]
  readonly direct_subgroups: readonly number[]
}

/** The holders of a permission: the id of a group, or a set (docs/protocol/permissions.md#group-setting-values). */
export type GroupSettingValue = number | SettingMembers

const id = z.int().min(0).max(2_147_483_647)

export const groupSettingValue = z.union([
  id,
  z.object({ direct_members: z.array(id).default([]), direct_subgroups: z.array(id).default([]) }),
])

/** Compares sets without regard to order. */
export function sameSettingValue(one: GroupSettingValue, other: GroupSettingValue): boolean {
  return settingValueKey(one) === settingValueKey(other)
}

/** Equal values have equal keys; a set with one group and no users equals that group. */
export function settingValueKey(value: GroupSettingValue): string {
  if (typeof value === 'number') return String(value)
  const members = ascending(value.direct_members)
  const subgroups = ascending(value.direct_subgroups)
  if (members.length === 0 && subgroups.length === 1) return String(subgroups[0])
  return `${members.join()}/${subgroups.join()}`
}

const ascending = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b)
