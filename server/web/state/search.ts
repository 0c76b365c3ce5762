import type { Narrow, SearchNarrow } from './narrow.js'
import { tokensOf } from './query.js'

/** The place that a search is limited to unless the user wants it everywhere. */
export function placeOfSearch(narrow: Narrow | undefined): Narrow | undefined {
  if (narrow?.kind === 'search') return narrow.within
  return narrow?.kind === 'channel' || narrow?.kind === 'topic' || narrow?.kind === 'direct' ? narrow : undefined
}

/** An operator of a search. */
export interface SearchFilter {
  readonly text: string
  /** The text of the search without it. */
  readonly rest: string
}

/** The operators of a search, as they were typed. */
export const filtersOf = (words: string): SearchFilter[] =>
  tokensOf(words).flatMap(({ from, to, text, operator }) => {
    const rest = [words.slice(0, from).trimEnd(), words.slice(to).trimStart()].filter(part => part !== '').join(' ')
    return operator === undefined ? [] : [{ text, rest }]
  })

/** The view of a search; undefined without words. */
export function searchFor(text: string, within: Narrow | undefined): SearchNarrow | undefined {
  const words = text.trim()
  return words === '' ? undefined : { kind: 'search', words, ...(within && { within }) }
}

/** What a key does in the search box, apart from the arrows; undefined: nothing but in the text. */
export function searchBoxAct(key: string, hasChosen: boolean): 'take' | 'leave' | undefined {
  if (key === 'Escape') return 'leave'
  return hasChosen && (key === 'Enter' || key === 'Tab') ? 'take' : undefined
}
