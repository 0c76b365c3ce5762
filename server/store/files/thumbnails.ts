import type { ISql, Tx } from '../driver/db.js'
import type { StoredFile } from './attachments.js'

/** A picture whose thumbnails are to be made, or whose messages are to be rendered again. */
export interface DuePicture
  extends Pick<
    StoredFile,
    | 'id'
    | 'user_id'
    | 'path_id'
    | 'content_type'
    | 'size'
    | 'width'
    | 'height'
    | 'frames'
    | 'has_thumbnails'
    | 'awaits_size'
  > {
  /** How often workers have begun. */
  readonly thumbnail_attempts: number
}

/**
 * Takes the oldest picture that is due of the account whose pictures took least time lately, for a minute; other workers skip it meanwhile.
 * Undefined: none is due.
 * @param use ms that the pictures of accounts took; 0 for others
 */
export async function claimPicture(sql: ISql, use: ReadonlyMap<number, number>): Promise<DuePicture | undefined> {
  const [picture] = await sql<DuePicture[]>`
    -- One step through the index for each account, however many pictures it has.
    with recursive accounts as (
      (select user_id from attachments where thumbnail_due is not null order by user_id limit 1)
      union all
      select (select a.user_id from attachments a
        where a.thumbnail_due is not null and a.user_id > accounts.user_id order by a.user_id limit 1)
      from accounts where user_id is not null
    ), oldest as (
      select o.id, o.thumbnail_due, coalesce(u.ms, 0) as ms from accounts
      cross join lateral (select id, thumbnail_due from attachments a
        where a.user_id = accounts.user_id and thumbnail_due <= now() order by thumbnail_due limit 1) o
      left join unnest(${[...use.keys()]}::int[], ${[...use.values()]}::float8[]) as u (user_id, ms)
        on u.user_id = accounts.user_id
    )
    update attachments set thumbnail_due = now() + interval '1 minute', thumbnail_attempts = thumbnail_attempts + 1
    where id = (select a.id from oldest join attachments a using (id) where a.thumbnail_due <= now()
      order by ms, oldest.thumbnail_due limit 1 for no key update of a skip locked)
    returning id, user_id, path_id, content_type, size, width, height, frames, has_thumbnails, awaits_size, thumbnail_attempts`
  return picture
}

/** The attempt did not begin, for example because the store of files was away: it does not count, and the next one may begin at once. */
export async function returnPicture(sql: ISql, id: number): Promise<void> {
  await sql`
    update attachments set thumbnail_attempts = thumbnail_attempts - 1, thumbnail_due = now() where id = ${id}`
}

/** The thumbnails are stored. False: the file has been removed meanwhile. */
export async function setThumbnails(tx: Tx, id: number): Promise<boolean> {
  const { count } = await tx`update attachments set has_thumbnails = true, thumbnail_attempts = 0 where id = ${id}`
  return count > 0
}

/**
 * A message holds placeholders of these pictures: those whose thumbnails exist by now are due at once. The lock makes a worker that stores
 * thumbnails meanwhile wait for the end of the transaction, so that it finds the message.
 */
export async function hastenPictures(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx`
    with held as (
      select id from attachments where id = any(${ids as number[]}::int[]) order by id for no key update
    )
    update attachments set thumbnail_due = now() from held
    where attachments.id = held.id and has_thumbnails`
}

/** The size of a picture is known. */
export async function setSize(
  sql: ISql,
  id: number,
  { width, height, frames }: { readonly width: number; readonly height: number; readonly frames: number },
): Promise<void> {
  await sql`
    update attachments set width = ${width}, height = ${height}, frames = ${frames}, awaits_size = false where id = ${id}`
}

/** The file cannot be shown as a picture. */
export async function setNoPicture(sql: ISql, id: number): Promise<void> {
  await sql`update attachments set width = null, height = null, frames = null, awaits_size = false where id = ${id}`
}

/** No message holds a placeholder of this picture any more. */
export async function endPicture(sql: ISql, id: number): Promise<void> {
  await sql`update attachments set thumbnail_due = null where id = ${id}`
}

/** Messages that use the file and hold a placeholder, newest first. */
export async function messagesWithPlaceholder(sql: ISql, attachmentId: number): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select m.id from attachment_uses u join messages m on m.id = u.message_id
    where u.attachment_id = ${attachmentId} and m.rendered_content like '%image-loading-placeholder%'
    order by m.id desc`
  return rows.map(row => row.id)
}
