import type { StateCore, Token } from 'markdown-it'
import type { Effort } from './effort.js'
import { completeUrl, mayLinkTo } from './links.js'
import type { Found, Names } from './names.js'
import { type Rendering, renderingOf } from './rendering.js'

/** Core rule: turns what the organization's linkifiers find in plain text into links, except inside other links. */
export function applyLinkifiers(state: StateCore): void {
  const rendering = renderingOf(state.env)
  if (rendering.names.linkifiers.length === 0) return
  for (const block of state.tokens) {
    if (block.children) block.children = linkChildren(state, block.children, rendering)
  }
}

function linkChildren(state: StateCore, children: readonly Token[], rendering: Rendering): Token[] {
  // Emoji, mentions and formulas are spans whose text is theirs too.
  let inside = 0
  return children.flatMap(token => {
    if (/^(?:link|channel_link|mention|emoji|time|maths)_/.test(token.type)) inside += token.nesting
    return inside === 0 && token.type === 'text' ? splitText(state, token, rendering) : [token]
  })
}

function splitText(state: StateCore, token: Token, { names, effort }: Rendering): Token[] {
  const parts: Token[] = []
  const add = (type: string, tag: string, nesting: -1 | 0 | 1, content = ''): Token => {
    const part = new state.Token(type, tag, nesting)
    part.content = content
    part.level = token.level
    parts.push(part)
    return part
  }
  let done = 0
  for (const { start, end, url } of findLinks(token.content, names, effort)) {
    if (start > done) add('text', '', 0, token.content.slice(done, start))
    add('link_open', 'a', 1).attrs = [['href', state.md.normalizeLink(url)]]
    add('text', '', 0, token.content.slice(start, end))
    add('link_close', 'a', -1)
    done = end
  }
  if (done === 0) return [token]
  if (done < token.content.length) add('text', '', 0, token.content.slice(done))
  return parts
}

/** What all linkifiers find in a text, in its order and without overlaps. */
export function findLinks(text: string, { linkifiers }: Pick<Names, 'linkifiers'>, effort: Effort): Found[] {
  const taken: Found[] = []
  for (const linkifier of linkifiers) {
    for (const found of linkifier.find(text, effort)) {
      const free = taken.every(other => found.end <= other.start || found.start >= other.end)
      if (found.end > found.start && free && mayLinkTo(found.url)) {
        taken.push({ ...found, url: completeUrl(found.url) })
      }
    }
  }
  return taken.sort((a, b) => a.start - b.start)
}
