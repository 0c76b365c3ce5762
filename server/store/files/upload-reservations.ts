import type { ISql, Tx } from '../driver/db.js'
import { isAlive, writerFor } from './resumable-uploads.js'

/** What uploads use and will use: files by their size, archived ones included, uploads under way by their full length. In bytes. */
export interface SpaceUse {
  /** Resumable uploads of the user that are not finished. */
  readonly unfinished: number
  /** Of the user. */
  readonly own: number
  /** Of all users. */
  readonly all: number
  /** MiB that the files of the user may have; 0: no limit; null: as the server's setting says. */
  readonly quotaMib: number | null
  /** What uploads under way will still write. The parts of a resumable one become a file before they are removed. */
  readonly toCome: number
}

// No address of an upload can name it.
const isForm = (sql: ISql) => sql`path_id like 'form/%'`

/**
 * Locks the space of files until the transaction ends: two uploads must not both count the same space as free. What reads its use is a
 * statement of its own, because a statement sees what was committed before it began to wait for the lock.
 */
export async function lockSpace(tx: Tx): Promise<void> {
  await tx`select from upload_space for no key update`
}

/** The caller holds the space. */
export async function readSpaceUse(tx: Tx, userId: number): Promise<SpaceUse> {
  const [row] = await tx<[SpaceUse]>`
    with reserved as (
      select user_id, ${isForm(tx)} as is_form, length, received from resumable_uploads
      where not is_done and ${isAlive(tx)}
    ), sums as (
      select count(*) filter (where user_id = ${userId} and not is_form)::int as unfinished,
        coalesce(sum(length) filter (where user_id = ${userId}), 0) as own,
        coalesce(sum(length), 0) as all,
        coalesce(sum(case when is_form then length else 2 * length - received end), 0)::bigint as to_come
      from reserved
    )
    select unfinished, to_come as "toCome", (select upload_quota_mib from users where id = ${userId}) as "quotaMib",
      (own + (select coalesce(sum(size), 0) from attachments where user_id = ${userId})
        + (select coalesce(sum(size), 0) from archived_files where user_id = ${userId}))::bigint as own,
      (sums.all + (select bytes + archived_bytes from upload_space))::bigint as all
    from sums`
  return row
}

/** Reserves space for a form that begins to arrive. It counts for some seconds; `keepUpload` prolongs that, with `key` as the writer. */
export async function insertReservation(tx: Tx, userId: number, random: string, length: number): Promise<string> {
  const key = `form/${random}`
  await tx`
    insert into resumable_uploads (path_id, user_id, name, content_type, metadata, length, writer, writer_until)
    values (${key}, ${userId}, '', '', '', ${length}, ${key}, ${writerFor(tx)})`
  return key
}

/** The form has become a file, or will not. Without effect if the reservation has ended. */
export async function deleteReservation(sql: ISql, key: string): Promise<void> {
  await sql`delete from resumable_uploads where path_id = ${key}`
}
