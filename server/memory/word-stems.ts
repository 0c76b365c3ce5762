import { LRUCache } from 'lru-cache'
import { type Stems, stemsOf } from '../text/search/stems.js'

const mostWords = 30_000

/**
 * Stems of words, by word. To compute those of a word takes 5 to 10 µs, and most words of a message are among the usual ones.
 *
 * Source: the stemmers.
 * Version: none; the stems of a word stay the same while the program runs.
 * Bound: `mostWords`, of at most 40 characters.
 * Dropped: the least recently used word.
 */
export function wordStems(): Stems {
  const known = new LRUCache<string, readonly string[]>({ max: mostWords })
  return form => {
    const found = known.get(form)
    if (found) return found
    const stems = stemsOf(form)
    known.set(form, stems)
    return stems
  }
}
