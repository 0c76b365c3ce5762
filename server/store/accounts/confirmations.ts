import { createHash } from 'node:crypto'
import type { ISql, Tx } from '../driver/db.js'

/** A key with which a person makes an account. */
export interface JoinConfirmation {
  readonly address: string
  /** The key of the invitation link through which the person came; null: none. */
  readonly link_key: string | null
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()

/** What a link for a new password is bound to: it ends when the account gets another password, another address or another role. */
interface Present {
  readonly address: string
  readonly role: number
  readonly passwordHash: string | null
}

const digestOfPresent = ({ address, role, passwordHash }: Present): Buffer =>
  digestOf(`${address.toLowerCase()}\n${role}\n${passwordHash ?? ''}`)

interface Mailed {
  readonly key: string
  readonly now: Date
  readonly expires: Date
}

/** Stores a key with which a person makes an account. Null: a row that no key opens, so that the work for all addresses is the same. */
export async function storeJoinKey(
  tx: Tx,
  { key, now, expires }: Mailed,
  what: JoinConfirmation | null,
): Promise<void> {
  await tx`
    with expired as (delete from confirmations where expires <= ${now})
    insert into confirmations (key_hash, purpose, address, link_key, expires)
    values (${digestOf(key)}, 'join', ${what?.address ?? null}, ${what?.link_key ?? null}, ${expires})`
}

/** What the key is for; undefined: it is unknown, used or expired. */
export async function joinConfirmation(sql: ISql, key: string, now: Date): Promise<JoinConfirmation | undefined> {
  const [row] = await sql<JoinConfirmation[]>`
    select address, link_key from confirmations
    where key_hash = ${digestOf(key)} and purpose = 'join' and address is not null and expires > ${now}`
  return row
}

/** Removes the keys of an address, because it has an account now. */
export async function removeJoinKeys(tx: Tx, address: string): Promise<void> {
  await tx`delete from confirmations where purpose = 'join' and lower(address) = lower(${address})`
}

/** As `storeJoinKey`, for a new password of the user. */
export async function storePasswordKey(
  tx: Tx,
  { key, now, expires }: Mailed,
  user: (Present & { readonly id: number }) | null,
): Promise<void> {
  await tx`
    with expired as (delete from confirmations where expires <= ${now})
    insert into confirmations (key_hash, purpose, user_id, password_digest, expires)
    values (${digestOf(key)}, 'password', ${user?.id ?? null}, ${user && digestOfPresent(user)}, ${expires})`
}

interface PasswordKey extends Present {
  readonly key: string
  readonly userId: number
}

const isPasswordKey = (sql: ISql, { key, userId, ...present }: PasswordKey, now: Date) => sql`
  key_hash = ${digestOf(key)} and purpose = 'password' and user_id = ${userId} and expires > ${now}
  and password_digest = ${digestOfPresent(present)}`

/** Whether the key may set a password of the user. */
export async function opensPassword(sql: ISql, key: PasswordKey, now: Date): Promise<boolean> {
  const rows = await sql`select from confirmations where ${isPasswordKey(sql, key, now)}`
  return rows.length > 0
}

/** Takes a key that may set a password of the user, with all others of the user. False: there is none. */
export async function takePasswordKey(tx: Tx, key: PasswordKey, now: Date): Promise<boolean> {
  const rows = await tx`delete from confirmations where ${isPasswordKey(tx, key, now)} returning 1`
  if (rows.length > 0) await tx`delete from confirmations where purpose = 'password' and user_id = ${key.userId}`
  return rows.length > 0
}

/** As `storeJoinKey`, for a link that activates the organization again. */
export async function storeReactivationKey(tx: Tx, { key, now, expires }: Mailed): Promise<void> {
  await tx`
    with expired as (delete from confirmations where expires <= ${now})
    insert into confirmations (key_hash, purpose, expires) values (${digestOf(key)}, 'reactivation', ${expires})`
}

/** Whether the key activates the organization. */
export async function isReactivationKey(sql: ISql, key: string, now: Date): Promise<boolean> {
  const rows = await sql`
    select from confirmations where key_hash = ${digestOf(key)} and purpose = 'reactivation' and expires > ${now}`
  return rows.length > 0
}

/** Takes the key with all others of its kind. False: it is unknown, used or expired. */
export async function takeReactivationKey(tx: Tx, key: string, now: Date): Promise<boolean> {
  const isKnown = await isReactivationKey(tx, key, now)
  if (isKnown) await tx`delete from confirmations where purpose = 'reactivation'`
  return isKnown
}
