import type { ISql } from '../driver/db.js'
import { type Fragment, q, run } from '../driver/fragment.js'
import type { Extent } from './stretches.js'

// The search index has a word for the block of 2 ** bits ids in which a message is. Its time grows with the square of the blocks asked for.
const blockBits = [12, 14, 16] as const
const mostBlocks = 8

/** Longest range of ids for `blocksSql`. */
export const mostNear = mostBlocks * 2 ** 16

/** What the statistics of the database say about a search. */
export interface SearchEstimate extends Extent {
  /** Messages with its words. */
  readonly matches: number
}

/**
 * Estimates how many messages the query of the search index finds; costs the planning of a statement that is not run. Undefined: the query is
 * empty, because the index has no stop words.
 */
export async function estimateSearch(sql: ISql, words: Fragment): Promise<SearchEstimate | undefined> {
  const prepare = isUsualSearch(words)
  const [[ids], [plan]] = await Promise.all([
    run<{ oldest: number | null; newest: number | null; nodes: number }>(
      sql,
      q`select min(id) as oldest, max(id) as newest, numnode(${words}) as nodes from messages`,
      prepare,
    ),
    run<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
      sql,
      q`explain (format json) select from messages where search @@ ${words}`,
      prepare,
    ),
  ])
  if (!ids || !plan || ids.nodes === 0) return undefined
  return { matches: plan['QUERY PLAN'][0].Plan['Plan Rows'], oldest: ids.oldest ?? 0, newest: ids.newest ?? 0 }
}

/** Whether a text search query is that of most searches, without quoted phrases, so that its statements are few and kept prepared. */
export const isUsualSearch = (words: Fragment): boolean => words.values.length === 1

/** The text search query for messages in the blocks that contain the ids; `from` is in one of them in any case. */
export function blocksSql(from: number, to: number): Fragment {
  const bits = blockBits.find(bits => (to - from) / 2 ** bits <= mostBlocks) ?? 16
  const blockOf = (id: number) => Math.floor(id / 2 ** bits)
  const blocks = [blockOf(from)]
  for (let block = blockOf(from) + 1; block <= blockOf(to); block++) blocks.push(block)
  return q`${blocks.map(block => `'#${bits}/${block}'`).join('|')}::tsquery`
}

/**
 * Merges the pending list of the search index. PostgreSQL adds words of new messages to this list first; when it is full, the next
 * insert has to merge it and takes long.
 */
export async function mergeNewWords(sql: ISql): Promise<void> {
  await sql`select gin_clean_pending_list('messages_search')`
}
