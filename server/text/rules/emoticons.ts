import type { StateCore, Token } from 'markdown-it'
import { emojiByName } from '../emoji.js'
import { canShowEmoji, unicodeEmoji } from './emoji-syntax.js'
import { renderingOf } from './rendering.js'

const names: Readonly<Record<string, string>> = {
  ':)': 'smile',
  '(:': 'smile',
  ':(': 'frown',
  '<3': 'heart',
  ':|': 'neutral',
  ':/': 'confused',
  ';)': 'wink',
  ':D': 'grinning',
  ':o': 'open_mouth',
  ':O': 'open_mouth',
  ':p': 'stuck_out_tongue',
  ':P': 'stuck_out_tongue',
}
const emoticon = /(?<![^\s,.;?!()[\]"'])(?::[)(|/DoOpP]|\(:|<3|;\))(?![^\s,.;?!()[\]"'])/g

/** Whether a text without markup has emoticons. */
export function hasEmoticons(text: string): boolean {
  return text.search(emoticon) !== -1
}

/** Core rule: emoticons become emoji, if the sender has chosen so, except in links. */
export function translateEmoticons(state: StateCore): void {
  if (!renderingOf(state.env).names.translatesEmoticons) return
  for (const block of state.tokens) {
    if (block.children) block.children = translateChildren(state, block.children)
  }
}

function translateChildren(state: StateCore, children: readonly Token[]): Token[] {
  // The text inside links, emoji, mentions and times belongs to their elements.
  let inside = 0
  return children.flatMap((token, index) => {
    if (/^(?:link|channel_link|mention|emoji|time)_/.test(token.type)) inside += token.nesting
    if (inside !== 0 || token.type !== 'text') return [token]
    const sides = [children[index - 1], children[index + 1]]
    return splitText(state, token, isEdge(sides[0], 'open'), isEdge(sides[1], 'close'))
  })
}

/** Whether a text begins or ends at this neighbour; next to an emoji or a link it goes on. */
function isEdge(neighbour: Token | undefined, side: 'open' | 'close'): boolean {
  return !neighbour || /^(?:soft|hard)break$/.test(neighbour.type) || neighbour.type.endsWith(`_${side}`)
}

function splitText(state: StateCore, token: Token, begins: boolean, ends: boolean): Token[] {
  const parts: Token[] = []
  const text = token.content
  const addText = (from: number, to: number) => {
    if (from >= to) return
    const part = new state.Token('text', '', 0)
    part.content = text.slice(from, to)
    parts.push(part)
  }
  let done = 0
  for (const { 0: source, index } of text.matchAll(emoticon)) {
    const end = index + source.length
    const code = emojiByName(names[source] ?? '')?.emoji_code
    const standsFree = (index > 0 || begins) && (end < text.length || ends)
    if (code === undefined || !standsFree || !canShowEmoji(state.env)) continue
    addText(done, index)
    parts.push(...unicodeEmoji(state, names[source] ?? '', code))
    done = end
  }
  if (done === 0) return [token]
  addText(done, text.length)
  return parts
}
