import type { Reaction } from '../../../shared/resources/message.js'
import type { Directory } from '../../memory/directory.js'
import { nameOfEmojiCode } from '../../text/emoji.js'
import { codeOfEmoji, nameOfCode } from '../../transfer/slack/emoji.js'

/** Slack's name of an emoji as the operations take it; custom emoji hide the others. */
export function emojiNamed({ customEmoji }: Directory, given: string) {
  const name = given.replace(/^:|:$/g, '')
  const code = customEmoji.active(name) ? undefined : codeOfEmoji(name)
  const own = code === undefined ? undefined : nameOfEmojiCode(code)
  return own === undefined
    ? { emoji_name: name }
    : { emoji_name: own, emoji_code: code, reaction_type: 'unicode_emoji' as const }
}

/** Slack's name of the emoji of a reaction. */
export const emojiNameOf = ({ reaction_type, emoji_code, emoji_name }: Omit<Reaction, 'user_id'>): string =>
  (reaction_type === 'unicode_emoji' ? nameOfCode(emoji_code) : undefined) ?? emoji_name
