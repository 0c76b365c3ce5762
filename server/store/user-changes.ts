import type { Tx } from './db.js'
import type { UserRow } from './users.js'

export type UserChange = Partial<Omit<UserRow, 'id' | 'version' | 'date_joined'>>

/**
 * Writes what changes of these users; the caller holds the organization and gives the version that it got for it.
 * @returns the rows as they are then, for previews of the directory
 */
export async function changeUsers(
  tx: Tx,
  users: readonly UserRow[],
  change: UserChange,
  version: number,
): Promise<UserRow[]> {
  const { settings, profile_data, ...plain } = change
  const columns = {
    ...plain,
    ...(settings && { settings: tx.json(settings as never) }),
    ...(profile_data && { profile_data: tx.json(profile_data as never) }),
    version,
  }
  await tx`update users set ${tx(columns as never)} where id = any(${users.map(user => user.id)})`
  return users.map(user => ({ ...user, ...change, version }))
}

/** Takes the values of a custom profile field from everybody who has one. */
export async function dropProfileValues(tx: Tx, fieldId: number, version: number): Promise<void> {
  const key = String(fieldId)
  await tx`update users set profile_data = profile_data - ${key}::text, version = ${version} where profile_data ? ${key}::text`
}

/** Nobody signs in to the account with the password that it had. */
export async function clearPassword(tx: Tx, userId: number): Promise<void> {
  await tx`update users set password_hash = null where id = ${userId}`
}
