import type { RendererRule, StateInline } from 'markdown-it'
import { escapeText } from '../escape.js'

/** Inline rule: text between two runs of equally many backticks, exactly as typed. */
export function inlineCode(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state
  if (src.charCodeAt(pos) !== 0x60) return false
  const span = src.charAt(pos - 1) === '\\' ? undefined : codeSpanAt(src, pos, posMax)
  const end = span?.end ?? endOfRun(src, pos, posMax)
  if (!silent) {
    if (span) state.push('code_inline', 'code', 0).content = span.code
    else state.pending += src.slice(pos, end)
  }
  state.pos = end
  return true
}

/** Renderer rule of inline code. */
export const inlineCodeHtml: RendererRule = (tokens, index) =>
  `<code>${escapeText(tokens[index]?.content ?? '')}</code>`

/** The inline code that begins at the backtick at `start`; undefined: no run of the same length closes it. */
export function codeSpanAt(text: string, start: number, max: number): { code: string; end: number } | undefined {
  const open = endOfRun(text, start, max)
  for (let at = text.indexOf('`', open); at !== -1 && at < max; at = text.indexOf('`', at)) {
    const end = endOfRun(text, at, max)
    if (end - at === open - start) return { code: text.slice(open, at), end }
    at = end
  }
  return undefined
}

function endOfRun(text: string, start: number, max: number): number {
  let end = start
  while (end < max && text.charCodeAt(end) === 0x60) end++
  return end
}
