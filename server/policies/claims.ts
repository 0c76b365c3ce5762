import type { Directory } from '../memory/directory.js'
import type { GroupRow } from '../store/groups/groups.js'
import type { UserRow } from '../store/users/users.js'
import { isOnlyOwner } from './accounts.js'
import { member } from './roles.js'

// What follows from the groups that a person has at an identity provider (docs/sign-in.md#groups-and-roles).

interface Mapping {
  /** Names of user groups, by the provider's name of the group. */
  readonly groups: Readonly<Record<string, string>>
  /** Roles, by the provider's name of the group. */
  readonly roles: Readonly<Record<string, number>>
}

/**
 * The role that the groups give: the most powerful one. The provider decides on the roles that it maps: a user who has one of them without
 * such a group becomes a member. Other roles stay, and so does the only owner.
 */
export function roleByClaims(
  directory: Directory,
  user: UserRow,
  mapping: Mapping,
  claimed: readonly string[],
): number {
  const isManaged = Object.values(mapping.roles).includes(user.role)
  const wanted = claimedRole(mapping, claimed) ?? (isManaged ? member : user.role)
  return isOnlyOwner(directory, user) ? user.role : wanted
}

/** The most powerful role that the groups give; undefined: they give none. */
export function claimedRole({ roles }: Mapping, claimed: readonly string[]): number | undefined {
  const known = new Set(claimed)
  const given = Object.entries(roles).flatMap(([group, role]) => (known.has(group) ? [role] : []))
  return given.length > 0 ? Math.min(...given) : undefined
}

/** The mapped groups that the user joins and leaves. Groups of the mapping that do not exist here, or that follow from roles, are left out. */
export function groupsByClaims(
  directory: Directory,
  user: UserRow,
  { groups }: Mapping,
  claimed: readonly string[],
): { readonly joined: readonly GroupRow[]; readonly left: readonly GroupRow[] } {
  const known = new Set(claimed)
  const wanted = new Map<string, boolean>()
  // Several groups of the provider may lead to one group here: one of them is enough.
  for (const [group, name] of Object.entries(groups)) wanted.set(name, wanted.get(name) === true || known.has(group))
  const joined: GroupRow[] = []
  const left: GroupRow[] = []
  for (const [name, isIn] of wanted) {
    const group = directory.groupsByName.get(name)
    if (!group || group.is_system_group || group.deactivated) continue
    if (isIn !== group.members.includes(user.id)) (isIn ? joined : left).push(group)
  }
  return { joined, left }
}
