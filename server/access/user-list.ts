import type { Directory } from '../store/directory.js'
import type { UserRow } from '../store/users.js'
import { type UserObjectOptions, unknownUser, userObjectWith } from './user-object.js'
import { deliveryEmailFor, roleSeesEmail } from './users.js'

export type WhichUsers = 'active' | 'deactivated' | 'all'

/** Whom the viewer may know (null: everybody), and whether the others are left out or stand there as placeholders. */
export interface ListedUsers {
  readonly which: WhichUsers
  readonly known: ReadonlySet<number> | null
  readonly placeholders: boolean
}

/**
 * A list of user objects as JSON text, without the server's own bots. Objects are encoded once per row and form, and lists
 * that many viewers share once per generation: to encode 10,000 users takes longer than a register answer may.
 */
export function userListText(
  directory: Directory,
  viewer: UserRow | null,
  listed: ListedUsers,
  options: UserObjectOptions,
): string {
  const ownIsSpecial = viewer !== null && !roleSeesEmail(viewer.role, viewer)
  if (listed.known || ownIsSpecial) return join(directory, viewer, listed, options)
  const lists = directory.derived(sharedLists)
  const key = `${viewer?.role ?? 'visitor'} ${listed.which} ${formOf(true, viewer === null, options)}`
  let text = lists.get(key)
  if (text === undefined) {
    text = join(directory, viewer, listed, options)
    // A list is as large as the organization: the newest few are what clients ask for at a time.
    if (lists.size >= sharedListsKept) lists.delete(lists.keys().next().value as string)
    lists.set(key, text)
  }
  return text
}

const sharedListsKept = 8
const sharedLists = (): Map<string, string> => new Map()

function join(
  directory: Directory,
  viewer: UserRow | null,
  { which, known, placeholders }: ListedUsers,
  options: UserObjectOptions,
): string {
  const texts: string[] = []
  for (const user of directory.derived(peopleById)) {
    if (which !== 'all' && user.is_active !== (which === 'active')) continue
    if (!known || known.has(user.id)) texts.push(userText(user, viewer, options))
    else if (placeholders) texts.push(JSON.stringify(unknownUser(user.id, options)))
  }
  return `[${texts.join()}]`
}

function peopleById(directory: Directory): UserRow[] {
  return [...directory.users.values()].filter(user => !user.is_system_bot).sort((a, b) => a.id - b.id)
}

// A memo, not state: a row is replaced when it changes, and its texts go with it.
const textsOfRow = new WeakMap<UserRow, Map<number, string>>()

function userText(user: UserRow, viewer: UserRow | null, options: UserObjectOptions): string {
  const deliveryEmail = deliveryEmailFor(viewer, user)
  const form = formOf(deliveryEmail !== null, viewer === null, options)
  const texts = textsOfRow.get(user) ?? new Map<number, string>()
  if (texts.size === 0) textsOfRow.set(user, texts)
  let text = texts.get(form)
  if (text === undefined) {
    text = JSON.stringify(userObjectWith(user, deliveryEmail, viewer === null, options))
    texts.set(form, text)
  }
  return text
}

function formOf(showsEmail: boolean, forVisitor: boolean, options: UserObjectOptions): number {
  return (
    (showsEmail ? 1 : 0) |
    (forVisitor ? 2 : 0) |
    (options.clientGravatar ? 4 : 0) |
    (options.profileData ? 8 : 0) |
    (options.isActive ? 16 : 0)
  )
}
