import type { ISql, Tx } from '../driver/db.js'

/** An upload that arrives in several requests. The table also holds the space that is reserved for forms (`upload-reservations.ts`). */
export interface ResumableUpload {
  readonly path_id: string
  readonly name: string
  readonly content_type: string
  /** The header Upload-Metadata of its creation. */
  readonly metadata: string
  /** Bytes of the whole file. */
  readonly length: number
  /** Bytes that are stored. */
  readonly received: number
  readonly is_done: boolean
}

const columns = (sql: ISql) => sql`path_id, name, content_type, metadata, length, received, is_done`

// After a day the cleaning removes parts, so an upload must not be continued then. A form has one request, which is its writer.
export const isAlive = (sql: ISql) => sql`(
  case when path_id like 'form/%' then writer_until > now() else created > now() - interval '1 day' end)`

export type NewUpload = Pick<ResumableUpload, 'path_id' | 'name' | 'content_type' | 'metadata' | 'length'> & {
  readonly user_id: number
}

export async function insertUpload(tx: Tx, upload: NewUpload): Promise<void> {
  await tx`insert into resumable_uploads ${tx(upload)}`
}

/** The user's upload. */
export async function readUpload(sql: ISql, userId: number, pathId: string): Promise<ResumableUpload | undefined> {
  const [row] = await sql<ResumableUpload[]>`
    select ${columns(sql)} from resumable_uploads where path_id = ${pathId} and user_id = ${userId} and ${isAlive(sql)}`
  return row
}

// A client tries again for about this long after its connection or its worker has broken off.
export const writerFor = (sql: ISql) => sql`now() + interval '10 seconds'`

/** Makes `writer` the only request that may store bytes. Undefined: there is no such upload, or another request is its writer. */
export async function takeUpload(
  sql: ISql,
  userId: number,
  pathId: string,
  writer: string,
): Promise<ResumableUpload | undefined> {
  const [row] = await sql<ResumableUpload[]>`
    update resumable_uploads set writer = ${writer}, writer_until = ${writerFor(sql)}
    where path_id = ${pathId} and user_id = ${userId} and writer_until <= now() and ${isAlive(sql)}
    returning ${columns(sql)}`
  return row
}

/** The writer is at work: no other request takes the upload for some seconds more. */
export async function keepUpload(sql: ISql, pathId: string, writer: string): Promise<void> {
  await sql`
    update resumable_uploads set writer_until = ${writerFor(sql)} where path_id = ${pathId} and writer = ${writer}`
}

/** The writer has ended: the next request may take the upload at once. */
export async function freeUpload(sql: ISql, pathId: string, writer: string): Promise<void> {
  await sql`update resumable_uploads set writer_until = now() where path_id = ${pathId} and writer = ${writer}`
}

/** Appends a stored part. False: another request has become the writer, or the upload is gone. */
export async function insertPart(
  tx: Tx,
  pathId: string,
  writer: string,
  part: { readonly start: number; readonly size: number; readonly key: string },
): Promise<boolean> {
  const { count } = await tx`
    update resumable_uploads set received = received + ${part.size}
    where path_id = ${pathId} and writer = ${writer} and received = ${part.start} and not is_done`
  if (count > 0) await tx`insert into resumable_parts ${tx({ path_id: pathId, ...part })}`
  return count > 0
}

/** The parts of an upload, in order. */
export function partsOf(sql: ISql, pathId: string): Promise<{ key: string; size: number }[]> {
  return sql<{ key: string; size: number }[]>`
    select key, size from resumable_parts where path_id = ${pathId} order by start`
}

/** The upload is a file now. False: another request has become the writer. */
export async function finishUpload(tx: Tx, pathId: string, writer: string): Promise<boolean> {
  const { count } = await tx`
    update resumable_uploads set is_done = true
    where path_id = ${pathId} and writer = ${writer} and not is_done and ${isAlive(tx)}`
  await tx`delete from resumable_parts where path_id = ${pathId}`
  return count > 0
}

/** Deletes an unfinished upload of the user, and returns the keys of its parts. Undefined: there is none. */
export async function deleteUpload(tx: Tx, userId: number, pathId: string): Promise<string[] | undefined> {
  const [row] = await tx`
    select 1 from resumable_uploads
    where path_id = ${pathId} and user_id = ${userId} and not is_done and ${isAlive(tx)} for update`
  if (!row) return undefined
  const parts = await partsOf(tx, pathId)
  await tx`delete from resumable_uploads where path_id = ${pathId}`
  return parts.map(part => part.key)
}

/** Deletes uploads older than a day, and reservations of dead workers; the bytes of their parts are removed because no row has adopted them. */
export async function deleteExpired(sql: ISql): Promise<void> {
  await sql`delete from resumable_uploads where not (${isAlive(sql)})`
}
