import type { StateCore, Token } from 'markdown-it'

/** An element of the HTML that no text of the author makes. */
export interface Element {
  readonly tag: 'a' | 'div' | 'img' | 'video'
  /** In the order of the alphabet; those without a value are left out. */
  readonly attributes: Readonly<Record<string, string | undefined>>
  /** Elements and texts; undefined: a void element. */
  readonly children?: readonly (Element | string)[]
}

/** The element as tokens of the parser, without white space in it or around it. */
export function tokensOf(state: StateCore, { tag, attributes, children }: Element): Token[] {
  const open = new state.Token('element', tag, children ? 1 : 0)
  open.attrs = Object.entries(attributes).filter((pair): pair is [string, string] => pair[1] !== undefined)
  if (!children) return [open]
  const inner = children.flatMap(child => (typeof child === 'string' ? textOf(state, child) : tokensOf(state, child)))
  return [open, ...inner, new state.Token('element', tag, -1)]
}

function textOf(state: StateCore, content: string): Token {
  const token = new state.Token('text', '', 0)
  token.content = content
  return token
}
