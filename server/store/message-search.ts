import type { ISql } from './db.js'

/**
 * Merges the pending list of the search index. PostgreSQL adds words of new messages to this list first; when it is full, the next
 * insert has to merge it and takes long.
 */
export async function mergeNewWords(sql: ISql): Promise<void> {
  await sql`select gin_clean_pending_list('messages_search')`
}
