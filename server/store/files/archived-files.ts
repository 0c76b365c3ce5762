import type { Tx } from '../driver/db.js'
import { fields, isUnused, type StoredFile } from './attachments.js'

/** Moves those of the files that no message uses to the archive, and returns them. The caller has archived the messages that used them. */
export function archiveUnused(tx: Tx, ids: readonly number[]): Promise<StoredFile[]> {
  return tx<StoredFile[]>`
    with gone as (
      delete from attachments where id = any(${ids as number[]}::int[]) and ${isUnused(tx)} returning *
    ), kept as (
      insert into archived_files (
        id, user_id, path_id, name, content_type, size, created, width, height, frames, has_thumbnails, thumbnail_due, thumbnail_attempts,
        awaits_size)
      select id, user_id, path_id, name, content_type, size, created, width, height, frames, has_thumbnails, thumbnail_due, thumbnail_attempts,
        awaits_size
      from gone
    )
    select ${fields(tx)} from gone`
}

/** Deletes those of the files from the archive that no archived message used, and returns them. */
export function deleteUnusedArchived(tx: Tx, ids: readonly number[]): Promise<StoredFile[]> {
  return tx<StoredFile[]>`
    delete from archived_files where id = any(${ids as number[]}::int[]) and not exists (
      select from archived_messages where file_ids <> '{}' and file_ids @> array[archived_files.id])
    returning ${fields(tx)}`
}

/** Makes the files that these archived messages used attachments again; returns those that were in the archive. */
export function restoreFiles(tx: Tx, messageIds: readonly number[]): Promise<{ id: number; size: number }[]> {
  return tx<{ id: number; size: number }[]>`
    with gone as (
      delete from archived_files where id in (
        select unnest(file_ids) from archived_messages where id = any(${messageIds as number[]}::bigint[]))
      returning *
    )
    insert into attachments (
      id, user_id, path_id, name, content_type, size, created, width, height, frames, has_thumbnails, thumbnail_due, thumbnail_attempts,
      awaits_size)
    overriding system value
    select id, user_id, path_id, name, content_type, size, created, width, height, frames, has_thumbnails, thumbnail_due, thumbnail_attempts,
      awaits_size
    from gone returning id, size::float8 as size`
}

/** Deletes the archived files of the user, and returns them. */
export function deleteArchivedFilesOf(tx: Tx, userId: number): Promise<StoredFile[]> {
  return tx<StoredFile[]>`delete from archived_files where user_id = ${userId} returning ${fields(tx)}`
}
