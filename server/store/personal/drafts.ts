import type { Draft } from '../../../shared/resources/draft.js'
import type { ISql, Query, Tx } from '../driver/db.js'
import type { UserId } from '../driver/read-together.js'

export type NewDraft = Omit<Draft, 'id'>

/** The user's drafts, the last edited one first. */
export function readDrafts(sql: ISql, userId: UserId): Query<Draft> {
  return sql<Draft[]>`select ${columns(sql)} from drafts where user_id = ${userId} order by last_edited desc, id desc`
}

/** Undefined: the user has no such draft. */
export async function findDraft(sql: ISql, userId: number, id: number): Promise<Draft | undefined> {
  const [row] = await sql<Draft[]>`
    select ${columns(sql)} from drafts where user_id = ${userId} and id = ${id}::bigint`
  return row
}

/** Locks the user's row, and returns whether the user keeps drafts on the server. */
export async function lockDrafts(tx: Tx, userId: number): Promise<boolean> {
  const [row] = await tx<{ is_on: boolean }[]>`
    select settings -> 'enable_drafts_synchronization' is distinct from 'false'::jsonb as is_on
    from users where id = ${userId} for no key update`
  return row?.is_on ?? false
}

/** Number of the user's drafts, and the size of their contents in code points. */
export async function draftTotals(tx: Tx, userId: number): Promise<{ count: number; characters: number }> {
  const [row] = await tx<{ count: number; characters: number }[]>`
    select count(*)::int as count, coalesce(sum(char_length(content)), 0)::int as characters
    from drafts where user_id = ${userId}`
  return row ?? { count: 0, characters: 0 }
}

/** Returns the drafts in the order of `drafts`, with ascending ids. */
export async function insertDrafts(tx: Tx, userId: number, drafts: readonly NewDraft[]): Promise<Draft[]> {
  const rows = await tx<Draft[]>`
    insert into drafts (user_id, type, recipients, topic, content, last_edited)
    select ${userId}, type, "to", topic, content, to_timestamp("timestamp")
    from rows from (json_to_recordset(${JSON.stringify(drafts)}::text::json)
      as (type text, "to" int[], topic text, content text, "timestamp" bigint)) with ordinality
      as given (type, "to", topic, content, "timestamp", position)
    order by position
    returning ${columns(tx)}`
  return rows.sort((a, b) => a.id - b.id)
}

/** Returns the changed draft; undefined: the user has no such draft. */
export async function updateDraft(tx: Tx, userId: number, id: number, draft: NewDraft): Promise<Draft | undefined> {
  const [row] = await tx<Draft[]>`
    update drafts set type = ${draft.type}, recipients = ${draft.to}::int[], topic = ${draft.topic},
      content = ${draft.content}, last_edited = to_timestamp(${draft.timestamp}::bigint)
    where user_id = ${userId} and id = ${id}::bigint returning ${columns(tx)}`
  return row
}

/** False: the user has no such draft. */
export async function deleteDraft(tx: Tx, userId: number, id: number): Promise<boolean> {
  const { count } = await tx`delete from drafts where user_id = ${userId} and id = ${id}::bigint`
  return count > 0
}

export async function deleteDraftsOf(tx: Tx, userIds: readonly number[]): Promise<void> {
  await tx`delete from drafts where user_id = any(${userIds as number[]}::int[])`
}

const columns = (sql: ISql) =>
  sql`id, type, recipients as to, topic, content, extract(epoch from last_edited)::bigint as timestamp`
