import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../config/paths.js'

/**
 * The codes of the standard emoji, as the API spells them, by a server's names: the same names mean other pictures here. `file`: names by code,
 * below `server/transfer/`; from emojibase-data 17.0.0.
 */
export function emojiCodes(file: string): ReadonlyMap<string, string> {
  const names = JSON.parse(readFileSync(join(projectRoot, 'server/transfer', file), 'utf8')) as Record<string, string[]>
  return new Map(Object.entries(names).flatMap(([code, own]) => own.map((name): [string, string] => [name, code])))
}

/** The character of a code, as a picture. */
export function emojiCharacter(code: string): string {
  const character = String.fromCodePoint(...code.split('-').map(part => Number.parseInt(part, 16)))
  if (/^[0-9#*]\u20e3$/.test(character)) return `${character[0]}\ufe0f\u20e3`
  return /^\p{Emoji}$/u.test(character) && !/\p{Emoji_Presentation}/u.test(character) ? `${character}\ufe0f` : character
}
