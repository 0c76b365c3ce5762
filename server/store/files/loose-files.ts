import { lockKey } from '../driver/advisory-lock.js'
import type { ISql, Tx } from '../driver/db.js'

/** Announces bytes that are about to be stored; unless `adoptFile` follows within a day, the bytes are removed. */
export async function announceFile(sql: ISql, key: string): Promise<void> {
  await sql`
    insert into loose_files (key, remove_after) values (${key}, now() + interval '1 day')
    on conflict (key) do update set remove_after = excluded.remove_after`
}

/** The announced bytes are not needed. Without effect on a file that has been adopted, and on a part that an upload has. */
export async function dropAnnounced(sql: ISql, key: string): Promise<void> {
  await sql`
    update loose_files set remove_after = now()
    where key = ${key} and not exists (select from resumable_parts where resumable_parts.key = loose_files.key)`
}

/** A row now names the file. False: the file has been removed meanwhile, because its upload took more than a day. */
export async function adoptFile(tx: Tx, key: string): Promise<boolean> {
  const { count } = await tx`delete from loose_files where key = ${key}`
  return count > 0
}

/** No row names these files any more: their bytes are removed soon. */
export async function releaseFiles(sql: ISql, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await sql`
    insert into loose_files (key, remove_after) select unnest(${keys as string[]}::text[]), now()
    on conflict (key) do update set remove_after = now()`
}

/** Whether bytes of files may be removed until the transaction ends: no backup reads them (backup/named-files.ts). */
export async function mayRemoveBytes(tx: Tx): Promise<boolean> {
  const [row] = await tx<{ may: boolean }[]>`select pg_try_advisory_xact_lock_shared(${lockKey(tx, 'files')}) as may`
  return row?.may ?? false
}

// Keys that one transaction locks; removing their bytes takes less than a second.
const batch = 50

/** Locks some files whose time has come; other workers skip them. */
export async function lockDueFiles(tx: Tx): Promise<string[]> {
  const rows = await tx<{ key: string }[]>`
    select key from loose_files where remove_after <= now() order by remove_after limit ${batch} for update skip locked`
  return rows.map(row => row.key)
}

/** The bytes of these files are gone. */
export async function forgetFiles(tx: Tx, keys: readonly string[]): Promise<void> {
  await tx`delete from loose_files where key = any(${keys as string[]}::text[])`
}
