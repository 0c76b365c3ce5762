import type { StateInline } from 'markdown-it'

// Everything at which one of the inline rules may begin. `_`, `\` and `!` are missing on purpose: snake_case, Windows
// paths and ¯\_(ツ)_/¯ stay as they were typed, and pictures are never fetched from elsewhere.
const special = /[\n#$&*:<@[\]`~\u00a9\u00ae\u203c-\u3299\ud83c-\ud83e]|https?:\/\/|[0-9]\ufe0f?\u20e3/gi

/** Inline rule: takes plain text up to the next character that may mean something. */
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
  /[$&*<>"@[`~\n\r\t\0\u00a9\u00ae\u203c-\u3299\ud83c-\ud83e]|\u20e3|:[\w+-]+:|https?:|^(?:[\s#=+-]|\d+[.)])|\s$|^$/i

/** Whether text is one paragraph that renders as itself, so that the parser need not look at it. */
export function isPlain(text: string): boolean {
  return !mayMeanSomething.test(text)
}
