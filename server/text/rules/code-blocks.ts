import type { RendererRule } from 'markdown-it'
import { escapeText } from '../escape.js'
import { placePart } from '../slow-parts.js'
import { codeLanguage } from './code-languages.js'
import { displayMaths } from './maths.js'
import { type Rendering, renderingOf } from './rendering.js'

/** Renderer rule: a code block or, with the info word `math`, formulas. */
// The rest, because the library passes five arguments.
export const codeBlock: RendererRule = (tokens, index, ...[, env = {}, renderer]) => {
  const { type = '', info = '', content = '' } = tokens[index] ?? {}
  const rendering = renderingOf(env)
  const source = withoutBlankEnds(content)
  if (info.toLowerCase() === 'math') return displayMaths(rendering, source)
  if (content === '') return ''
  // Indented code has no language, also where the organization has a default.
  const word = type === 'fence' ? info || rendering.names.codeLanguage : ''
  if (word === '') return codeHtml('', `${escapeText(source)}\n`)
  const { name, grammar } = codeLanguage(word)
  const attrs = renderer.renderAttrs({ attrs: [['data-code-language', name]] })
  return codeHtml(attrs, `${highlighted(rendering, source, grammar, escapeText(source))}\n`)
}

function highlighted(rendering: Rendering, source: string, grammar: string | undefined, plain: string): string {
  return grammar === undefined || source === ''
    ? plain
    : placePart(rendering.parts, { kind: 'code', source, grammar }, plain)
}

const codeHtml = (attrs: string, code: string): string =>
  `<div class="codehilite"${attrs}><pre><span></span><code>${code}</code></pre></div>\n`

/** The text without blank lines at its ends and without spaces at the ends of its lines. */
function withoutBlankEnds(text: string): string {
  const lines = text.split('\n').map(line => line.trimEnd())
  const first = lines.findIndex(line => line !== '')
  return first === -1 ? '' : lines.slice(first, lines.findLastIndex(line => line !== '') + 1).join('\n')
}
