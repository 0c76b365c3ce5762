import type { SavedSnippet } from '../../../shared/resources/saved-snippet.js'
import type { ISql, Query, Tx } from '../driver/db.js'
import type { UserId } from '../driver/read-together.js'

/** The user's snippets in the order of their creation. */
export function readSavedSnippets(sql: ISql, userId: UserId): Query<SavedSnippet> {
  return sql<SavedSnippet[]>`select ${columns(sql)} from saved_snippets where user_id = ${userId} order by id`
}

/** Undefined: the user has no such snippet. */
export async function findSavedSnippet(sql: ISql, userId: number, id: number): Promise<SavedSnippet | undefined> {
  const [row] = await sql<SavedSnippet[]>`
    select ${columns(sql)} from saved_snippets where user_id = ${userId} and id = ${id}::bigint`
  return row
}

/** Number of the user's snippets, and the size of their contents in code points. */
export async function savedSnippetTotals(tx: Tx, userId: number): Promise<{ count: number; characters: number }> {
  const [row] = await tx<{ count: number; characters: number }[]>`
    select count(*)::int as count, coalesce(sum(char_length(content)), 0)::int as characters
    from saved_snippets where user_id = ${userId}`
  return row ?? { count: 0, characters: 0 }
}

export async function insertSavedSnippet(
  sql: ISql,
  userId: number,
  { title, content }: Pick<SavedSnippet, 'title' | 'content'>,
): Promise<SavedSnippet> {
  const [row] = await sql<SavedSnippet[]>`
    insert into saved_snippets (user_id, title, content) values (${userId}, ${title}, ${content}) returning ${columns(sql)}`
  if (!row) throw new Error('no snippet row came back')
  return row
}

/** Returns the changed snippet; undefined: the user has no such snippet. */
export async function updateSavedSnippet(
  sql: ISql,
  userId: number,
  id: number,
  { title, content }: Partial<Pick<SavedSnippet, 'title' | 'content'>>,
): Promise<SavedSnippet | undefined> {
  const [row] = await sql<SavedSnippet[]>`
    update saved_snippets set title = coalesce(${title ?? null}, title), content = coalesce(${content ?? null}, content)
    where user_id = ${userId} and id = ${id}::bigint returning ${columns(sql)}`
  return row
}

/** False: the user has no such snippet. */
export async function deleteSavedSnippet(sql: ISql, userId: number, id: number): Promise<boolean> {
  const { count } = await sql`delete from saved_snippets where user_id = ${userId} and id = ${id}::bigint`
  return count > 0
}

const columns = (sql: ISql) => sql`id, title, content, extract(epoch from date_created)::int as date_created`
