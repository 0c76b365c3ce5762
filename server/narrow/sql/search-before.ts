import { every, type Fragment, joinFragments, q } from '../../store/driver/fragment.js'
import { phrasesOf } from '../grammar/grammar.js'

// Searches among the words that 0.1.0 stored, until the job `rebuild-search` has replaced them. No release after the next one needs this.

/** Matches the words in any form, and quoted phrases also literally. A search with only stop words matches the text literally. */
export function searchBefore(text: string): Fragment {
  const query = queryBefore(text)
  const written = every([q`m.search @@ ${query}`, ...phrasesOf(text).map(isWritten)])
  return q`case when numnode(${query}) = 0 then ${isWritten(text.replaceAll('"', ''))} else ${written} end`
}

/** Whether content or topic have the text as it is. */
export function isWritten(text: string): Fragment {
  const like = `%${text.trim().replace(/[\\%_]/g, '\\$&')}%`
  return q`(m.content ilike ${like} or m.topic ilike ${like})`
}

/** The text search query for the words of a search, in any form. */
export function queryBefore(text: string): Fragment {
  const rest = text.replace(/"[^"]*"/g, ' ').replaceAll('"', ' ')
  const phrases = phrasesOf(text).map(phrase => q`phraseto_tsquery('english', ${phrase})`)
  return q`(${joinFragments([q`plainto_tsquery('english', ${rest})`, ...phrases], ' && ')})`
}
