import type { Sql, Tx } from './db.js'
import { bumpVersion, type OrganizationRow } from './organization.js'

/** The transaction holds the organization (Directory.hold); settings stand as given, all of them. */
export async function changeOrganization(
  tx: Tx,
  change: Partial<Pick<OrganizationRow, 'name' | 'description' | 'settings' | 'user_settings_defaults'>>,
): Promise<void> {
  await bumpVersion(tx)
  await tx`
    update organization set name = coalesce(${change.name ?? null}, name),
      description = coalesce(${change.description ?? null}, description),
      settings = coalesce(${json(tx, change.settings)}, settings),
      user_settings_defaults = coalesce(${json(tx, change.user_settings_defaults)}, user_settings_defaults)`
}

const json = (tx: Tx, value: object | undefined) => (value ? tx.json(value as never) : null)

// Any number that nothing else on the same database uses.
const preparationLock = 7_290_412

/** One process at a time: servers of several machines may start at once on one database. */
export async function whilePreparing<T>(sql: Sql, work: () => Promise<T>): Promise<T> {
  return (await sql.begin(async tx => {
    await tx`select pg_advisory_xact_lock(${preparationLock})`
    return work()
  })) as T
}
