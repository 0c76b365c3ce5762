import type { Condition, Narrow } from '../narrow/sql/narrow-sql.js'
import type { ISql } from '../store/driver/db.js'
import { messageTexts } from '../store/pages/message-highlights.js'
import { messageIds } from '../store/pages/message-pages.js'
import { wordsOfMessages } from '../store/pages/message-search.js'
import { textOfHtml } from '../text/search/html-text.js'
import { nearLengths, nearWords, plainWords } from '../text/search/near-words.js'
import { parseSearch } from '../text/search/query.js'
import type { Stems } from '../text/search/stems.js'
import { wordsIn } from '../text/search/words.js'

// Words that the reader knows are among the newest messages.
const mostMessages = 2_000

/**
 * The search of a narrow without messages, with near words in place of those that the newest messages of its other conditions do not have. So
 * it never names a word that the reader may not see. Undefined: there is none that finds a message.
 */
export async function searchMeant(sql: ISql, narrow: Narrow): Promise<string | undefined> {
  const searches = narrow.conditions.filter(one => one.kind === 'search' && !one.negated)
  const [search] = searches
  if (searches.length !== 1 || search?.kind !== 'search' || search.isBefore) return undefined
  const { text, stems } = search.query
  const words = plainWords(text)
  if (words.length === 0) return undefined
  const rest = { ...narrow, conditions: narrow.conditions.filter(one => one !== search) }
  const ids = await messageIds(sql, rest, [{ limit: mostMessages, newestFirst: true }])
  if (ids.length === 0) return undefined
  const near = nearWords(words, await wordsOfMessages(sql, ids, nearLengths))
  if (near.length === 0) return undefined
  const meant = replaced(text, near)
  const query = parseSearch(meant, stems)
  const other: Condition = { kind: 'search', query, negated: false }
  const [id] = await messageIds(sql, { ...rest, conditions: [...rest.conditions, other] }, [
    { limit: 1, newestFirst: true },
  ])
  if (id === undefined) return undefined
  const written = await writtenIn(sql, id, stems)
  return replaced(
    text,
    near.map(word => ({ ...word, near: written.get(word.near) ?? word.near })),
  )
}

function replaced(text: string, words: ReturnType<typeof nearWords>): string {
  let end = 0
  const parts = words.map(({ from, to, near }) => {
    const part = text.slice(end, from) + near
    end = to
    return part
  })
  return parts.join('') + text.slice(end)
}

/** How the message writes its words, by form. */
async function writtenIn(sql: ISql, id: number, stems: Stems): Promise<ReadonlyMap<string, string>> {
  const rows = await messageTexts(sql, [id])
  const texts = rows.flatMap(({ rendered_content, topic }) => [topic, textOfHtml(rendered_content).text])
  const words = texts.flatMap(text => wordsIn(text, stems).map(word => ({ ...word, text })))
  return new Map(words.map(({ form, text, start, end }) => [form, text.slice(start, end)]))
}
