import type { StateInline } from 'markdown-it'
import { nextAddress } from './rules/links.js'

// All characters at which an inline rule may begin. `_`, `\` and `!` are not special: snake_case, Windows paths and
// ¯\_(ツ)_/¯ stay as typed.
const special = /[\n#$&*:<@[\]`~\u00a9\u00ae\u203c-\u3299\ud83c-\ud83e]|[0-9]\ufe0f?\u20e3/g

/** Inline rule: consumes plain text up to the next special character. */
export function plainText(state: StateInline, silent: boolean): boolean {
  special.lastIndex = state.pos
  const next = special.exec(state.src)
  const end = Math.min(next?.index ?? state.posMax, nextAddress(state)?.start ?? state.posMax, state.posMax)
  if (end === state.pos) return false
  if (!silent) state.pending += state.src.slice(state.pos, end)
  state.pos = end
  return true
}

const mayMeanSomething =
  /[$&*<>@[`~\p{Cc}\u00a9\u00ae\u203c-\u3299\u{1f000}-\u{1faff}]|\u20e3|:[^\s:]+:|[^\s.:][.:][^\s.)]|^(?:[\s#=+-]|\d+\.)|\s$|^$/u

/** Whether text is one paragraph without markup, which needs no parser. */
export function isPlain(text: string): boolean {
  return !mayMeanSomething.test(text)
}
