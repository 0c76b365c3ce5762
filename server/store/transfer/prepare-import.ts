import type { Sql, Tx } from '../driver/db.js'
import { skipToNewest } from '../notify/progress.js'
import { bumpVersion, lockVersion } from '../organization/organization.js'
import { analyzeSeeded } from '../seeding/seeding.js'

/** Numbers of existing objects that users have created, by kind; without kinds of which there are none. */
export async function workThere(tx: Tx): Promise<Record<string, number>> {
  const [row] = await tx<Record<string, number>[]>`
    select (select count(*) from users where not is_system_bot)::int as accounts,
      (select count(*) from channels)::int as channels, (select count(*) from messages)::int8 as messages,
      (select count(*) from user_groups where not is_system_group)::int as groups,
      (select count(*) from linkifiers)::int as linkifiers,
      (select count(*) from playgrounds)::int as playgrounds,
      (select count(*) from allowed_domains)::int as domains,
      (select count(*) from custom_profile_fields)::int as "profile fields"`
  return Object.fromEntries(Object.entries(row ?? {}).filter(([, count]) => count > 0))
}

/** Locks the organization until the transaction ends, so that no other transaction changes it. */
export async function holdForImport(tx: Tx): Promise<void> {
  // The source of the lines may be slow.
  await tx`set local idle_in_transaction_session_timeout = 0`
  await lockVersion(tx, 'change')
}

/** Deletes system groups and system bots, which the import contains. The caller has checked with `workThere` that nothing else exists. */
export async function clearForImport(tx: Tx): Promise<void> {
  await tx`delete from user_group_subgroups`
  await tx`delete from user_group_members`
  await tx`delete from user_groups`
  await tx`delete from conversations`
  await tx`delete from users`
}

const identities = [
  'users',
  'user_groups',
  'channels',
  'channel_folders',
  'default_channel_groups',
  'custom_profile_fields',
  'conversations',
  'linkifiers',
  'playgrounds',
  'allowed_domains',
  'custom_emoji',
  'saved_snippets',
  'drafts',
  'scheduled_messages',
  'reminders',
  'navigation_views',
  'devices',
  'attachments',
]

/** Computes what the lines do not contain: sizes, the next ids, and the version with which running workers read the new rows. */
export async function finishImport(tx: Tx): Promise<void> {
  await tx`
    insert into bot_storage_sizes (bot_id, characters)
    select bot_id, sum(char_length(key) + char_length(value)) from bot_storage group by bot_id`
  await tx`update upload_space set bytes = (select coalesce(sum(size), 0) from attachments)`
  for (const table of identities) {
    await tx`
      select setval(pg_get_serial_sequence(${table}, 'id'), greatest(max(id), 1), max(id) is not null) from ${tx(table)}`
  }
  await tx`
    select setval('messages_id_seq', greatest(last_value, (select coalesce(max(id), 1) from messages)))
    from messages_id_seq where exists (select from messages)`
  await skipToNewest(tx)
  await addJobsOfTimes(tx)
  const version = await bumpVersion(tx)
  await tx`update users set version = ${version}`
  await tx`update user_groups set version = ${version}`
  await tx`update channels set version = ${version}`
  await tx`update custom_emoji set version = ${version}`
  await tx`update linkifier_list set version = ${version}`
  await tx`update organization_lists set version = ${version}`
  await tx`update channel_traffic_counted set at = '-infinity'`
  await analyzeSeeded(tx)
}

/** Names of the system groups that do not exist. */
export async function missingSystemGroups(tx: Tx): Promise<string[]> {
  const rows = await tx<{ name: string }[]>`
    select wanted.name from unnest(array['role:internet', 'role:everyone', 'role:members', 'role:fullmembers',
      'role:moderators', 'role:administrators', 'role:owners', 'role:nobody']) as wanted (name)
    where not exists (select from user_groups where user_groups.name = wanted.name and is_system_group)`
  return rows.map(row => row.name)
}

/** Runs the whole import in one transaction. */
export const importing = async <T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> => (await sql.begin(work)) as T

/** The database's message about invalid data; undefined: the error has another cause. */
export function dataComplaint(error: unknown): string | undefined {
  const { code, message, detail } = error as { code?: string; message?: string; detail?: string }
  // Class 22: data exceptions; class 23: violated constraints.
  if (!/^2[23]/.test(code ?? '')) return undefined
  return [message, detail].filter(Boolean).join(': ').replace(/\.$/, '')
}

/** Runs `work` in a savepoint: if it fails, only its changes are rolled back. */
export async function tried(tx: Tx, work: (tx: Tx) => Promise<void>): Promise<void> {
  await tx.savepoint(async inner => {
    await work(inner as Tx)
  })
}

/** The jobs of scheduled messages and reminders, which an export does not contain (job-types/scheduled.ts). */
async function addJobsOfTimes(tx: Tx): Promise<void> {
  await tx`
    insert into jobs (kind, key, payload, state, due)
    select 'scheduled-message', 'scheduled message ' || id, json_build_object('id', id), 'due', due
    from scheduled_messages where not failed
    union all
    select 'reminder', 'reminder ' || id, json_build_object('id', id), 'due', due from reminders where not failed`
}
