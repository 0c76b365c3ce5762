import type { PendingQuery, Row } from 'postgres'
import { asJson } from '../driver/as-json.js'
import type { Tx } from '../driver/db.js'
import { nextAfter } from '../driver/directory-lease.js'
import { bumpVersion } from '../organization/organization.js'
import type { Parts } from '../organization/outbox.js'
import { type UserRow, userColumns } from './users.js'

export type UserChange = Partial<Omit<UserRow, 'id' | 'version' | 'date_joined'>>

/**
 * Stores a change of these users. The caller holds the organization.
 * @param version the new version of the organization; absent: this is the first change with it
 * @returns the changed rows, for previews of the directory and for `Directory.adopt`
 */
export async function changeUsers(
  tx: Tx,
  users: readonly UserRow[],
  change: UserChange,
  version?: number,
): Promise<UserRow[]> {
  const ids = users.map(user => user.id)
  return updateUsers(tx, updateOf(tx, change), { ids, version })
}

function updateOf(tx: Tx, { service, settings, profile_data, status, muted_users, ...plain }: UserChange) {
  const columns = {
    ...plain,
    ...(service !== undefined && { service: service && asJson(tx, service) }),
    ...(settings && { settings: asJson(tx, settings) }),
    ...(profile_data && { profile_data: asJson(tx, profile_data) }),
    ...(status && { status: asJson(tx, status) }),
    ...(muted_users && { muted_users: asJson(tx, muted_users) }),
  }
  // The casts: the driver's types do not know the parts of a column's value.
  return tx`update users set ${tx(columns as never)}`
}

interface ChangedUser {
  readonly change: UserChange
  /** Names of settings to record as chosen by the user itself. */
  readonly edited: readonly string[]
  /** The version of the organization before. */
  readonly version: number
}

/** Parts of `storeWithEvents` that store a change of a user's row, with the next version of the organization, if the organization still has `version`. */
export const changedUser = (tx: Tx, userId: number, { change, edited, version }: ChangedUser): Parts => tx`
  ${nextAfter(tx, version)}, checked as (select next_version from next), done as (
    ${updateOf(tx, change)}, version = next_version ${edited.length > 0 ? withEdited(tx, edited) : tx``}
    from checked where id = ${userId} returning ${userColumns(tx)}
  )`

const withEdited = (tx: Tx, names: readonly string[]) => tx`
  , edited_settings = array(select distinct name from unnest(edited_settings || ${names as string[]}::text[]) as name)`

/** Runs an update of users, which ends with the columns that it sets, as `changeUsers` does. */
export async function updateUsers(
  tx: Tx,
  update: PendingQuery<Row[]>,
  { ids, version }: { readonly ids: readonly number[]; readonly version: number | undefined },
): Promise<UserRow[]> {
  const next = version ?? (await bumpVersion(tx))
  const rows = await tx<UserRow[]>`
    ${update}, version = ${next} where id = any(${ids as number[]}::int[]) returning ${userColumns(tx)}`
  // As copies: the client of the database assigns the columns one by one, and V8 makes a hash table of an object with more than 19
  // properties that were assigned so. Each property read would be a lookup.
  return rows.map(row => ({ ...row }))
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

/** Gives the user's row a new version: what workers remember of the user beside the row has to be looked up again. */
export async function renewRow(tx: Tx, userId: number, version: number): Promise<void> {
  await tx`update users set version = ${version} where id = ${userId}`
}
