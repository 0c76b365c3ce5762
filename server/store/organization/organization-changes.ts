import { lockKey } from '../driver/advisory-lock.js'
import { asJson } from '../driver/as-json.js'
import type { Sql, Tx } from '../driver/db.js'
import { bumpVersion, type OrganizationRow } from './organization.js'

/** Changes the organization, which the transaction holds (Directory.hold). `settings` replaces all settings. */
export async function changeOrganization(
  tx: Tx,
  change: Partial<Pick<OrganizationRow, 'name' | 'description' | 'settings' | 'user_settings_defaults' | 'pictures'>>,
): Promise<void> {
  await bumpVersion(tx)
  await tx`
    update organization set name = coalesce(${change.name ?? null}, name),
      description = coalesce(${change.description ?? null}, description),
      settings = coalesce(${json(tx, change.settings)}, settings),
      user_settings_defaults = coalesce(${json(tx, change.user_settings_defaults)}, user_settings_defaults),
      pictures = coalesce(${json(tx, change.pictures)}, pictures)`
}

const json = (tx: Tx, value: object | undefined) => (value ? asJson(tx, value) : null)

/** Runs `work` under a lock of the schema, because servers of several machines can start at the same time on one schema. */
export async function whilePreparing<T>(sql: Sql, work: () => Promise<T>): Promise<T> {
  return (await sql.begin(async tx => {
    // The transaction waits for the lock, and then only holds it, for as long as the work takes on a slow machine.
    await tx`
      select set_config(name, '0', true)
      from unnest('{idle_in_transaction_session_timeout,lock_timeout,statement_timeout}'::text[]) as name`
    await tx`select pg_advisory_xact_lock(${lockKey(tx, 'preparation')})`
    return work()
  })) as T
}
