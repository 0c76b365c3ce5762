import type { Tx } from '../driver/db.js'
import type { UserRow } from './users.js'

export type UserChange = Partial<Omit<UserRow, 'id' | 'version' | 'date_joined'>>

/**
 * Stores a change of these users. The caller holds the organization and passes its new version.
 * @returns the changed rows, for previews of the directory
 */
export async function changeUsers(
  tx: Tx,
  users: readonly UserRow[],
  change: UserChange,
  version: number,
): Promise<UserRow[]> {
  const { settings, profile_data, status, muted_users, ...plain } = change
  const columns = {
    ...plain,
    ...(settings && { settings: tx.json(settings as never) }),
    ...(profile_data && { profile_data: tx.json(profile_data as never) }),
    ...(status && { status: tx.json(status as never) }),
    ...(muted_users && { muted_users: tx.json(muted_users as never) }),
    version,
  }
  await tx`update users set ${tx(columns as never)} where id = any(${users.map(user => user.id)})`
  return users.map(user => ({ ...user, ...change, version }))
}

/** Deletes the values of a custom profile field for all users. */
export async function dropProfileValues(tx: Tx, fieldId: number, version: number): Promise<void> {
  const key = String(fieldId)
  await tx`update users set profile_data = profile_data - ${key}::text, version = ${version} where profile_data ? ${key}::text`
}

/** Deletes those values of a custom profile field for all users. */
export async function clearProfileValues(
  tx: Tx,
  fieldId: number,
  values: readonly string[],
  version: number,
): Promise<void> {
  const key = String(fieldId)
  await tx`
    update users set profile_data = profile_data - ${key}::text, version = ${version}
    where profile_data -> ${key}::text ->> 'value' = any(${[...values]}::text[])`
}

/** Removes the password, so that the account cannot sign in with it any more. */
export async function clearPassword(tx: Tx, userId: number): Promise<void> {
  await tx`update users set password_hash = null where id = ${userId}`
}
