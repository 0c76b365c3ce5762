// Of letters that have a mark in any language but their own: the mark is left out. Cyrillic й is another letter than и.
const marks =
  /(?<![Ии])[\u0300-\u036f]|(?<=[Ии])[\u0300-\u0305\u0307-\u036f]|[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/gu
// Characters that change how others look or join: people who look for a word do not write them.
const unseen = /\p{Cf}|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/gu
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
}
const replaced = new RegExp(`[${Object.keys(letters).join('')}]`, 'g')
const other = /[^\p{Alphabetic}\p{M}\p{N}]/gu
const ascii = /^[a-z0-9]*$/i

/** Letters and digits in the one form in which texts and searches are compared: without case, accents and forms of the same letter. */
export const folded = (text: string): string =>
  ascii.test(text) ? text.toLowerCase() : foldedText(text).replace(other, '')

/** The same of a text, whose other characters stay. */
export function foldedText(text: string): string {
  return text
    .normalize('NFKC')
    .replace(unseen, '')
    .toLowerCase()
    .normalize('NFD')
    .replace(marks, '')
    .normalize('NFC')
    .replace(replaced, letter => letters[letter] as string)
}

const umlaut = /[äöü]/g
const spelledOut: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' }

/** The folded word with its umlauts written as two letters; undefined: it has none. */
export function withoutUmlauts(text: string): string | undefined {
  if (ascii.test(text)) return undefined
  const lower = text.normalize('NFKC').toLowerCase()
  const spelled = lower.replace(umlaut, letter => spelledOut[letter] as string)
  return spelled === lower ? undefined : folded(spelled)
}
