import { setImmediate } from 'node:timers/promises'
import { markMatches, markText } from '../../text/search/mark-matches.js'
import type { SearchQuery } from '../../text/search/query.js'
import type { ISql } from '../driver/db.js'

export interface Highlights {
  readonly match_content: string
  readonly match_subject: string
}

/** What people see of messages, in any order. */
export const messageTexts = (
  sql: ISql,
  ids: readonly number[],
): Promise<{ id: number; rendered_content: string; topic: string }[]> =>
  sql<{ id: number; rendered_content: string; topic: string }[]>`
    select id, rendered_content, topic from messages where id = any(${ids as number[]}::bigint[])`

// After so many characters the worker does other work: 1,000,000 of them take more than 100 ms.
const charactersInTurn = 20_000

/** Content and topic of messages as HTML in which the matches of the searches are marked. */
export async function highlights(
  sql: ISql,
  ids: readonly number[],
  searches: readonly SearchQuery[],
): Promise<Map<number, Highlights>> {
  const rows = await messageTexts(sql, ids)
  const found = new Map<number, Highlights>()
  let characters = 0
  for (const { id, rendered_content: html, topic } of rows) {
    characters += html.length
    if (characters > charactersInTurn) {
      await setImmediate()
      characters = 0
    }
    const match_content = markMatches(html, searches)
    found.set(id, { match_content, match_subject: markText(topic, searches) })
  }
  return found
}
