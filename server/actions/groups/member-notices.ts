import { budgets } from '../../config/budgets.js'
import type { Notice } from '../../job-types/notice.js'
import type { Directory } from '../../memory/directory.js'
import type { MembershipChange } from '../../policies/group-permissions.js'
import type { NamedGroup } from '../../policies/groups.js'
import type { UserRow } from '../../store/users/users.js'
import type { InLanguages } from '../../text/page-language.js'
import { silently } from '../messages/notice-mentions.js'
import { languageOfReader } from '../notice-language.js'

interface Words {
  readonly added: (who: string, group: string) => string
  readonly removed: (who: string, group: string) => string
}

const inLanguages: InLanguages<Words> = {
  en: {
    added: (who, group) => `${who} added you to the group ${group}.`,
    removed: (who, group) => `${who} removed you from the group ${group}.`,
  },
  de: {
    added: (who, group) => `${who} hat dich in die Gruppe ${group} aufgenommen.`,
    removed: (who, group) => `${who} hat dich aus der Gruppe ${group} entfernt.`,
  },
}

/** Direct messages to the people that another user added to a group or removed from it. None beyond budgets.memberNotices. */
export function memberNotices(
  directory: Directory,
  caller: UserRow,
  group: NamedGroup,
  change: MembershipChange,
): Notice[] {
  const { users } = directory
  const to = (userIds: readonly number[], what: keyof Words): Notice[] =>
    userIds
      .filter(id => id !== caller.id && !users.get(id)?.is_bot)
      .map(id => {
        const words = inLanguages[languageOfReader(directory, users.get(id))]
        return { to: { people: [id] }, content: words[what](silently(caller), named(group)) }
      })
  const notices = [...to(change.add, 'added'), ...to(change.delete, 'removed')]
  return notices.length > budgets.memberNotices.most ? [] : notices
}

const named = ({ name }: NamedGroup): string => `@_*${name}*`
