import { EmojiTable } from '../emoji-table.js'

const table = new EmojiTable('slack/emoji-names.json')

const withoutTone = (name: string): string => name.replace(/::skin-tone-[2-6]$/, '')

/** The code of a standard emoji; undefined: it is none. A skin tone is left out. */
export const codeOfEmoji = (name: string): string | undefined => table.codeOf(withoutTone(name))

/** The character of a standard emoji, as a picture. */
export const emojiCharacterOf = (name: string): string | undefined => table.characterOf(withoutTone(name))
