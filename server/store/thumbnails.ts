import type { StoredFile } from './attachments.js'
import type { ISql, Tx } from './db.js'

/** A picture whose thumbnails are to be made, or whose messages are to be rendered again. */
export interface DuePicture
  extends Pick<
    StoredFile,
    'id' | 'path_id' | 'content_type' | 'size' | 'width' | 'height' | 'frames' | 'has_thumbnails'
  > {
  /** How often workers have begun. */
  readonly thumbnail_attempts: number
}

/** Takes one picture that is due for a minute; other workers skip it meanwhile. Undefined: none is due. */
export async function claimPicture(sql: ISql): Promise<DuePicture | undefined> {
  const [picture] = await sql<DuePicture[]>`
    update attachments set thumbnail_due = now() + interval '1 minute', thumbnail_attempts = thumbnail_attempts + 1
    where id = (select id from attachments where thumbnail_due <= now() order by thumbnail_due limit 1
      for no key update skip locked)
    returning id, path_id, content_type, size, width, height, frames, has_thumbnails, thumbnail_attempts`
  return picture
}

/** The attempt failed, because the store of files was away: it does not count, and the next one may begin at once. */
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

/** The file cannot be shown as a picture. */
export async function setNoPicture(sql: ISql, id: number): Promise<void> {
  await sql`update attachments set width = null, height = null, frames = null where id = ${id}`
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
