import type { Directory } from '../memory/directory.js'
import type { UserRow } from '../store/users/users.js'
import { administrator, guest, member, moderator, owner } from './roles.js'

const day = 24 * 60 * 60 * 1000

/**
 * Whether a member's waiting period is over. It is measured up to `full_members_as_of`, not up to the present time: a separate transaction
 * promotes members (actions/groups/promote-full-members.ts) within a minute, so that permissions, the lists of the system groups and the
 * events change at one moment.
 */
export function isFullMember({ organization }: Pick<Directory, 'organization'>, user: UserRow): boolean {
  if (user.role >= guest) return false
  if (user.role <= moderator) return true
  const waiting = waitingPeriodOf(organization)
  return waiting === 0 || user.date_joined.getTime() + waiting <= organization.full_members_as_of.getTime()
}

/** Whether the user is a member whose waiting period is not over. */
export const isWaitingMember = (directory: Pick<Directory, 'organization'>, user: UserRow): boolean =>
  user.role === member && user.is_active && !user.is_system_bot && !isFullMember(directory, user)

/** Waiting period of new members in ms; 0: none. */
export function waitingPeriodOf({ settings }: Directory['organization']): number {
  const days = settings.waiting_period_threshold
  return typeof days === 'number' ? days * day : 0
}

/** Whether the user belongs to a system group by role. Null: a spectator. */
export function hasRole(directory: Pick<Directory, 'organization'>, user: UserRow | null, name: string): boolean {
  if (!user) return name === 'role:internet'
  switch (name) {
    case 'role:internet':
    case 'role:everyone':
      return true
    case 'role:members':
      return user.role !== guest
    case 'role:fullmembers':
      return isFullMember(directory, user)
    case 'role:moderators':
      return user.role <= moderator
    case 'role:administrators':
      return user.role <= administrator
    case 'role:owners':
      return user.role <= owner
    default:
      return false
  }
}

const nameOfRole: Readonly<Record<number, string>> = {
  [owner]: 'role:owners',
  [administrator]: 'role:administrators',
  [moderator]: 'role:moderators',
  [guest]: 'role:everyone',
}

/**
 * The one system group of which the user is a direct member: that of its highest role. Undefined for a deactivated or unknown user and for
 * the server's own bots.
 */
export function directRoleGroup(
  directory: Pick<Directory, 'organization'>,
  user: UserRow | undefined,
): string | undefined {
  if (!user?.is_active || user.is_system_bot) return undefined
  if (user.role === member) return isFullMember(directory, user) ? 'role:fullmembers' : 'role:members'
  return nameOfRole[user.role]
}

/** Direct members of each system group by its name; ids ascending. */
export function roleHolders(directory: Directory): ReadonlyMap<string, readonly number[]> {
  return directory.derived(holders)
}

function holders(directory: Directory): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (const user of directory.users.values()) {
    const name = directRoleGroup(directory, user)
    if (name === undefined) continue
    const members = found.get(name)
    if (members) members.push(user.id)
    else found.set(name, [user.id])
  }
  for (const members of found.values()) members.sort((a, b) => a - b)
  return found
}
