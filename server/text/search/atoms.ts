import { folded } from '../../../shared/fold.js'
import { spaceless } from '../../../shared/spaceless.js'

/** A part of an atom: where it is in the text, and how it is compared. */
interface Part {
  readonly start: number
  readonly end: number
  readonly form: string
}

/**
 * Letters and digits of a text that belong together. Of a script that people write with spaces, an atom is a word; its parts are those of
 * an identifier (`getUserById`, `v2`), or the word itself. Of a script without spaces, its parts are its characters.
 */
export interface Atom {
  readonly start: number
  readonly end: number
  /** The number of its first part among those of the text. */
  readonly place: number
  readonly parts: readonly Part[]
  readonly isSpaceless: boolean
  readonly source: string
  /** The whole atom as it is compared. */
  readonly form: string
}

const inside = '\\p{Alphabetic}\\p{M}\\p{N}'
const unseen = '\\u00ad\\u200c-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff'
const runs = new RegExp(`(?!\\p{M})[${inside}][${inside}${unseen}]*|\\p{Extended_Pictographic}|\\p{RI}\\p{RI}`, 'gu')
const picture = /^(?:\p{Extended_Pictographic}|\p{RI}\p{RI})$/u
const hasSpaceless = new RegExp(`[${spaceless}]`, 'u')
const segments = new RegExp(`[${spaceless}][${spaceless}\\p{Mn}${unseen}]*|[^${spaceless}]+`, 'gu')
const ascii = /^[a-z0-9]+$/i
const isAscii = /^[\0-\x7f]*$/
const asciiRuns = /[a-z0-9]+/gi
const asciiBoundary = /[a-z][A-Z]|[A-Z][A-Z][a-z]|\d[a-zA-Z]|[a-zA-Z]\d/
const boundary = /(?<=[\p{Ll}\p{Lo}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{N})(?=\P{N})|(?<=\P{N})(?=\p{N})/u
// A hash has more parts than these; its characters are no words.
const mostParts = 6
/** Longest form: a longer one is compared up to here. */
const longestForm = 64

/** The atoms of a text, in its order. `firstPlace`: the place of the first part. */
export function atomsIn(text: string, firstPlace = 1): Atom[] {
  const found: Atom[] = []
  let place = firstPlace
  const add = (source: string, start: number, isSpaceless: boolean) => {
    const form = picture.test(source) ? source : shortened(folded(source))
    if (form === '') return
    const end = start + source.length
    const parts = isSpaceless ? characters(source, start) : wordParts(source, start, form)
    if (parts.length === 0) return
    found.push({ start, end, place, parts, isSpaceless, source, form })
    place += parts.length
  }
  const isSpaced = !hasSpaceless.test(text)
  for (const { 0: run, index } of text.matchAll(isAscii.test(text) ? asciiRuns : runs)) {
    if (isSpaced || !hasSpaceless.test(run)) add(run, index, false)
    else for (const one of run.matchAll(segments)) add(one[0], index + one.index, hasSpaceless.test(one[0]))
  }
  return found
}

/** The form up to the length to which words are compared. */
export function shortened(form: string): string {
  if (form.length <= longestForm) return form
  return [...form].slice(0, longestForm).join('')
}

function wordParts(source: string, start: number, form: string): Part[] {
  const whole = [{ start, end: start + source.length, form }]
  if (source.length < 2 || (ascii.test(source) && !asciiBoundary.test(source))) return whole
  const pieces = source.split(boundary)
  if (pieces.length === 1 || pieces.length > mostParts) return whole
  let at = start
  const parts = pieces.map(piece => {
    at += piece.length
    return { start: at - piece.length, end: at, form: shortened(folded(piece)) }
  })
  return parts.filter(part => part.form !== '')
}

/** One part for each character as it is compared. Of a text whose form has another length, each part is the whole. */
function characters(source: string, start: number): Part[] {
  const forms = [...folded(source)]
  const written = [...source]
  let at = start
  if (forms.length !== written.length) return forms.map(form => ({ start, end: start + source.length, form }))
  return forms.map((form, i) => {
    at += (written[i] as string).length
    return { start: at - (written[i] as string).length, end: at, form }
  })
}
