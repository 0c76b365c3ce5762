import type { ISql, Tx } from '../driver/db.js'
import { runText } from '../driver/statement-text.js'
import { bumpVersion } from './organization.js'

/** When a deactivated organization is deleted, and when it was. */
interface Closing {
  readonly deletion_due: Date | null
  readonly deleted: Date | null
}

export async function readClosing(sql: ISql): Promise<Closing> {
  const [row] = await sql<Closing[]>`select deletion_due, deleted from organization`
  if (!row) throw new Error('the schema has no organization row')
  return row
}

/** Deactivates the organization, which the transaction holds, and ends all sessions. */
export async function closeOrganization(tx: Tx, deletionDue: Date | null): Promise<void> {
  const version = await bumpVersion(tx)
  await tx`update organization set is_active = false, deletion_due = ${deletionDue}`
  await tx`delete from sessions`
  // Refuses sessions of sign-ins that are under way.
  await tx`update users set sessions_ended = ${version}`
}

/** Activates the organization, which the transaction holds, again. */
export async function reopenOrganization(tx: Tx): Promise<void> {
  await bumpVersion(tx)
  await tx`update organization set is_active = true, deletion_due = null`
}

/** Tables whose rows stay, or of which `deleteContents` deletes some: all others are emptied, also those of later migrations. */
const kept = [
  // Rows that migrations made.
  'organization',
  'migrations',
  'user_groups',
  'user_group_subgroups',
  'lists_version',
  'channel_traffic_counted',
  'upload_space',
  'linkifier_list',
  'organization_lists',
  // What the server still has to do.
  'jobs',
  'loose_files',
  // `truncate` would need `user_groups`, which names users.
  'users',
]

/**
 * Deletes everything that people made, accounts and the audit log included, and leaves the organization without name and settings. The
 * transaction holds the organization; it waits for a backup, which reads all tables. Bytes of files are removed by `loose_files`.
 */
export async function deleteContents(tx: Tx, now: Date): Promise<void> {
  const tables = await tx<{ name: string }[]>`
    select quote_ident(relname::text) as name from pg_class
    where relnamespace = (select oid from pg_namespace where nspname = current_schema()) and relkind = 'r'
      and relname <> all(${kept})`
  await runText(tx, `truncate ${tables.map(({ name }) => name).join(', ')}`, [])
  await tx`
    delete from user_group_subgroups
    where not (select is_system_group from user_groups where id = group_id)
      or not (select is_system_group from user_groups where id = subgroup_id)`
  await tx`delete from user_groups where not is_system_group`
  await tx`delete from users`
  await tx`delete from jobs where not is_periodic`
  await tx`update upload_space set bytes = 0, archived_bytes = 0`
  await bumpVersion(tx)
  await tx`
    update organization set name = default, description = default, secret = default, settings = default,
      user_settings_defaults = default, pictures = default, deletion_due = null, deleted = ${now}`
}
