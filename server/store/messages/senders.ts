import type { ISql } from '../driver/db.js'

/** Users who sent a message with this id or a higher one; one index lookup per user. */
export async function sendersSince(sql: ISql, messageId: number): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select id from users
    where exists (select from messages where sender_id = users.id and messages.id >= ${messageId})`
  return rows.map(row => row.id)
}
