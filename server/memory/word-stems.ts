import { LRUCache } from 'lru-cache'
import type { SearchLanguage } from '../../shared/resources/realm-settings.js'
import { type Stems, stemsIn } from '../text/search/stems.js'

const mostWords = 30_000
// Those of the setting, and while a change of it reaches the messages both.
const mostSets = 3

/**
 * Stems of words, by word, for sets of languages. To compute those of a word takes 5 to 10 µs, and most words of a message are among the usual ones.
 *
 * Source: the stemmers.
 * Version: none; the stems of a word in a language stay the same while the program runs.
 * Bound: `mostWords`, of at most 40 characters, for each of `mostSets` sets of languages.
 * Dropped: the least recently used word, and the least recently used set.
 */
export function wordStems(): (languages: readonly SearchLanguage[]) => Stems {
  const sets = new LRUCache<string, Stems>({ max: mostSets })
  return languages => {
    const key = languages.join()
    const found = sets.get(key)
    if (found) return found
    const stems = remembering(stemsIn(languages))
    sets.set(key, stems)
    return stems
  }
}

function remembering(compute: Stems): Stems {
  const known = new LRUCache<string, readonly string[]>({ max: mostWords })
  return form => {
    const found = known.get(form)
    if (found) return found
    const stems = compute(form)
    known.set(form, stems)
    return stems
  }
}
