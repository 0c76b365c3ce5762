import { badRequest } from '../../shared/errors.js'
import type { Directory } from '../memory/directory.js'

/** Accounts that people of an archive can be: no bots, and none that are erased. @throws {ApiError} BAD_REQUEST */
export function requirePeople({ users }: Pick<Directory, 'users'>, ids: Iterable<number>): void {
  for (const id of ids) {
    const user = users.get(id)
    if (!user || user.is_bot || user.is_deleted) throw badRequest('No such user')
  }
}
