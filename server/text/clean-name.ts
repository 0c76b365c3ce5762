import { budgets } from '../budgets.js'

// Most names: words of ASCII with one space between them.
const plain = /^[!-~]+(?: [!-~]+)*$/

// Format characters without which some text reads otherwise: inside emoji, as variants of Han and Mongolian characters, and
// where words are spelled with joiners (UAX 31, 2.3: after a virama; between Arabic letters).
const needed = [
  String.raw`\u{1f3f4}[\u{e0020}-\u{e007e}]+\u{e007f}`,
  String.raw`[0-9#*]\ufe0f\u20e3`,
  String.raw`\p{ExtPict}\p{EMod}?\ufe0f?(?:\u200d\p{ExtPict}\p{EMod}?\ufe0f?)*`,
  String.raw`\p{sc=Han}[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
  String.raw`\p{sc=Mongolian}[\u180b-\u180f]`,
  String.raw`(?<=[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca])[\u200c\u200d]`,
  String.raw`(?<=\p{sc=Arabic}\p{M}*)\u200c(?=\p{sc=Arabic})`,
].join('|')
const format = new RegExp(String.raw`(${needed})|[\p{Cf}\p{DI}]`, 'gu')

// The blank of Braille is the one symbol that shows nothing.
const spaces = /[\p{Zs}\u2800]+/gu
const nothingVisible = /^[\p{M}\p{Z}]*$/u

/**
 * A name as it is stored: in NFC, without characters that show nothing, one space where there are several of any kind, none at
 * the ends. Empty when nothing of it could be seen. Text beyond the budget of names, too long for any of them, is returned as it is.
 */
export function cleanName(given: string): string {
  if (plain.test(given) || given.length > budgets.normalizedCharacters.most) return given
  const text = given
    .normalize('NFC')
    .replace(format, (_, kept?: string) => kept ?? '')
    .replace(spaces, ' ')
    .trim()
    .normalize('NFC')
  // Without a character between them, marks may be ordered or composed anew, and what was needed after them no longer is.
  if (text !== given) return cleanName(text)
  return nothingVisible.test(text) ? '' : text
}

// Emoji that are newer than the tables of this Node are unassigned to it, but in the ranges that are kept for emoji.
const forbidden = /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}]|(?!\p{ExtPict})\p{Cn}/u

/** Whether a clean name holds no control characters, private use, halves of surrogate pairs or unassigned code points. */
export function isNameText(name: string): boolean {
  return plain.test(name) || !forbidden.test(name)
}
