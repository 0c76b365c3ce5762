import { budgets } from '../../config/budgets.js'
import type { Notice } from '../../job-types/notice.js'
import type { Directory } from '../../memory/directory.js'
import type { MembershipChange } from '../../policies/group-permissions.js'
import type { NamedGroup } from '../../policies/groups.js'
import type { UserRow } from '../../store/users/users.js'
import { silently } from '../messages/notice-mentions.js'

/** Direct messages to the people that another user added to a group or removed from it. None beyond budgets.memberNotices. */
export function memberNotices(
  directory: Directory,
  caller: UserRow,
  group: NamedGroup,
  change: MembershipChange,
): Notice[] {
  const to = (userIds: readonly number[], content: string): Notice[] =>
    userIds
      .filter(id => id !== caller.id && !directory.users.get(id)?.is_bot)
      .map(id => ({ to: { people: [id] }, content }))
  const notices = [
    ...to(change.add, `${silently(caller)} added you to the group ${named(group)}.`),
    ...to(change.delete, `${silently(caller)} removed you from the group ${named(group)}.`),
  ]
  return notices.length > budgets.memberNotices.most ? [] : notices
}

const named = ({ name }: NamedGroup): string => `@_*${name}*`
