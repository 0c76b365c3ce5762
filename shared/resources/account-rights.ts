const owner = 100
const administrator = 200
const guest = 600

/** The account that is to be changed, and who wants it. */
export interface AccountChange {
  /** The role of the caller. */
  readonly caller: number
  /** The present role of the account. */
  readonly role: number
  /** Whether it is the only active owner; bots do not count. */
  readonly isOnlyOwner: boolean
}

/** Why the server refuses a change of an account. */
type AccountObstacle = 'administrator' | 'owner' | 'onlyOwner' | 'guest'

/** Why the caller may not give this role to the account; undefined: it may. */
export function roleObstacle(
  { caller, role, isOnlyOwner }: AccountChange,
  wanted: number,
): AccountObstacle | undefined {
  if (caller > administrator) return 'administrator'
  if (caller !== owner && (wanted === owner || role === owner)) return 'owner'
  if (isOnlyOwner) return 'onlyOwner'
  // Requires two steps, so that a single mistake cannot make a guest an administrator (docs/protocol/permissions.md#roles).
  return role === guest && wanted <= administrator ? 'guest' : undefined
}

/** Why the caller may not change how the account signs in; undefined: it may. */
export function accessObstacle({ caller, role }: Omit<AccountChange, 'isOnlyOwner'>): AccountObstacle | undefined {
  if (caller > administrator) return 'administrator'
  return role === owner && caller !== owner ? 'owner' : undefined
}

/** Why the caller may not deactivate the account; undefined: it may. */
export const deactivationObstacle = (change: AccountChange): AccountObstacle | undefined =>
  accessObstacle(change) ?? (change.isOnlyOwner ? 'onlyOwner' : undefined)
