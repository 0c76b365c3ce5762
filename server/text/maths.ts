import type { StateInline } from 'markdown-it'

const formula = /\$\$([^\n$_](?:\\\$|[^$\n])*)\$\$(?!\$)/y

/**
 * Inline rule: `$$formula$$`. The formula stays text and clients typeset it: HTML from a typesetter could not be
 * checked by keepTokensSafe.
 */
export function inlineMaths(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith('$$', state.pos)) return false
  formula.lastIndex = state.pos
  const [source, body = ''] = formula.exec(state.src) ?? []
  if (source === undefined || state.pos + source.length > state.posMax) return false
  if (!silent) {
    state.push('maths_open', 'span', 1).attrs = [['class', 'katex-text']]
    state.push('text', '', 0).content = body
    state.push('maths_close', 'span', -1)
  }
  state.pos += source.length
  return true
}
