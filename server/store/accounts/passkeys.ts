import type { ISql, Tx } from '../driver/db.js'

/** A passkey as its account sees it. */
interface ListedPasskey {
  readonly id: number
  readonly name: string
  readonly created: Date
  readonly last_used: Date | null
}

/** What checks the signatures of a passkey. */
interface StoredPasskey {
  readonly id: number
  readonly user_id: number
  readonly credential_id: Buffer
  readonly public_key: Buffer
  /** See the table. */
  readonly counter: number
}

export function passkeysOf(sql: ISql, userId: number): Promise<ListedPasskey[]> {
  return sql<ListedPasskey[]>`
    select id, name, created, last_used from passkeys where user_id = ${userId} order by id`
}

/** What a browser needs to find the passkeys of an account. */
export function credentialsOf(sql: ISql, userId: number): Promise<{ credential_id: Buffer; transports: string[] }[]> {
  return sql<{ credential_id: Buffer; transports: string[] }[]>`
    select credential_id, transports from passkeys where user_id = ${userId} order by id`
}

export async function findPasskey(sql: ISql, credentialId: Buffer): Promise<StoredPasskey | undefined> {
  const [row] = await sql<StoredPasskey[]>`
    select id, user_id, credential_id, public_key, counter from passkeys where credential_id = ${credentialId}`
  return row
}

type NewPasskey = Omit<StoredPasskey, 'id'> & { readonly name: string; readonly transports: readonly string[] }

/** @returns its id; undefined: an account has this credential already */
export async function insertPasskey(tx: Tx, passkey: NewPasskey, now: Date): Promise<number | undefined> {
  const { user_id, credential_id, public_key, counter, name, transports } = passkey
  const [row] = await tx<{ id: number }[]>`
    insert into passkeys (user_id, credential_id, public_key, counter, transports, name, created)
    values (${user_id}, ${credential_id}, ${public_key}, ${counter}, ${transports as string[]}, ${name}, ${now})
    on conflict (credential_id) do nothing returning id`
  return row?.id
}

/** Notes a use. False: the counter of the passkey did not rise since, as that of a copy. */
export async function notePasskeyUse(
  sql: ISql,
  { id, counter }: Pick<StoredPasskey, 'id' | 'counter'>,
  now: Date,
): Promise<boolean> {
  const rows = await sql`
    update passkeys set counter = ${counter}, last_used = ${now}
    where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter}::bigint = 0)) returning 1`
  return rows.length > 0
}

/** False: the user has no such passkey. */
export async function renamePasskey(tx: Tx, userId: number, id: number, name: string): Promise<boolean> {
  const rows = await tx`update passkeys set name = ${name} where user_id = ${userId} and id = ${id} returning 1`
  return rows.length > 0
}

/** @returns its name; undefined: the user has no such passkey */
export async function deletePasskey(tx: Tx, userId: number, id: number): Promise<string | undefined> {
  const [row] = await tx<{ name: string }[]>`
    delete from passkeys where user_id = ${userId} and id = ${id} returning name`
  return row?.name
}
