import type { ISql, Tx } from '../driver/db.js'

/** Id of the conversation of exactly these users, ascending; undefined: there is none. */
export async function findConversation(sql: ISql, userIds: readonly number[]): Promise<number | undefined> {
  const [row] = await sql<{ id: number }[]>`select id from conversations where user_ids = ${userIds as number[]}::int[]`
  return row?.id
}

/** Creates a conversation; false: it exists. Of two concurrent transactions the second waits for the first and gets false. */
export async function insertConversation(tx: Tx, userIds: readonly number[]): Promise<boolean> {
  const rows = await tx`
    insert into conversations (user_ids) values (${userIds as number[]}::int[])
    on conflict (user_ids) do nothing returning 1`
  return rows.length > 0
}

/** Finds or creates a conversation; by the unique index two concurrent requests get the same row. */
export async function makeConversation(sql: ISql, userIds: readonly number[]): Promise<number> {
  const known = await findConversation(sql, userIds)
  if (known !== undefined) return known
  await sql`insert into conversations (user_ids) values (${userIds as number[]}::int[]) on conflict (user_ids) do nothing`
  const made = await findConversation(sql, userIds)
  if (made === undefined) throw new Error('a conversation that was just made is not there')
  return made
}

/** Finds or creates the conversation of one user with each of the others, in two statements. */
export async function makePairs(
  sql: ISql,
  userId: number,
  others: readonly number[],
): Promise<{ id: number; user_ids: number[] }[]> {
  const ids = [...others]
  await sql`
    insert into conversations (user_ids)
    select array[least(other, ${userId}), greatest(other, ${userId})]::int[] from unnest(${ids}::int[]) as other
    on conflict (user_ids) do nothing`
  return sql<{ id: number; user_ids: number[] }[]>`
    select id, user_ids from unnest(${ids}::int[]) as other
      join conversations on user_ids = array[least(other, ${userId}), greatest(other, ${userId})]::int[]`
}

/** Whether a conversation has messages. */
export async function hasMessages(sql: ISql, conversationId: number): Promise<boolean> {
  const rows = await sql`select from messages where conversation_id = ${conversationId} limit 1`
  return rows.length > 0
}

/**
 * Conversations above an id whose first message was sent before a time, ascending, at most `most`. Costs one row of an index for each
 * conversation.
 */
export async function conversationsBefore(sql: ISql, time: Date, after: number, most: number): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select id from conversations c
    where id > ${after} and (
      select date_sent from messages where conversation_id = c.id order by id limit 1) < ${time}
    order by id limit ${most}`
  return rows.map(({ id }) => id)
}
