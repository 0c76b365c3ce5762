import { withoutUmlauts } from '../../../shared/fold.js'
import { type Atom, atomsIn, shortened } from './atoms.js'
import type { Stems } from './stems.js'

/** A form under which a place of a text is found. */
export interface Word {
  readonly form: string
  readonly place: number
  readonly start: number
  readonly end: number
  /** The form is what the text says; otherwise a stem, or another spelling. */
  readonly isExact: boolean
}

/** The words of a text, in the order of their places. */
export const wordsIn = (text: string, stems: Stems, firstPlace = 1): Word[] => {
  const atoms = atomsIn(text, firstPlace)
  return atoms.flatMap((atom, i) => (atom.isSpaceless ? pairsOf(atom) : formsOf(text, atoms, i, stems)))
}

/** Each character with the next one; the last one alone. */
const pairsOf = ({ parts, place }: Atom): Word[] =>
  parts.map((part, i) => {
    const next = parts[i + 1] ?? part
    const form = next === part ? part.form : part.form + next.form
    return { form, place: place + i, start: part.start, end: next.end, isExact: true }
  })

function formsOf(text: string, atoms: readonly Atom[], i: number, stems: Stems): Word[] {
  const atom = atoms[i] as Atom
  const { form, place, start, end, parts } = atom
  const whole = { form, place, start, end, isExact: true }
  const found: Word[] = [whole]
  const addOthers = ({ form: own, place, start, end }: Word, source: string) => {
    for (const other of othersOf(own, source, stems)) found.push({ form: other, place, start, end, isExact: false })
  }
  addOthers(whole, atom.source)
  if (parts.length > 1) {
    found.push({ ...whole, place: place + parts.length - 1 })
    parts.forEach((part, n) => {
      const word = { ...part, place: place + n, isExact: true }
      found.push(word)
      addOthers(word, text.slice(part.start, part.end))
    })
  }
  const sign = signOf(text, atom)
  if (sign !== undefined) found.push({ ...whole, form: sign, end: start + sign.length })
  const joined = joinedFrom(text, atoms, i)
  if (joined) found.push({ form: joined.form, place, start, end: joined.end, isExact: false })
  return found
}

/** Stems, and the word with its umlauts spelled out. */
export function othersOf(form: string, source: string, stems: Stems): readonly string[] {
  const spelled = withoutUmlauts(source)
  return spelled === undefined ? stems(form) : [...stems(form), shortened(spelled)]
}

/** Names of which the sign is a part: `C++`, `C#`. */
export function signOf(text: string, { start, end, form }: Atom): string | undefined {
  if (end - start !== 1) return undefined
  if (text.startsWith('++', end)) return `${form}++`
  return text[end] === '#' ? `${form}#` : undefined
}

const joints = /^[-'’‐‑]$/
const onlyLetters = /^[\p{L}\p{M}]+$/u
const mostJoined = 4

/** Words that hyphens or apostrophes join, as one: `e-mail`, `don't`. Undefined: the atom begins none. */
export function joinedFrom(
  text: string,
  atoms: readonly Atom[],
  first: number,
): { readonly form: string; readonly end: number; readonly count: number } | undefined {
  const joins = (i: number) => {
    const [one, next] = [atoms[i], atoms[i + 1]]
    return (
      one !== undefined &&
      next !== undefined &&
      next.start - one.end === 1 &&
      joints.test(text[one.end] as string) &&
      [one, next].every(atom => !atom.isSpaceless && onlyLetters.test(atom.form))
    )
  }
  if (!joins(first) || joins(first - 1)) return undefined
  let last = first + 1
  while (joins(last)) last++
  const joined = atoms.slice(first, last + 1)
  if (joined.length > mostJoined) return undefined
  return { form: joined.map(atom => atom.form).join(''), end: (joined.at(-1) as Atom).end, count: joined.length }
}
