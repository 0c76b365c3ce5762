import { asJson } from '../driver/as-json.js'
import type { ISql, Tx } from '../driver/db.js'
import { updateUsers } from './user-changes.js'
import type { UserRow } from './users.js'

/** A change of the personal settings in a user's row; `settings` is merged into the existing settings. */
interface PersonalChange {
  readonly settings?: Readonly<Record<string, unknown>>
  readonly email_address_visibility?: number
  readonly timezone?: string
  readonly full_name?: string
}

/**
 * Stores the same change for each user, and returns the changed rows. `edited`: names of settings to record as chosen by the users
 * themselves. `version` as for `changeUsers`.
 */
export async function storePersonalChange(
  tx: Tx,
  userIds: readonly number[],
  change: PersonalChange,
  { version, edited }: { version?: number; edited: readonly string[] },
): Promise<UserRow[]> {
  const update = tx`
    update users set
      settings = settings || ${asJson(tx, change.settings ?? {})},
      email_address_visibility = coalesce(${change.email_address_visibility ?? null}, email_address_visibility),
      timezone = coalesce(${change.timezone ?? null}, timezone),
      full_name = coalesce(${change.full_name ?? null}, full_name),
      edited_settings = array(select distinct name from unnest(edited_settings || ${edited as string[]}::text[]) as name)`
  return updateUsers(tx, update, { ids: userIds, version })
}

/** Those of the settings that the users chose themselves, by user; without users who chose none. */
export async function editedSettings(
  sql: ISql,
  userIds: readonly number[],
  names: readonly string[],
): Promise<Map<number, ReadonlySet<string>>> {
  const rows = await sql<{ id: number; edited_settings: string[] }[]>`
    select id, edited_settings from users
    where id = any(${userIds as number[]}::int[]) and edited_settings && ${names as string[]}::text[]`
  return new Map(rows.map(row => [row.id, new Set(row.edited_settings)]))
}

/** False: the password has changed meanwhile. */
export async function replacePasswordHash(tx: Tx, userId: number, before: string, after: string): Promise<boolean> {
  const rows = await tx`
    update users set password_hash = ${after} where id = ${userId} and password_hash = ${before} returning id`
  return rows.length > 0
}

interface Inheriting {
  channel_id: number
  is_active: boolean
  /** Ascending. */
  user_ids: number[]
}

type Inherited =
  | 'desktop_notifications'
  | 'email_notifications'
  | 'push_notifications'
  | 'audible_notifications'
  | 'wildcard_mentions_notify'

/** The users' active and former subscriptions without an own value for this setting. */
export async function subscriptionsInheriting(
  tx: Tx,
  userIds: readonly number[],
  property: Inherited,
): Promise<Inheriting[]> {
  return tx<Inheriting[]>`
    select channel_id, is_active, array_agg(user_id order by user_id) as user_ids from subscriptions
    where user_id = any(${userIds as number[]}::int[]) and not is_forgotten and ${tx(property)} is null
    group by channel_id, is_active order by channel_id`
}
