import type { Attachment } from '../../../shared/resources/attachment.js'
import type { ISql, Tx } from '../driver/db.js'

/** A file as the server serves it. */
export interface StoredFile {
  readonly id: number
  readonly user_id: number
  readonly path_id: string
  readonly name: string
  readonly content_type: string
  readonly size: number
  readonly created: Date
  /** Pixels of the picture as it is shown; null: the file is no picture with thumbnails. */
  readonly width: number | null
  readonly height: number | null
  /** More than one: the picture is animated. */
  readonly frames: number | null
  /** The thumbnails are stored. */
  readonly has_thumbnails: boolean
  /** It may be a picture, but its size has not been read yet. */
  readonly awaits_size: boolean
}

type NewFile = Pick<
  StoredFile,
  'user_id' | 'path_id' | 'name' | 'content_type' | 'size' | 'width' | 'height' | 'frames' | 'awaits_size'
>

/** Whether the organization has any file. */
export async function hasFiles(sql: ISql): Promise<boolean> {
  return (await sql`select from attachments limit 1`).length > 0
}

/** The user's files, oldest first. */
export function readAttachments(sql: ISql, userId: number): Promise<Attachment[]> {
  return sql<Attachment[]>`select ${columns(sql)} from attachments a where user_id = ${userId} order by id`
}

/** These files in wire form, with their owners. */
export async function attachmentsById(
  sql: ISql,
  ids: readonly number[],
): Promise<{ user_id: number; attachment: Attachment }[]> {
  const rows = await sql<(Attachment & { user_id: number })[]>`
    select a.user_id, ${columns(sql)} from attachments a where a.id = any(${ids as number[]}::int[]) order by a.id`
  return rows.map(({ user_id, ...attachment }) => ({ user_id, attachment }))
}

/** The columns of `StoredFile`. */
export const fields = (sql: ISql) => sql`
  id, user_id, path_id, name, content_type, size, created, width, height, frames, has_thumbnails,
  -- A worker of 0.1.0 ends the work on a picture without size.
  awaits_size and thumbnail_due is not null as awaits_size`

const columns = (sql: ISql) => sql`
  a.id, a.name, a.path_id, a.size::float8 as size, extract(epoch from a.created)::bigint::float8 as create_time,
  array(select u.message_id::float8 from attachment_uses u where u.attachment_id = a.id order by 1) as message_ids,
  coalesce((
    select json_agg(json_build_object('id', m.id, 'date_sent', floor(extract(epoch from m.date_sent) * 1000)::bigint) order by m.id)
    from attachment_uses u join messages m on m.id = u.message_id where u.attachment_id = a.id
  ), '[]') as messages`

/** Files with these paths, and for each the newest messages that use it, at most `most`. */
export function filesWithUses(
  sql: ISql,
  pathIds: readonly string[],
  most: number,
): Promise<(StoredFile & { readonly message_ids: number[] })[]> {
  return sql<(StoredFile & { readonly message_ids: number[] })[]>`
    select ${fields(sql)}, array(
      select message_id from attachment_uses where attachment_id = attachments.id order by message_id desc limit ${most}
    ) as message_ids
    from attachments where path_id = any(${pathIds as string[]}::text[])`
}

/** Bytes of all files. */
export async function readSpace(sql: ISql): Promise<number> {
  const [row] = await sql<{ bytes: number }[]>`select bytes from upload_space`
  return row?.bytes ?? 0
}

/** Adds bytes, which may be negative, and returns the new number. `archived`: to those of the archive. */
export async function addSpace(tx: Tx, bytes: number, archived = 0): Promise<number> {
  const [row] = await tx<{ bytes: number }[]>`
    update upload_space set bytes = bytes + ${bytes}, archived_bytes = archived_bytes + ${archived} returning bytes`
  return row?.bytes ?? 0
}

export async function insertFile(tx: Tx, file: NewFile): Promise<Attachment> {
  const [row] = await tx<Attachment[]>`
    insert into attachments as a (user_id, path_id, name, content_type, size, width, height, frames, awaits_size, thumbnail_due)
    values (${file.user_id}, ${file.path_id}, ${file.name}, ${file.content_type}, ${file.size}, ${file.width}, ${file.height},
      ${file.frames}, ${file.awaits_size}, case when ${file.width !== null || file.awaits_size} then now() end)
    returning ${columns(tx)}`
  return row as Attachment
}

/** Deletes a file of this user and returns what it was; undefined: the user has no such file. */
export async function deleteFile(tx: Tx, userId: number, id: number): Promise<StoredFile | undefined> {
  const [file] = await tx<StoredFile[]>`
    delete from attachments where id = ${id}::bigint and user_id = ${userId}
    returning ${fields(tx)}`
  return file
}

/** Ids of the files that these messages use. */
export async function filesUsedBy(tx: Tx, messageIds: readonly number[]): Promise<number[]> {
  const rows = await tx<{ attachment_id: number }[]>`
    select distinct attachment_id from attachment_uses where message_id = any(${messageIds as number[]}::bigint[])`
  return rows.map(row => row.attachment_id)
}

/** Makes these the files that a message uses. The caller holds the message. */
export async function replaceUses(
  tx: Tx,
  messageId: number,
  attachmentIds: readonly number[],
): Promise<{ added: number[]; removed: number[] }> {
  const ids = attachmentIds as number[]
  const removed = await tx<{ attachment_id: number }[]>`
    delete from attachment_uses where message_id = ${messageId} and attachment_id <> all(${ids}::int[]) returning attachment_id`
  const added = await tx<{ attachment_id: number }[]>`
    insert into attachment_uses (attachment_id, message_id)
    select id, ${messageId} from attachments where id = any(${ids}::int[]) for key share
    on conflict do nothing returning attachment_id`
  return { added: added.map(row => row.attachment_id), removed: removed.map(row => row.attachment_id) }
}

/** No message uses the file, and no scheduled one will. */
export const isUnused = (sql: ISql) => sql`
  not exists (select from attachment_uses where attachment_id = attachments.id)
    and not exists (select from scheduled_messages where file_ids <> '{}' and file_ids @> array[attachments.id])`

/** Deletes those of the files that no message uses, and returns them. */
export function deleteUnused(tx: Tx, ids: readonly number[]): Promise<StoredFile[]> {
  return tx<StoredFile[]>`
    delete from attachments where id = any(${ids as number[]}::int[]) and ${isUnused(tx)}
    returning ${fields(tx)}`
}

/** Files that no message uses, archived ones included, and that are older than `days`, at most `most`. */
export async function forgottenFiles(tx: Tx, days: number, most: number): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    select id from attachments where created < now() - make_interval(days => ${days}) and ${isUnused(tx)}
      and not exists (select from archived_messages where file_ids <> '{}' and file_ids @> array[attachments.id])
    order by id limit ${most} for update skip locked`
  return rows.map(row => row.id)
}

/** Deletes a file of this user that no message uses, and returns it; its bytes stay. Undefined: the user has no such file. */
export async function takeUnusedFile(tx: Tx, userId: number, pathId: string): Promise<StoredFile | undefined> {
  const [file] = await tx<StoredFile[]>`
    delete from attachments where path_id = ${pathId} and user_id = ${userId} and ${isUnused(tx)}
    returning ${fields(tx)}`
  return file
}

/** Deletes some files of the user, at most `most`, and returns them. */
export function deleteFilesOf(tx: Tx, userId: number, most: number): Promise<StoredFile[]> {
  return tx<StoredFile[]>`
    delete from attachments where id in (select id from attachments where user_id = ${userId} order by id limit ${most})
    returning ${fields(tx)}`
}
