import { createHash } from 'node:crypto'
import type { ISql, Tx } from '../driver/db.js'

/** What an account has to show beside its password, as far as it has set up any of it. */
interface Factors {
  /** When its authenticator app was added; null: it has none. */
  readonly app_created: Date | null
  readonly passkeys: number
  readonly recovery_codes: number
}

/** One statement, whether the account has factors or not. */
export async function factorsOf(sql: ISql, userId: number): Promise<Factors> {
  const [row] = await sql<Factors[]>`
    select (select created from authenticator_apps where user_id = ${userId}) as app_created,
      (select count(*)::int from passkeys where user_id = ${userId}) as passkeys,
      (select count(*)::int from recovery_codes where user_id = ${userId}) as recovery_codes`
  if (!row) throw new Error('no row came back')
  return row
}

/** Whether any account has a second factor. */
export async function isAnyFactorSetUp(sql: ISql): Promise<boolean> {
  const [row] = await sql<{ is_any: boolean }[]>`
    select exists (select 1 from authenticator_apps) or exists (select 1 from passkeys) as is_any`
  return row?.is_any ?? false
}

export const hasFactor = ({ app_created, passkeys }: Factors): boolean => app_created !== null || passkeys > 0

interface App {
  readonly secret: Buffer
  /** See the table. */
  readonly last_period: number
}

export async function appOf(sql: ISql, userId: number): Promise<App | undefined> {
  const [row] = await sql<App[]>`select secret, last_period from authenticator_apps where user_id = ${userId}`
  return row
}

/** False: the account has an app already. */
export async function insertApp(tx: Tx, userId: number, { secret, last_period }: App, now: Date): Promise<boolean> {
  const rows = await tx`
    insert into authenticator_apps (user_id, secret, created, last_period)
    values (${userId}, ${secret}, ${now}, ${last_period}) on conflict (user_id) do nothing returning 1`
  return rows.length > 0
}

/** Accepts the code of a period once. False: that code, or a later one, was accepted before. */
export async function takePeriod(sql: ISql, userId: number, period: number): Promise<boolean> {
  const rows = await sql`
    update authenticator_apps set last_period = ${period} where user_id = ${userId} and last_period < ${period} returning 1`
  return rows.length > 0
}

/** False: there was none. */
export async function deleteApp(tx: Tx, userId: number): Promise<boolean> {
  const rows = await tx`delete from authenticator_apps where user_id = ${userId} returning 1`
  return rows.length > 0
}

// A code has 80 random bits, so a digest that is calculated fast protects it; the id separates the accounts.
const digestOf = (userId: number, code: string): Buffer => createHash('sha256').update(`${userId} ${code}`).digest()

/** Replaces the codes of the account. */
export async function replaceRecoveryCodes(tx: Tx, userId: number, codes: readonly string[]): Promise<void> {
  const digests = codes.map(code => digestOf(userId, code).toString('hex'))
  await tx`delete from recovery_codes where user_id = ${userId}`
  await tx`
    insert into recovery_codes (user_id, code_hash)
    select ${userId}, decode(digest, 'hex') from unnest(${digests}::text[]) as digest`
}

/** Uses a code up. False: it is no code of the account. */
export async function takeRecoveryCode(tx: Tx, userId: number, code: string): Promise<boolean> {
  const rows = await tx`
    delete from recovery_codes where user_id = ${userId} and code_hash = ${digestOf(userId, code)} returning 1`
  return rows.length > 0
}

/** Removes all factors of the account. False: there were none. */
export async function deleteFactors(tx: Tx, userId: number): Promise<boolean> {
  await tx`delete from recovery_codes where user_id = ${userId}`
  const rows = await tx`
    with apps as (delete from authenticator_apps where user_id = ${userId} returning 1),
      keys as (delete from passkeys where user_id = ${userId} returning 1)
    select from apps union all select from keys`
  return rows.length > 0
}
