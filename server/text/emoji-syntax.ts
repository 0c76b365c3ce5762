import type { StateInline } from 'markdown-it'
import { budgets } from '../config/budgets.js'
import { emojiByName, nameOfEmojiCode } from './emoji.js'
import { isSafeUrl } from './links.js'
import { renderingOf } from './rendering.js'

const named = /:([\w+-]{1,100}):/y
// One emoji as the user sees it: a flag, a keycap, or a pictograph, possibly joined with others.
const picture =
  /\p{Regional_Indicator}{2}|[0-9#*]\ufe0f?\u20e3|\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?(?:\u200d\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?){0,8}[\u{e0020}-\u{e007f}]{0,8}/uy

/** Inline rule: `:name:` of a Unicode emoji or of a custom emoji of the organization. */
export function namedEmoji(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x3a) return false
  named.lastIndex = state.pos
  const [source, name = ''] = named.exec(state.src) ?? []
  if (source === undefined || state.pos + source.length > state.posMax || !mayShow(state)) return false
  const custom = renderingOf(state.env).names.customEmoji(name)
  const code = custom ? undefined : emojiByName(name)?.emoji_code
  if (custom && isSafeUrl(custom.source_url)) {
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
  if (first < 0xa9 && state.src.charCodeAt(state.pos + 1) < 0x20e3) return false
  picture.lastIndex = state.pos
  const [source] = picture.exec(state.src) ?? []
  if (source === undefined || state.pos + source.length > state.posMax) return false
  if (!silent) pushCharacter(state, source)
  state.pos += source.length
  return true
}

function pushCharacter(state: StateInline, character: string): void {
  const code = mayShow(state) ? emojiCode(character) : ''
  const name = nameOfEmojiCode(code)
  // Unknown emoji, such as those with a skin tone, stay characters, which every client can show.
  if (name === undefined) state.pending += character
  else pushUnicode(state, name, code)
}

/** The code of an emoji character on the wire. */
export function emojiCode(character: string): string {
  return Array.from(character, point => (point.codePointAt(0) ?? 0).toString(16).padStart(4, '0'))
    .filter(point => point !== 'fe0f')
    .join('-')
}

const mayShow = (state: StateInline): boolean => renderingOf(state.env).emojiShown < budgets.emojiShown.most

function pushUnicode(state: StateInline, name: string, code: string): void {
  renderingOf(state.env).emojiShown++
  const spoken = name.replaceAll('_', ' ')
  state.push('emoji_open', 'span', 1).attrs = [
    ['aria-label', spoken],
    ['class', `emoji emoji-${code}`],
    ['role', 'img'],
    ['title', spoken],
  ]
  state.push('text', '', 0).content = `:${name}:`
  state.push('emoji_close', 'span', -1)
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
