import { emojiCharacter, emojiCodes } from '../emoji-table.js'

const codes: ReadonlyMap<string, string> = emojiCodes('slack/emoji-names.json')

/** The code of a standard emoji; undefined: it is none. A skin tone is left out. */
export const codeOfEmoji = (name: string): string | undefined => codes.get(name.replace(/::skin-tone-[2-6]$/, ''))

/** The character of a standard emoji, as a picture. */
export function emojiCharacterOf(name: string): string | undefined {
  const code = codeOfEmoji(name)
  return code === undefined ? undefined : emojiCharacter(code)
}

const names: ReadonlyMap<string, string> = new Map([...codes].reverse().map(([name, code]) => [code, name]))

/** Slack's first name of the emoji with a code. */
export const nameOfCode = (code: string): string | undefined => names.get(code)
