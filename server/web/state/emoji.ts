/** The characters of an emoji code (`1f44d`, `1f1e9-1f1ea`); undefined for what is none. */
export function emojiCharacter(code: string): string | undefined {
  if (!/^[0-9a-f]{2,6}(-[0-9a-f]{2,6}){0,9}$/.test(code)) return undefined
  const points = code.split('-').map(point => Number.parseInt(point, 16))
  if (points.some(point => point > 0x10ffff)) return undefined
  const characters = points.map(point => String.fromCodePoint(point))
  const [first = '', ...rest] = characters
  // Codes leave out the mark that says "as a picture"; some characters are drawn as text without it.
  return /^\p{Emoji_Presentation}$/u.test(first) ? characters.join('') : `${first}\ufe0f${rest.join('')}`
}
