import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../config/paths.js'

/**
 * The names of each emoji, by code; the first is the one to show. They are those that existing clients have built in
 * (docs/protocol/message-html.md), so a name means the same picture everywhere.
 */
const namesByCode: Readonly<Record<string, string[]>> = JSON.parse(
  readFileSync(join(projectRoot, 'server/text/emoji-names.json'), 'utf8'),
)
const codeByName: ReadonlyMap<string, string> = new Map(
  Object.entries(namesByCode).flatMap(([code, names]) => names.map((name): [string, string] => [name, code])),
)

/** The Unicode emoji with this name. */
export function emojiByName(name: string): { emoji_code: string } | undefined {
  const emoji_code = codeByName.get(name)
  return emoji_code === undefined ? undefined : { emoji_code }
}

/** The name to show for a Unicode emoji; undefined for a code without an image in clients. */
export function nameOfEmojiCode(code: string): string | undefined {
  return Object.hasOwn(namesByCode, code) ? namesByCode[code]?.[0] : undefined
}

/** Whether the name belongs to the code. */
export function isValidEmoji(name: string, code: string): boolean {
  return codeByName.get(name) === code
}

/** The only emoji that is neither Unicode nor custom: its name and its code are the brand. */
export function extraEmoji(brand: string): { emoji_name: string; emoji_code: string; reaction_type: string } {
  return { emoji_name: brand, emoji_code: brand, reaction_type: `${brand}_extra_emoji` }
}

/** The path of the picture of the extra emoji. */
export function extraEmojiPicture(brand: string): string {
  return `/static/generated/emoji/images/emoji/unicode/${brand}.png`
}

/** The document at `server_emoji_data_url`. */
export function emojiData(): { code_to_names: Readonly<Record<string, string[]>> } {
  return { code_to_names: namesByCode }
}
