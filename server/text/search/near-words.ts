import { nearestWord } from '../../../shared/near-word.js'
import { atomsIn } from './atoms.js'
import { chunks } from './query.js'

/** A word in the text of a search. */
export interface PlainWord {
  readonly form: string
  readonly from: number
  readonly to: number
}

// Words of three letters are near to many others.
const shortestPlain = 4
const longestPlain = 30
const onlyLetters = /^\p{L}+$/u
/** Lengths of words that can be near to a plain one. */
export const nearLengths = { shortest: shortestPlain - 1, longest: longestPlain + 2 } as const

/** The words of a search that can be mistyped: no identifiers, and none in quotation marks or behind a minus sign. */
export function plainWords(text: string): PlainWord[] {
  return [...text.matchAll(chunks)].flatMap(({ 0: chunk, 2: phrase, index }) => {
    const [atom, ...others] = phrase === undefined && !chunk.startsWith('-') ? atomsIn(chunk) : []
    if (!atom || others.length > 0 || atom.isSpaceless || atom.parts.length > 1 || !onlyLetters.test(atom.form))
      return []
    const { form, start, end } = atom
    if (form.length < shortestPlain || form.length > longestPlain) return []
    return [{ form, from: index + start, to: index + end }]
  })
}

/** The plain words that are not among the known ones, each with the known one that is nearest to it. Of equally near ones, the first. */
export function nearWords(
  words: readonly PlainWord[],
  known: readonly string[],
): (PlainWord & { readonly near: string })[] {
  const isKnown = new Set(known)
  const candidates = known.filter(word => onlyLetters.test(word))
  return words.flatMap(word => {
    const near = isKnown.has(word.form) ? undefined : nearestWord(word.form, candidates)
    return near === undefined ? [] : [{ ...word, near }]
  })
}
