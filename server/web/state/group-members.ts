import type { ChatState } from './chat-state.js'
import { type Holder, type HolderRule, suggestedHolders } from './holders.js'
import { withSubgroups } from './permissions.js'

/** What may be a member of a group: people, and every group with members. */
const memberRule: HolderRule = {
  allow_nobody_group: false,
  allow_everyone_group: true,
  require_system_group: false,
  allowed_system_groups: [],
}

/** What may be added to a group, by the beginning of a word of its name: no group that contains this one. */
export function suggestedMembers(state: ChatState, groupId: number, words: string): Holder[] {
  const group = state.realm_user_groups[groupId]
  const around = Object.keys(state.realm_user_groups)
    .map(Number)
    .filter(id => [...withSubgroups(state, id)].some(one => one.id === groupId))
  const taken = [
    ...[...around, ...(group?.direct_subgroup_ids ?? [])].map((id): Holder => ({ kind: 'group', id })),
    ...(group?.members ?? []).map((id): Holder => ({ kind: 'person', id })),
  ]
  return suggestedHolders(state, memberRule, taken, words)
}
