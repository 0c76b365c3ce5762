import type { StateInline } from 'markdown-it'

// All characters at which an inline rule may begin. `_`, `\` and `!` are not special: snake_case, Windows paths and
// ¯\_(ツ)_/¯ stay as typed, and images from other hosts are not supported.
const special = /[\n#$&*:<@[\]`~\u00a9\u00ae\u203c-\u3299\ud83c-\ud83e]|https?:\/\/|[0-9]\ufe0f?\u20e3/gi

/** Inline rule: consumes plain text up to the next special character. */
export function plainText(state: StateInline, silent: boolean): boolean {
  special.lastIndex = state.pos
  const next = special.exec(state.src)
  const end = next && next.index < state.posMax ? next.index : state.posMax
  if (end === state.pos) return false
  if (!silent) state.pending += state.src.slice(state.pos, end)
  state.pos = end
  return true
}

const mayMeanSomething =
  /[$&*<>"@[`~\n\r\t\0\u00a9\u00ae\u203c-\u3299\ud83c-\ud83e]|\u20e3|:[^\s:]+:|https?:|^(?:[\s#=+-]|\d+[.)])|\s$|^$/i

/** Whether text is one paragraph without markup, which needs no parser. */
export function isPlain(text: string): boolean {
  return !mayMeanSomething.test(text)
}
