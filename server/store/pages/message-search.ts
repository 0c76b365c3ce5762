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

// Of labels d to a (text/search/vector.ts): other forms count less than what was written, and topics more than contents.
const rankOfLabels = '{0.5, 0.2, 0.4, 1}'

/** The messages in which the words stand out most, the best ones first; of equal ones the newest. `words`: of `soughtWords`. */
export async function mostRelevant(
  sql: ISql,
  ids: readonly number[],
  { words, limit }: { readonly words: Fragment | undefined; readonly limit: number },
): Promise<number[]> {
  if (!words) return [...ids].sort((a, b) => b - a).slice(0, limit)
  const rows = await run<{ id: number }>(
    sql,
    q`select id from messages where id = any(${ids}::bigint[])
      order by ts_rank_cd(${rankOfLabels}::float4[], search, ${words}, 1) desc, id desc limit ${limit}::int`,
  )
  return rows.map(row => row.id)
}

// The words of so many messages are read within 100 ms.
const mostWordsRead = 200_000
const mostWordsKept = 20_000

/** The words that messages have as they are written, those of most messages first. Of many words those in the newest messages. */
export async function wordsOfMessages(
  sql: ISql,
  ids: readonly number[],
  { shortest, longest }: { readonly shortest: number; readonly longest: number },
): Promise<string[]> {
  const rows = await run<{ word: string }>(
    sql,
    q`select word from ts_stat(format('select search from (
        select search, sum(length(search)) over (order by id desc) as words from messages where id = any(%L::bigint[])
      ) m where words <= %s', ${ids}::bigint[]::text, ${mostWordsRead}::text), 'ad')
      where length(word) between ${shortest}::int and ${longest}::int
      order by ndoc desc, word limit ${mostWordsKept}::int`,
  )
  return rows.map(row => row.word)
}

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
