import type { ISql } from './db.js'

/**
 * Puts the words of new messages in their places in the search index. Postgres collects them in a list first, and when
 * that is full, whoever inserts next has to empty it.
 */
export async function mergeNewWords(sql: ISql): Promise<void> {
  await sql`select gin_clean_pending_list('messages_search')`
}
