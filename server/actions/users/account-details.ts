import { badRequest } from '../../../shared/errors.js'
import { codePoints, limits } from '../../../shared/limits.js'
import { realmSetting } from '../../access/groups.js'
import type { ISql } from '../../store/db.js'
import type { Directory } from '../../store/directory.js'
import { isEmailTaken } from '../../store/users.js'
import { cleanName, isNameText } from '../../text/clean-name.js'

/** Trimmed. @throws {ApiError} BAD_REQUEST for what is no address. */
export function checkedEmail(given: string): string {
  const email = given.trim()
  if (!/^[^\s@<>"\p{Cc}]+@[^\s@<>"\p{Cc}]+$/u.test(email) || email.length > 254)
    throw badRequest('Invalid email address')
  return email
}

/**
 * No two accounts have the same address, whatever its case. `ownId`: of the account that is to have it; null: a new one.
 * Asked of the database: it takes some letters for the same that are different in small here.
 * @throws {ApiError} BAD_REQUEST
 */
export async function requireUnusedEmail(
  sql: ISql,
  directory: Directory,
  email: string,
  ownId: number | null,
): Promise<void> {
  const known = directory.usersByEmail.get(email.toLowerCase())
  if ((known && known.id !== ownId) || (await isEmailTaken(sql, email, ownId))) {
    throw emailInUse(email)
  }
}

export const emailInUse = (email: string) => badRequest(`Email '${email}' already in use`)

/** @throws {ApiError} BAD_REQUEST where only addresses of certain domains may join: no operation lists any yet. */
export function requireAllowedDomain(directory: Directory, email: string): void {
  if (realmSetting(directory, 'emails_restricted_to_domains')) {
    throw badRequest(`Email '${email}' not allowed in this organization`)
  }
}

// What would be read as markup of a mention, or as the id in `@**name|17**`.
const forbidden = /[*`\\>"@]|\|\d+$/

/** As names are stored. @throws {ApiError} BAD_REQUEST for a name that is too short, too long or could be read as markup. */
export function checkedFullName(given: string): string {
  const name = cleanName(given)
  const length = codePoints(name)
  if (length < 2) throw badRequest('Name too short!')
  if (length > limits.user_full_name_length) throw badRequest('Name too long!')
  if (forbidden.test(name) || !isNameText(name)) throw badRequest('Invalid characters in name!')
  return name
}

/** Where the organization wants names to be unique (require_unique_names), also to the eye. @throws {ApiError} BAD_REQUEST */
export function requireFreeName(directory: Directory, name: string, ownId: number | null): void {
  if (!realmSetting(directory, 'require_unique_names')) return
  if (directory.userLike(name, ownId)) throw badRequest('Unique names required in this organization.')
}
