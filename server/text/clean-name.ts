import { budgets } from '../config/budgets.js'

// Most names consist of ASCII words separated by single spaces.
const plain = /^[!-~]+(?: [!-~]+)*$/

// Invisible format characters that change how text is read: inside emoji, as variants of Han and Mongolian characters,
// and joiners in words (UAX 31, 2.3: after a virama; between Arabic letters).
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

const keepNeeded = (_: string, kept?: string): string => kept ?? ''

// The Braille blank is the only symbol without visible ink.
const spaces = /[\p{Zs}\u2800]+/gu
const nothingVisible = /^[\p{M}\p{Z}]*$/u

/**
 * A name in the form in which the server stores it: NFC, without invisible characters, each run of spaces of any kind
 * as one space, trimmed. Empty if no visible character is left. Text beyond the budget of names is returned unchanged,
 * because it is too long for every name.
 */
export function cleanName(given: string): string {
  if (plain.test(given) || given.length > budgets.normalizedCharacters.most) return given
  const text = given.normalize('NFC').replace(format, keepNeeded).replace(spaces, ' ').trim().normalize('NFC')
  // Removing a character may reorder or compose the marks around it, and may make a kept format character superfluous.
  if (text !== given) return cleanName(text)
  return nothingVisible.test(text) ? '' : text
}

/** The text without characters that show nothing, except where they change how others are read. */
export function withoutInvisible(given: string): string {
  const text = given.replace(format, keepNeeded)
  return text === given ? text : withoutInvisible(text)
}

// Emoji that are newer than the Unicode tables of this Node version are unassigned there, but in ranges reserved for
// emoji.
const forbidden = /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}]|(?!\p{ExtPict})\p{Cn}/u

/** Whether a clean name has no control characters, private-use characters, unpaired surrogates or unassigned code points. */
export function isNameText(name: string): boolean {
  return plain.test(name) || !forbidden.test(name)
}
