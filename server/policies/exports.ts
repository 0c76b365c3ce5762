import { ApiError, badRequest } from '../../shared/errors.js'
import type { Directory } from '../memory/directory.js'
import type { UserRow } from '../store/users/users.js'
import { requireMayChangeAccess } from './accounts.js'
import { administrators } from './allow.js'
import { isAdministrator } from './roles.js'

/**
 * A person that the caller may export: itself; for administrators also others, owners only for owners.
 * @throws {ApiError} BAD_REQUEST: there is no such person; UNAUTHORIZED_PRINCIPAL
 */
export function exportablePerson({ users }: Pick<Directory, 'users'>, caller: UserRow, id: number): UserRow {
  if (id !== caller.id) administrators({ user: caller })
  const user = users.get(id)
  if (!user || user.is_bot || user.is_deleted) throw badRequest('No such user')
  if (id !== caller.id) requireMayChangeAccess(caller, user)
  return user
}

/** Who requested an export, and administrators. @throws {ApiError} UNAUTHORIZED_PRINCIPAL */
export function requireMayDeleteExport(caller: UserRow, { requester_id }: { readonly requester_id: number }): void {
  if (requester_id !== caller.id && !isAdministrator(caller)) {
    throw new ApiError('UNAUTHORIZED_PRINCIPAL', 'Another user has requested this export')
  }
}
