import { lockKey } from '../driver/advisory-lock.js'
import type { ISql, Sql, Tx } from '../driver/db.js'
import type { StoredFile } from '../files/attachments.js'

/** What names one or more files in the store of files. */
export type FileOwner =
  | {
      readonly kind: 'attachment'
      readonly path: string
      readonly attachment: Omit<StoredFile, 'created'>
    }
  | { readonly kind: 'avatar' | 'organization picture' | 'part'; readonly path: string }
  | { readonly kind: 'emoji'; readonly path: string; readonly isAnimated: boolean }

// A worker that removes bytes at this moment takes seconds at most.
const waitMs = 20_000

/**
 * Keeps workers from removing bytes of files until the connection ends: files that the snapshot names stay, even if they are removed
 * meanwhile. Takes effect for snapshots that are made later. False: another backup of this organization runs.
 */
export async function holdFiles(sql: Sql, timeoutMs = waitMs): Promise<boolean> {
  try {
    await sql`select set_config('lock_timeout', ${String(timeoutMs)}, false)`
    await sql`select pg_advisory_lock(${lockKey(sql, 'files')})`
    await sql`set lock_timeout = 0`
    return true
  } catch (error) {
    if ((error as { code?: string }).code === '55P03') return false
    throw error
  }
}

/**
 * Notes in a temporary table what names files in the snapshot of the transaction. Reading the files may take hours, and a snapshot that is kept
 * so long would keep PostgreSQL from removing old versions of rows.
 */
export async function noteFileOwners(tx: Tx): Promise<number> {
  // A backup before an upgrade is of the schema of an earlier release.
  const [has] = await tx<[{ archive: boolean; exports: boolean; imports: boolean }]>`
    select to_regclass('archived_files') is not null as archive, to_regclass('export_parts') is not null as exports,
      to_regclass('import_requests') is not null as imports`
  await tx`
    create temporary table backup_files as
    select row_number() over () as place, owner from (
      select jsonb_build_object('kind', 'attachment', 'path', path_id, 'attachment', to_jsonb(a)) as owner from attachments a
      ${has.archive ? tx`union all select jsonb_build_object('kind', 'attachment', 'path', path_id, 'attachment', to_jsonb(a)) from archived_files a` : tx``}
      union all select jsonb_build_object('kind', 'avatar', 'path', avatar_path) from users where avatar_path is not null
      union all select jsonb_build_object('kind', 'organization picture', 'path', picture.value->>'path')
        from organization, jsonb_each(pictures) as picture where picture.value->>'path' is not null
      union all select jsonb_build_object('kind', 'emoji', 'path', path, 'isAnimated', is_animated) from custom_emoji
      union all select jsonb_build_object('kind', 'part', 'path', key) from resumable_parts
      ${has.exports ? tx`union all select jsonb_build_object('kind', 'part', 'path', key) from export_parts where key is not null` : tx``}
      ${has.imports ? tx`union all select jsonb_build_object('kind', 'part', 'path', key) from import_requests where key is not null` : tx``}
    ) named`
  await tx`create index on backup_files (place)`
  const [row] = await tx<{ count: number }[]>`select count(*) from backup_files`
  return row?.count ?? 0
}

// Owners per statement.
const page = 1000

/** Removes what `noteFileOwners` noted, from a connection that goes on. */
export async function forgetFileOwners(tx: Tx): Promise<void> {
  await tx`drop table pg_temp.backup_files`
}

/** What `noteFileOwners` noted, on the same connection. Throws if that connection was lost, because files may have been removed since. */
export async function* readFileOwners(sql: ISql): AsyncGenerator<FileOwner> {
  for (let after = 0; ; after += page) {
    const rows = await sql<{ owner: FileOwner }[]>`
      select owner from pg_temp.backup_files where place > ${after} and place <= ${after + page} order by place`
    if (rows.length === 0) return
    for (const { owner } of rows) yield owner
  }
}
