import type { GroupSettingValue } from '../resources/group-setting-value.js'
import { channelLists, channelsIn } from './channel-records.js'
import type { ClientState } from './client-state.js'

/**
 * Removes a deactivated user from all groups and from the sets that hold a permission: clients do so on their own when
 * they receive the deactivation (docs/protocol/events.md#deactivation).
 */
export function forgetMember(state: ClientState, userId: number): void {
  for (const group of Object.values(state.realm_user_groups ?? {})) {
    if (group.members.includes(userId)) group.members = group.members.filter(id => id !== userId)
    leaveSettings(group, userId)
  }
  for (const list of channelLists) {
    for (const channel of Object.values(channelsIn(state, list) ?? {})) leaveSettings(channel, userId)
  }
  leaveSettings(state, userId)
}

function leaveSettings(holder: object, userId: number): void {
  for (const [name, value] of Object.entries(holder)) {
    if (isSetOfMembers(value) && value.direct_members.includes(userId)) {
      Object.assign(holder, { [name]: without(value, userId) })
    }
  }
}

const isSetOfMembers = (value: unknown): value is Exclude<GroupSettingValue, number> =>
  typeof value === 'object' && value !== null && 'direct_members' in value && 'direct_subgroups' in value

/** A set with one group and no users is written as that group. */
function without({ direct_members, direct_subgroups }: Exclude<GroupSettingValue, number>, userId: number) {
  const left = direct_members.filter(id => id !== userId)
  const [only, ...others] = direct_subgroups
  if (left.length === 0 && only !== undefined && others.length === 0) return only
  return { direct_members: left, direct_subgroups }
}
