import type { StateCore, StateInline, Token } from 'markdown-it'
import { budgets } from '../../config/budgets.js'
import { emojiByName, nameOfEmojiCode } from '../emoji.js'
import { renderingOf } from './rendering.js'

const named = /:([\p{L}\p{N}_+-]{1,100}):/uy
// One emoji as the user sees it: a flag, a keycap, or a picture, possibly joined with others. A character that is text
// by default is a picture if the selector fe0f or a skin tone follows, or if it is joined.
const tone = String.raw`[\u{1f3fb}-\u{1f3ff}]`
const joinable = String.raw`\p{Extended_Pictographic}(?:\ufe0f|${tone})?`
const picture = new RegExp(
  [
    String.raw`\p{Regional_Indicator}{2}`,
    String.raw`[0-9#*]\ufe0f\u20e3`,
    String.raw`${joinable}(?:\u200d${joinable}){1,8}`,
    String.raw`(?:\p{Emoji_Presentation}(?:\ufe0f|${tone})?|\p{Extended_Pictographic}(?:\ufe0f|${tone}))\u20e3?[\u{e0020}-\u{e007f}]{0,8}`,
  ].join('|'),
  'uy',
)

/** Inline rule: `:name:` of a Unicode emoji, of a custom one of the organization, or of the extra one. */
export function namedEmoji(state: StateInline, silent: boolean): boolean {
  // The text of a link has no emoji.
  if (state.src.charCodeAt(state.pos) !== 0x3a || state.linkLevel > 0) return false
  named.lastIndex = state.pos
  const [source, name = ''] = named.exec(state.src) ?? []
  if (source === undefined || state.pos + source.length > state.posMax || !canShowEmoji(state.env)) return false
  const custom = renderingOf(state.env).names.customEmoji(name)
  const code = custom ? undefined : emojiByName(name)?.emoji_code
  if (custom) {
    if (!silent) pushCustom(state, name, custom.source_url)
  } else if (code !== undefined) {
    if (!silent) pushUnicode(state, name, code)
  } else return false
  state.pos += source.length
  return true
}

/** Inline rule: an emoji character, rendered like the same emoji by name. */
export function emojiCharacter(state: StateInline, silent: boolean): boolean {
  const first = state.src.charCodeAt(state.pos)
  if ((first < 0xa9 && state.src.charCodeAt(state.pos + 1) < 0x20e3) || state.linkLevel > 0) return false
  picture.lastIndex = state.pos
  const [source] = picture.exec(state.src) ?? []
  if (source === undefined || state.pos + source.length > state.posMax) return false
  if (!silent) pushCharacter(state, source)
  state.pos += source.length
  return true
}

function pushCharacter(state: StateInline, character: string): void {
  const code = canShowEmoji(state.env) ? emojiCode(character) : ''
  const name = nameOfEmojiCode(code)
  // Unknown emoji, such as those with a skin tone, stay characters, which every client can show.
  if (name === undefined) state.pending += character
  else pushUnicode(state, name, code)
}

/** The code of an emoji character on the wire. */
function emojiCode(character: string): string {
  return Array.from(character, point => (point.codePointAt(0) ?? 0).toString(16).padStart(4, '0'))
    .filter(point => point !== 'fe0f')
    .join('-')
}

/** Whether the message may show another emoji as a picture. */
export const canShowEmoji = (env: StateInline['env']): boolean => renderingOf(env).emojiShown < budgets.emojiShown.most

function pushUnicode(state: StateInline, name: string, code: string): void {
  // Before the element, so that the parser writes the text before it.
  if (state.pending !== '') state.pushPending()
  state.tokens.push(...unicodeEmoji(state, name, code))
  state.tokens_meta.push(undefined, undefined, undefined)
}

/** The tokens of a Unicode emoji; counts it. */
export function unicodeEmoji(state: StateCore | StateInline, name: string, code: string): Token[] {
  renderingOf(state.env).emojiShown++
  const spoken = name.replaceAll('_', ' ')
  const { Token } = state as StateCore
  const open = new Token('emoji_open', 'span', 1)
  open.attrs = [
    ['aria-label', spoken],
    ['class', `emoji emoji-${code}`],
    ['role', 'img'],
    ['title', spoken],
  ]
  const text = new Token('text', '', 0)
  text.content = `:${name}:`
  return [open, text, new Token('emoji_close', 'span', -1)]
}

function pushCustom(state: StateInline, name: string, url: string): void {
  renderingOf(state.env).emojiShown++
  state.push('emoji_image', 'img', 0).attrs = [
    ['alt', `:${name}:`],
    ['class', 'emoji'],
    ['src', url],
    ['title', name.replaceAll('_', ' ')],
  ]
}
