import { type Atom, atomsIn } from './atoms.js'
import type { Stems } from './stems.js'
import { joinedFrom, othersOf, signOf } from './words.js'

/** A form to look for. */
export interface Sought {
  readonly form: string
  /** How many places after the first one of its sequence. */
  readonly offset: number
  /** Also as the beginning of a longer form. */
  readonly isBeginning: boolean
  /** Not as the stem or another spelling of a word. */
  readonly isExact: boolean
}

/** Forms at successive places; at least one, in the order of their offsets. */
export type Sequence = readonly Sought[]

/** One thing to look for: a message matches with one of the sequences, or, negated, with none. */
export interface SearchTerm {
  readonly negated: boolean
  readonly sequences: readonly Sequence[]
}

/** A message matches a search if it matches a term of each group. */
export interface SearchQuery {
  /** As it was written. */
  readonly text: string
  /** Empty: the text has no words. */
  readonly groups: readonly (readonly SearchTerm[])[]
  /** Those with which it was read, so that the words of a text that it finds are made with the same. */
  readonly stems: Stems
}

/** The parts of a search: its minus sign and the phrase, or a word with what is written with it. */
export const chunks = /(-?)"([^"]*)"?|\S+/g
const shortestBeginning = 2

/**
 * Reads what a person wrote to search for: words, of which all must occur and the last one may be a beginning, phrases in quotation marks,
 * `-` before what must not occur, and `or` between two of them.
 */
export function parseSearch(text: string, stems: Stems): SearchQuery {
  const found = [...text.matchAll(chunks)]
  const groups: SearchTerm[][] = []
  let isAlternative = false
  found.forEach(([chunk, minus, phrase], i) => {
    const isLast = i === found.length - 1
    if (chunk.toLowerCase() === 'or' && groups.length > 0 && !isLast) {
      isAlternative = true
      return
    }
    const negated = phrase === undefined ? /^-[^-\s]/.test(chunk) : minus === '-'
    const written = phrase ?? (negated ? chunk.slice(1) : chunk)
    const sequences = phrase === undefined ? sequencesOf(written, stems, isLast && !negated) : exactly(written)
    if (sequences.length > 0) {
      if (isAlternative) groups.at(-1)?.push({ negated, sequences })
      else groups.push([{ negated, sequences }])
    }
    isAlternative = false
  })
  return { text, groups, stems }
}

/** What characters without a space between them mean: a word in any form, or the parts of one. */
function sequencesOf(text: string, stems: Stems, mayBegin: boolean): Sequence[] {
  const atoms = atomsIn(text)
  const [first] = atoms
  if (!first) return []
  const inParts = sequenceOf(text, atoms, { isExact: false, mayBegin })
  const joined = joinedFrom(text, atoms, 0)
  if (atoms.length > 1)
    return joined?.count === atoms.length ? [inParts, [sought(joined.form, { mayBegin })]] : [inParts]
  if (first.isSpaceless || signOf(text, first) !== undefined) return [inParts]
  const others = othersOf(first.form, first.source, stems).map(form => [sought(form, { mayBegin: false })])
  return [[sought(first.form, { mayBegin })], ...others, ...(first.parts.length > 1 ? [inParts] : [])]
}

function exactly(text: string): Sequence[] {
  const atoms = atomsIn(text)
  const [first] = atoms
  if (!first) return []
  const inParts = sequenceOf(text, atoms, { isExact: true, mayBegin: false })
  const isIdentifier = atoms.length === 1 && !first.isSpaceless && first.parts.length > 1
  return isIdentifier ? [[sought(first.form, { isExact: true })], inParts] : [inParts]
}

function sought(
  form: string,
  { offset = 0, isExact = false, mayBegin = false }: { offset?: number; isExact?: boolean; mayBegin?: boolean },
): Sought {
  return { form, offset, isExact, isBeginning: mayBegin && form.length >= shortestBeginning }
}

function sequenceOf(
  text: string,
  atoms: readonly Atom[],
  { isExact, mayBegin }: { readonly isExact: boolean; readonly mayBegin: boolean },
): Sequence {
  return atoms.flatMap((atom, i): Sought[] => {
    const { parts, place } = atom
    const offset = place - 1
    if (atom.isSpaceless) return ofCharacters(atom, isExact)
    const sign = signOf(text, atom)
    if (sign !== undefined) return [sought(sign, { offset, isExact })]
    const isLast = (n: number) => mayBegin && i === atoms.length - 1 && n === parts.length - 1
    return parts.map((part, n) => sought(part.form, { offset: offset + n, isExact, mayBegin: isLast(n) }))
  })
}

/** Each pair of characters; a character alone begins a pair. */
function ofCharacters({ parts, place }: Atom, isExact: boolean): Sought[] {
  const [first] = parts
  if (parts.length === 1 && first) return [{ form: first.form, offset: place - 1, isExact, isBeginning: true }]
  return parts.slice(1).map((next, i) => ({
    form: (parts[i] as { form: string }).form + next.form,
    offset: place - 1 + i,
    isExact,
    isBeginning: false,
  }))
}

/** Whether one of the terms looks for beginnings of words. */
export const hasBeginning = (terms: readonly SearchTerm[]): boolean =>
  terms.some(({ sequences }) => sequences.some(sequence => sequence.some(one => one.isBeginning)))

/** The groups as the text of a `tsquery`; undefined: there is none. */
export function tsquery(groups: SearchQuery['groups']): string | undefined {
  if (groups.length === 0) return undefined
  return groups.map(terms => `(${terms.map(ofTerm).join(' | ')})`).join(' & ')
}

const ofTerm = ({ negated, sequences }: SearchTerm): string =>
  `${negated ? '!' : ''}(${sequences.map(ofSequence).join(' | ')})`

const ofSequence = (sequence: Sequence): string =>
  sequence
    .map((one, i) => {
      const before = sequence[i - 1]
      return `${before ? ` <${one.offset - before.offset}> ` : ''}${ofSought(one)}`
    })
    .join('')

/** The labels of exact words, of contents and topics (vector.ts). */
const ofSought = ({ form, isBeginning, isExact }: Sought): string =>
  `'${form}'${isBeginning || isExact ? ':' : ''}${isBeginning ? '*' : ''}${isExact ? 'AD' : ''}`
