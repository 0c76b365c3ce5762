import type { Reminder } from '../../../shared/resources/reminder.js'
import type { ISql, Query, Tx } from '../driver/db.js'
import type { UserId } from '../driver/read-together.js'

export interface NewReminder {
  readonly user_id: number
  /** The message may be gone since. */
  readonly message_id: number
  /** May be empty. */
  readonly note: string
  readonly content: string
  readonly rendered_content: string
  /** UNIX seconds. */
  readonly due: number
}

export interface ReminderRow extends NewReminder {
  readonly id: number
  readonly failed: boolean
}

/** As clients see it. */
export const reminderObject = (row: ReminderRow): Reminder => ({
  reminder_id: row.id,
  type: 'private',
  to: [row.user_id],
  content: row.content,
  rendered_content: row.rendered_content,
  scheduled_delivery_timestamp: row.due,
  failed: row.failed,
  reminder_target_message_id: row.message_id,
})

/** The user's reminders that are not sent yet, the next one first. */
export function readReminders(sql: ISql, userId: UserId): Query<ReminderRow> {
  return sql<ReminderRow[]>`select ${columns(sql)} from reminders where user_id = ${userId} order by reminders.due, id`
}

/** By id, without those that do not exist, were deleted, or were sent. */
export async function reminderRows(sql: ISql, ids: readonly number[]): Promise<ReadonlyMap<number, ReminderRow>> {
  const rows = await sql<ReminderRow[]>`
    select ${columns(sql)} from reminders where id = any(${ids as number[]}::bigint[])`
  return new Map(rows.map(row => [row.id, row]))
}

export async function countReminders(tx: Tx, userId: number): Promise<number> {
  const [row] = await tx<{ count: number }[]>`select count(*)::int as count from reminders where user_id = ${userId}`
  return row?.count ?? 0
}

/** Returns the id. */
export async function insertReminder(tx: Tx, row: NewReminder): Promise<number> {
  const [inserted] = await tx<{ id: number }[]>`
    insert into reminders (user_id, message_id, note, content, rendered_content, due)
    values (${row.user_id}, ${row.message_id}, ${row.note}, ${row.content}, ${row.rendered_content},
      to_timestamp(${row.due}::bigint))
    returning id`
  if (!inserted) throw new Error('no id of a reminder came back')
  return inserted.id
}

/** Returns the row as it is now; undefined: there is none. */
export async function markReminderFailed(tx: Tx, id: number): Promise<ReminderRow | undefined> {
  const [row] = await tx<
    ReminderRow[]
  >`update reminders set failed = true where id = ${id}::bigint returning ${columns(tx)}`
  return row
}

/** False: the user has no such reminder. */
export async function deleteReminder(tx: Tx, userId: number, id: number): Promise<boolean> {
  const { count } = await tx`delete from reminders where user_id = ${userId} and id = ${id}::bigint`
  return count > 0
}

export async function deleteRemindersOf(tx: Tx, userId: number): Promise<void> {
  await tx`delete from reminders where user_id = ${userId}`
}

const columns = (sql: ISql) => sql`id, user_id, message_id, note, content, rendered_content,
  extract(epoch from due)::bigint as due, failed`
