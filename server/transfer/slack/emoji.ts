import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../config/paths.js'

/** Slack's names of each emoji, by the code that the API uses: 40 names mean another picture here. From `iamcal.json` of emojibase-data 17.0.0. */
const namesByCode: Readonly<Record<string, string[]>> = JSON.parse(
  readFileSync(join(projectRoot, 'server/transfer/slack/emoji-names.json'), 'utf8'),
)
const codes: ReadonlyMap<string, string> = new Map(
  Object.entries(namesByCode).flatMap(([code, names]) => names.map((name): [string, string] => [name, code])),
)

/** The code of a standard emoji; undefined: it is none. A skin tone is left out. */
export const codeOfEmoji = (name: string): string | undefined => codes.get(name.replace(/::skin-tone-[2-6]$/, ''))

/** The character of a standard emoji, as a picture. */
export function emojiCharacterOf(name: string): string | undefined {
  const code = codeOfEmoji(name)
  if (code === undefined) return undefined
  const character = String.fromCodePoint(...code.split('-').map(part => Number.parseInt(part, 16)))
  return /^\p{Emoji}$/u.test(character) && !/\p{Emoji_Presentation}/u.test(character) ? `${character}\ufe0f` : character
}
