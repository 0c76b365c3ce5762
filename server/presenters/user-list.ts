import type { Directory } from '../memory/directory.js'
import { SharedUserList, userLists } from '../memory/shared-user-list.js'
import { roleSeesEmail } from '../policies/users.js'
import type { UserRow } from '../store/users/users.js'
import type { UserObjectOptions } from './user-object.js'
import { formOf, unknownUserText, userText } from './user-text.js'

type WhichUsers = 'active' | 'deactivated' | 'all'

/** The users that the viewer may see (null: all), and whether the other users are omitted or become placeholders. */
interface ListedUsers {
  readonly which: WhichUsers
  readonly known: ReadonlySet<number> | null
  readonly placeholders: boolean
}

/**
 * A list of user objects as chunks of JSON, without the server's own bots. Each object is encoded once per row and form, and lists that
 * many viewers share are assembled once: encoding 10,000 users takes longer than a register answer may.
 */
export function userList(
  directory: Directory,
  viewer: UserRow | null,
  listed: ListedUsers,
  options: UserObjectOptions,
): (string | Uint8Array)[] {
  if (listed.known) return [knownUsers(directory, viewer, { ...listed, known: listed.known }, options)]
  const isOwnSpecial = viewer !== null && !roleSeesEmail(viewer.role, viewer)
  // Id 0: another user of the same role, who sees this viewer as it sees all other users.
  const anyViewer = viewer && { ...viewer, id: 0 }
  const shared = sharedList(directory, anyViewer, listed.which, options)
  return isOwnSpecial ? shared.with(viewer.id, user => userText(directory, user, viewer, options)) : [shared.bytes]
}

function knownUsers(
  directory: Directory,
  viewer: UserRow | null,
  { which, known, placeholders }: ListedUsers & { known: ReadonlySet<number> },
  options: UserObjectOptions,
): string {
  const texts: string[] = []
  for (const user of directory.derived(peopleById)) {
    if (!known.has(user.id)) {
      // Placeholders are always active, so an unknown user does not reveal whether it is deactivated.
      if (placeholders && which !== 'deactivated') texts.push(unknownUserText(directory, user, options))
    } else if (isListed(user, which)) texts.push(userText(directory, user, viewer, options))
  }
  return `[${texts.join()}]`
}

function sharedList(
  directory: Directory,
  viewer: UserRow | null,
  which: WhichUsers,
  options: UserObjectOptions,
): SharedUserList {
  const lists = directory.derived(userLists)
  const key = `${viewer?.role ?? 'spectator'} ${which} ${formOf(true, viewer === null, options)}`
  const kept = lists.get(key)
  const { generation } = directory
  if (kept?.generation === generation) return kept.list
  const rows = directory.derived(peopleById).filter(user => isListed(user, which))
  const list = SharedUserList.of(rows, user => userText(directory, user, viewer, options), kept?.list)
  lists.set(key, { list, generation })
  return list
}

const isListed = (user: UserRow, which: WhichUsers): boolean =>
  which === 'all' || user.is_active === (which === 'active')

function peopleById(directory: Directory): UserRow[] {
  return [...directory.users.values()].filter(user => !user.is_system_bot).sort((a, b) => a.id - b.id)
}
