import { escapeText } from '../escape.js'
import { grammars } from './code-languages.js'

// Clients show a code block as an error where a class is none of those they know: scopes that are not here stay bare.
const tokenOfScope: Readonly<Record<string, string>> = {
  keyword: 'k',
  literal: 'kc',
  built_in: 'nb',
  builtin: 'nb',
  type: 'kt',
  'title.function': 'nf',
  'title.class': 'nc',
  title: 'nf',
  class: 'nc',
  string: 's2',
  'char.escape': 'se',
  subst: 'si',
  regexp: 'sr',
  symbol: 'ss',
  bullet: 'ss',
  number: 'm',
  operator: 'o',
  punctuation: 'p',
  comment: 'c1',
  quote: 'c1',
  doctag: 'sd',
  meta: 'cp',
  'meta.prompt': 'gp',
  attr: 'na',
  attribute: 'na',
  name: 'nt',
  tag: 'nt',
  'selector-tag': 'nt',
  'selector-id': 'nc',
  'selector-class': 'nc',
  'selector-attr': 'na',
  'selector-pseudo': 'nd',
  variable: 'nv',
  'template-variable': 'nv',
  'variable.language': 'bp',
  'variable.constant': 'no',
  params: 'n',
  property: 'n',
  addition: 'gi',
  deletion: 'gd',
  section: 'gh',
  emphasis: 'ge',
  strong: 'gs',
}

/** What is used of highlight.js. */
interface Highlighter {
  registerLanguage(name: string, grammar: unknown): void
  highlight(code: string, options: { language: string; ignoreIllegals?: boolean }): { value: string }
}

// The types of the package would declare the global names of browsers for the whole server, so they are not imported.
const load = async (file: string): Promise<unknown> => (await import(`highlight.js/lib/${file}`)).default
const hljs = (await load('core')) as Highlighter

/** Every class that highlighted code has. */
export const tokenClasses: ReadonlySet<string> = new Set([
  ...Object.values(tokenOfScope),
  ...['cm', 'mb', 'mf', 'mh', 'mi', 'mo', 'w'],
])

/** Reads the grammars. All of them at once: some include others, and the result must not depend on what was shown before. */
export async function loadGrammars(): Promise<void> {
  const loaded = await Promise.all(grammars.map(name => load(`languages/${name}`)))
  for (const [index, name] of grammars.entries()) hljs.registerLanguage(name, loaded[index])
}

/** Compiles a grammar before its first use, because that takes longer than most texts. */
export function compileGrammar(name: string): void {
  hljs.highlight('', { language: name })
}

/** Code as HTML: text and spans, none inside another, each with one of `tokenClasses` and on one line. */
export function highlight(code: string, grammar: string): string {
  const nested = hljs.highlight(code, { language: grammar, ignoreIllegals: true }).value
  const open: string[] = []
  let html = ''
  for (const [piece, names] of nested.matchAll(/<span class="([^"]*)">|<\/span>|[^<]+/g)) {
    if (names !== undefined) open.push(tokenOf(names) ?? open.at(-1) ?? '')
    else if (piece === '</span>') open.pop()
    else html += flat(plainOf(piece), open.at(-1) ?? '')
  }
  return html
}

/** The token for the class attribute of highlight.js, `hljs-title function_`: the scope `title.function`. */
function tokenOf(names: string): string | undefined {
  const scope = names
    .replace(/^hljs-/, '')
    .split(' ')
    .map(name => name.replace(/_+$/, ''))
  return tokenOfScope[scope.slice(0, 2).join('.')] ?? tokenOfScope[scope[0] ?? '']
}

function flat(text: string, token: string): string {
  if (token === '') return /\w/.test(text) ? escapeText(text) : text.replace(/[^\S\n]+|[^\s]+/g, bare)
  return text.replace(/[^\n]+/g, line => span(finer(line, token), line))
}

// Text between two tokens that has no meaning of its own, but for white space and marks.
function bare(text: string): string {
  if (/^\s/.test(text)) return span('w', text)
  return /^[()[\]{};:,.]+$/.test(text) ? span('p', text) : escapeText(text)
}

/** The more exact token for a number or a comment. */
function finer(text: string, token: string): string {
  if (token === 'c1') return /^\s*(?:\/\*|\*|<!--|\(\*)/.test(text) ? 'cm' : token
  if (token !== 'm') return token
  if (/^[\d_]+$/.test(text)) return 'mi'
  const [, prefix = ''] = /^0([xbo])/i.exec(text) ?? []
  if (prefix !== '') return { x: 'mh', b: 'mb', o: 'mo' }[prefix.toLowerCase()] ?? token
  return /^[\d_]*\.[\d_]*(?:e[+-]?\d+)?$/i.test(text) ? 'mf' : token
}

const span = (token: string, text: string): string => `<span class="${token}">${escapeText(text)}</span>`

const characters: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
  '&amp;': '&',
}

const plainOf = (html: string): string =>
  html.replace(/&(?:lt|gt|quot|#x27|amp);/g, reference => characters[reference] ?? reference)
