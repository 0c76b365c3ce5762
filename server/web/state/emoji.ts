import type { CustomEmoji, CustomEmojiMap } from '../../../shared/resources/custom-emoji.js'

/** The characters of an emoji code (`1f44d`, `1f1e9-1f1ea`); undefined for an invalid code. */
export function emojiCharacter(code: string): string | undefined {
  if (!/^[0-9a-f]{2,6}(-[0-9a-f]{2,6}){0,9}$/.test(code)) return undefined
  const points = code.split('-').map(point => Number.parseInt(point, 16))
  if (points.some(point => point > 0x10ffff)) return undefined
  const characters = points.map(point => String.fromCodePoint(point))
  const [first = '', ...rest] = characters
  // Codes omit the variation selector that requests a picture; without it some characters are shown as text.
  return /^\p{Emoji_Presentation}$/u.test(first) ? characters.join('') : `${first}\ufe0f${rest.join('')}`
}

/** The custom emoji that messages may use, by name. */
export const activeEmoji = ({ realm_emoji }: { readonly realm_emoji: CustomEmojiMap }): CustomEmoji[] =>
  Object.values(realm_emoji)
    .filter(emoji => !emoji.deactivated)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
