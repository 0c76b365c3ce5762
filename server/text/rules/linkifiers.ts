import type { StateCore, Token } from 'markdown-it'
import type { LinkifierBudget } from '../linkifier-budget.js'
import type { Found, Names } from '../names.js'
import { hrefOf } from './links.js'
import { type Rendering, renderingOf } from './rendering.js'

/** Core rule: turns matches of the organization's linkifiers in plain text into links, except inside other links. */
export function applyLinkifiers(state: StateCore): void {
  const rendering = renderingOf(state.env)
  if (rendering.names.linkifiers.length === 0) return
  for (const block of state.tokens) {
    if (block.children) block.children = linkChildren(state, block.children, rendering)
  }
}

function linkChildren(state: StateCore, children: readonly Token[], rendering: Rendering): Token[] {
  // The text inside emoji, mentions and formulas belongs to their spans.
  let inside = 0
  return children.flatMap((token, index) => {
    if (/^(?:link|channel_link|mention|emoji|time|maths)_/.test(token.type)) inside += token.nesting
    if (inside > 0 || token.type !== 'text') return [token]
    const before = children[index - 1]
    return splitText(state, token, rendering, before === undefined || before.type === 'hardbreak')
  })
}

function splitText(state: StateCore, token: Token, { names, budget, plain }: Rendering, startsLine: boolean): Token[] {
  const parts: Token[] = []
  const add = (type: string, tag: string, nesting: -1 | 0 | 1, content = ''): Token => {
    const part = new state.Token(type, tag, nesting)
    part.content = content
    part.level = token.level
    parts.push(part)
    return part
  }
  // Directly behind a mark of emphasis no linkifier matches.
  const before = startsLine ? '' : '*'
  const text = before + token.content
  let done = before.length
  const links = plain?.text === text ? plain.links : findLinks(text, names, budget)
  for (const { start, end, url } of links) {
    if (start > done) add('text', '', 0, text.slice(done, start))
    add('link_open', 'a', 1).attrs = [['href', url]]
    add('text', '', 0, text.slice(start, end))
    add('link_close', 'a', -1)
    done = end
  }
  if (links.length === 0) return [token]
  if (done < text.length) add('text', '', 0, text.slice(done))
  return parts
}

/** The matches of all linkifiers in a text, in the order of the text and without overlaps. */
export function findLinks(
  text: string,
  { linkifiers, origin }: Pick<Names, 'linkifiers' | 'origin'>,
  budget: LinkifierBudget,
): Found[] {
  let links: Found[] = []
  for (const linkifier of linkifiers) {
    const found: Found[] = []
    for (const { start, end, url } of linkifier.find(text, budget)) {
      const href = hrefOf(url, origin)
      if (end > start && href !== undefined) found.push({ start, end, url: href })
    }
    if (found.length > 0) links = addBetween(links, found)
  }
  return links
}

/** Merges both lists in the order of the text and drops matches in `found` that overlap one in `taken`. */
export function addBetween(taken: readonly Found[], found: readonly Found[]): Found[] {
  const merged: Found[] = []
  let next = 0
  for (const one of found) {
    for (let other = taken[next]; other && other.end <= one.start; other = taken[++next]) merged.push(other)
    const other = taken[next]
    if (!other || one.end <= other.start) merged.push(one)
  }
  return merged.concat(taken.slice(next))
}
