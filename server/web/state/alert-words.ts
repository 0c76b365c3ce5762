import { spaceless } from '../../../shared/spaceless.js'

// The characters that may stand before and after an alert word (docs/protocol/events.md#alert_words).
const before = `[\\n (".,';[*\`>${spaceless}]`
const after = `[\\n )?:.,';\\]!*\`${spaceless}]`

/** A pattern that finds the words of a user in a text, in any letter case and with a boundary on both sides; undefined: no words. */
export function alertPattern(words: readonly string[]): RegExp | undefined {
  if (words.length === 0) return undefined
  const longestFirst = [...words].sort((a, b) => b.length - a.length)
  const escaped = longestFirst.map(word => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  const [first, last] = [`(?=[${spaceless}])`, `(?<=[${spaceless}])`]
  return new RegExp(`(?:(?<=^|${before})|${first})(?:${escaped.join('|')})(?:(?=$|${after})|${last})`, 'giu')
}
