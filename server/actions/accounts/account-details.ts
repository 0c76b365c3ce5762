import { badRequest } from '../../../shared/errors.js'
import { codePoints, limits } from '../../../shared/limits.js'
import type { Directory } from '../../memory/directory.js'
import { hasProtectedName, mayTakeProtectedName } from '../../policies/accounts.js'
import { realmSetting } from '../../policies/settings.js'
import type { ISql } from '../../store/driver/db.js'
import { isEmailTaken, type UserRow } from '../../store/users/users.js'
import { cleanName, isNameText } from '../../text/clean-name.js'
import { looksInAnyCase } from '../../text/looks.js'

export const emailPattern = /^[^\s@<>"\p{Cc}]+@[^\s@<>"\p{Cc}]+$/u
export const mostEmailCharacters = 254

/** Whether the trimmed text has the form of an address. */
export const isEmail = (email: string): boolean => emailPattern.test(email) && email.length <= mostEmailCharacters

/**
 * Whether an address is another one in lower case than its ASCII letters say: the signs of Kelvin and İ become letters of ASCII there. It proves nothing
 * about the account of the other address.
 */
export const isMisleading = (email: string): boolean => /[\u212A\u0130]/.test(email)

/** The trimmed address. @throws {ApiError} BAD_REQUEST for an invalid address. */
export function checkedEmail(given: string): string {
  const email = given.trim()
  if (!isEmail(email)) throw badRequest('Invalid email address')
  return email
}

/**
 * Throws if another account has the address; case is ignored. `ownId`: the account that gets the address; null: a new one. Also queries the
 * database, whose rules for upper and lower case differ from JavaScript's for some letters.
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

// Characters that are markup in a mention, and the id of `@**name|17**`.
const forbidden = /[*`\\>"@]|\|\d+$/

/** The name in its stored form. @throws {ApiError} BAD_REQUEST for a name that is too short, too long or contains markup. */
export function checkedFullName(given: string): string {
  const name = cleanName(given)
  const length = codePoints(name)
  if (length < limits.user_full_name_least) throw badRequest('Name too short!')
  if (length > limits.user_full_name_length) throw badRequest('Name too long!')
  if (forbidden.test(name) || !isNameText(name)) throw badRequest('Invalid characters in name!')
  return name
}

/**
 * Throws for a name that equals or looks like another user's, if the organization has require_unique_names, and for one that looks like an
 * administrator's if the caller is none. `caller`: null if a person who joins chooses its name; undefined if administrators, or the operator,
 * decide on it.
 * @throws {ApiError} BAD_REQUEST
 */
export function requireFreeName(
  directory: Directory,
  name: string,
  ownId: number | null,
  caller?: UserRow | null,
): void {
  if (realmSetting(directory, 'require_unique_names') && directory.userLike(name, ownId)) {
    throw badRequest('Unique names required in this organization.')
  }
  if (caller === undefined || (caller && mayTakeProtectedName(caller))) return
  // The bots' accounts are made at their first message.
  const ofBots = [notificationBotName, welcomeBotName, emailGatewayName].flatMap(looksInAnyCase)
  const isOfBot = looksInAnyCase(name).some(look => ofBots.includes(look))
  if (isOfBot || directory.userLike(name, ownId, hasProtectedName)) {
    throw badRequest('This name looks like that of an administrator.')
  }
}

/** The names of the accounts that send the server's own messages. */
export const notificationBotName = 'Notification Bot'
export const welcomeBotName = 'Welcome Bot'
export const emailGatewayName = 'Email Gateway'
