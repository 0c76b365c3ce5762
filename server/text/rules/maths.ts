import type { RendererRule, StateInline } from 'markdown-it'
import { escapeText } from '../escape.js'
import { placePart } from '../slow-parts.js'
import { type Rendering, renderingOf } from './rendering.js'

const formula = /(?<![\w$])\$\$([^\n$_](?:\\\$|[^$\n])*)\$\$(?![\w$])/y

/** Inline rule: `$$formula$$`. */
export function inlineMaths(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith('$$', state.pos)) return false
  formula.lastIndex = state.pos
  const [source, body = ''] = formula.exec(state.src) ?? []
  if (source === undefined || state.pos + source.length > state.posMax) return false
  if (!silent) state.push('maths', '', 0).content = body
  state.pos += source.length
  return true
}

/** Renderer rule of a formula in a line of text. */
export const inlineFormula: RendererRule = (tokens, index, _options, env = {}) => {
  const source = tokens[index]?.content ?? ''
  return placePart(renderingOf(env).parts, { kind: 'formula', source, isDisplay: false }, asError(`$$${source}$$`))
}

/** The formulas of a block, which blank lines separate, in one paragraph. */
export function displayMaths(rendering: Rendering, source: string): string {
  if (source === '') return ''
  const formulas = source
    .split(/\n{2,}/)
    .map(one => placePart(rendering.parts, { kind: 'formula', source: one, isDisplay: true }, asError(one)))
  return `<p>${formulas.join('\n\n')}</p>\n`
}

const asError = (source: string): string => `<span class="tex-error">${escapeText(source)}</span>`
