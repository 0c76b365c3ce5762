import type { ScheduledMessage } from '../../../shared/resources/scheduled-message.js'
import type { ISql, Query, Tx } from '../driver/db.js'
import type { UserId } from '../driver/read-together.js'

/** What a user can change of a scheduled message. */
export interface ScheduledContent {
  /** Null: a direct message. */
  readonly channel_id: number | null
  readonly topic: string
  /** Of a direct message: ids of its receivers; the sender is among them only if it is the only one. */
  readonly recipients: readonly number[]
  readonly content: string
  readonly rendered_content: string
  readonly file_ids: readonly number[]
  /** The program that scheduled or edited it last. */
  readonly client: string
  /** UNIX seconds. */
  readonly due: number
}

export interface NewScheduled extends ScheduledContent {
  readonly user_id: number
  readonly read_by_sender: boolean
}

export interface ScheduledRow extends NewScheduled {
  readonly id: number
  readonly failed: boolean
}

/** As clients see it. */
export const scheduledObject = (row: ScheduledRow): ScheduledMessage => ({
  scheduled_message_id: row.id,
  ...(row.channel_id === null
    ? { type: 'private', to: [...row.recipients] }
    : { type: 'stream', to: row.channel_id, topic: row.topic }),
  content: row.content,
  rendered_content: row.rendered_content,
  scheduled_delivery_timestamp: row.due,
  failed: row.failed,
})

/** The user's messages that are not sent yet, the next one first. */
export function readScheduled(sql: ISql, userId: UserId): Query<ScheduledRow> {
  return sql<ScheduledRow[]>`
    select ${columns(sql)} from scheduled_messages where user_id = ${userId} order by scheduled_messages.due, id`
}

/** By id, without those that do not exist, were deleted, or were sent. */
export async function scheduledRows(sql: ISql, ids: readonly number[]): Promise<ReadonlyMap<number, ScheduledRow>> {
  const rows = await sql<ScheduledRow[]>`
    select ${columns(sql)} from scheduled_messages where id = any(${ids as number[]}::bigint[])`
  return new Map(rows.map(row => [row.id, row]))
}

/** How much the user has scheduled; contents in code points. */
export async function scheduledTotals(tx: Tx, userId: number): Promise<{ count: number; characters: number }> {
  const [row] = await tx<{ count: number; characters: number }[]>`
    select count(*)::int as count, coalesce(sum(char_length(content)), 0)::int as characters
    from scheduled_messages where user_id = ${userId}`
  return row ?? { count: 0, characters: 0 }
}

/** Returns the id. */
export async function insertScheduled(tx: Tx, row: NewScheduled): Promise<number> {
  const [inserted] = await tx<{ id: number }[]>`
    insert into scheduled_messages (user_id, read_by_sender, ${changed(tx)})
    values (${row.user_id}, ${row.read_by_sender}, ${values(tx, row)}) returning id`
  if (!inserted) throw new Error('no id of a scheduled message came back')
  return inserted.id
}

/** False: the row is no longer as `before` says. */
export async function updateScheduled(tx: Tx, before: ScheduledRow, row: ScheduledContent): Promise<boolean> {
  const { count } = await tx`
    update scheduled_messages set (${changed(tx)}, failed) = row (${values(tx, row)}, false)
    where id = ${before.id} and due = to_timestamp(${before.due}::bigint) and failed = ${before.failed} and content = ${before.content}
      and channel_id is not distinct from ${before.channel_id} and topic = ${before.topic}
      and recipients = ${before.recipients as number[]}::int[]`
  return count > 0
}

/** Returns the row as it is now; undefined: there is none. */
export async function markScheduledFailed(tx: Tx, id: number): Promise<ScheduledRow | undefined> {
  const [row] = await tx<ScheduledRow[]>`
    update scheduled_messages set failed = true where id = ${id}::bigint returning ${columns(tx)}`
  return row
}

/** False: the user has no such message. */
export async function deleteScheduled(tx: Tx, userId: number, id: number): Promise<boolean> {
  const { count } = await tx`delete from scheduled_messages where user_id = ${userId} and id = ${id}::bigint`
  return count > 0
}

export async function deleteScheduledOf(tx: Tx, userId: number): Promise<void> {
  await tx`delete from scheduled_messages where user_id = ${userId}`
}

const changed = (sql: ISql) => sql`channel_id, topic, recipients, content, rendered_content, file_ids, client, due`

const columns = (sql: ISql) => sql`
  id, user_id, read_by_sender, channel_id, topic, recipients, content, rendered_content, file_ids, client,
  extract(epoch from due)::bigint as due, failed`

const values = (tx: Tx, row: ScheduledContent) => tx`
  ${row.channel_id}::int, ${row.topic}, ${row.recipients as number[]}::int[], ${row.content}, ${row.rendered_content},
  ${row.file_ids as number[]}::int[], ${row.client}, to_timestamp(${row.due}::bigint)`
