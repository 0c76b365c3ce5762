import type { Actor } from '../auth/actor.js'
import type { Ctx } from '../ctx.js'
import { owner } from '../policies/roles.js'
import type { UserRow } from '../store/users/users.js'
import { AdminError } from './admin-error.js'

/** The account that a command names by address or id. @throws {AdminError} */
export function accountOf({ directory }: Ctx, name: string): UserRow {
  const user = /^\d{1,9}$/.test(name.trim())
    ? directory.users.get(Number(name))
    : directory.usersByEmail.get(name.trim().toLowerCase())
  if (!user || user.is_system_bot) throw new AdminError(`There is no account ${name}.`, 'NOT_FOUND')
  return user
}

/**
 * The account on whose behalf the command acts: the permissions of that account apply. By default the oldest active owner. @throws
 * {AdminError}
 */
export function actorOf(ctx: Ctx, name: string | undefined): Actor {
  return { user: name === undefined ? oldestOwner(ctx) : active(accountOf(ctx, name)), client: 'admin' }
}

function oldestOwner({ directory }: Ctx): UserRow {
  const owners = [...directory.users.values()].filter(user => user.is_active && !user.is_bot && user.role === owner)
  const [oldest] = owners.sort((a, b) => a.id - b.id)
  if (oldest) return oldest
  throw new AdminError('The organization has no active owner: make one with user create --role owner.', 'NO_OWNER')
}

function active(user: UserRow): UserRow {
  if (user.is_active) return user
  throw new AdminError(`The account ${user.delivery_email} is deactivated.`, 'DEACTIVATED')
}
