import fc from 'fast-check'
import t from 'tap'
import { budgets } from '../../server/config/budgets.js'
import { codeLanguage, languageWords } from '../../server/text/rules/code-languages.js'
import { tokenClasses } from '../../server/text/rules/highlight.js'
import { renderAll } from './render-all.js'
import { someNames } from './some-names.js'

const html = (text: string) => renderAll(text, someNames).html
const fenced = (word: string, code: string) => html(`\`\`\`${word}\n${code}\n\`\`\``)
const block = (code: string, language = '') =>
  `<div class="codehilite"${language && ` data-code-language="${language}"`}><pre><span></span><code>${code}</code></pre></div>`

// The classes that the mobile client knows; it shows a block with any other class as an error.
const known = new Set(
  (
    'w err esc x k kc kd kn kr kp kt s s1 s2 se sh nf fm nc ne nn nb bp no nd ni nl nt na nv vc vg vi vm py nx n sa dl sb sc ' +
    'sd si sr ss sx m mi il mf mh mo mb o ow p pm c c1 cm ch cp cpf cs l ld g gd gi gh gu ge gs ges go gp gr gt'
  ).split(' '),
)

/** The reason why a code block is not one that clients can show. */
function badBlock(text: string): string | undefined {
  const code =
    /^<div class="codehilite"(?: data-code-language="[^"]*")?><pre><span><\/span><code>([\s\S]*)\n<\/code><\/pre><\/div>$/.exec(
      text,
    )?.[1]
  if (code === undefined) return `shape: ${text.slice(0, 100)}`
  const rest = code.replace(/<span class="([a-z0-9]+)">([^<]+)<\/span>/g, (_, name, inner) =>
    known.has(name) && !inner.includes('\n') ? inner : '<',
  )
  return /[<>]/.test(rest) ? `span: ${rest.slice(0, 100)}` : undefined
}

/** What a reader sees of a block. */
const textOf = (out: string): string =>
  out
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

t.test('code without a language is shown as it is, without blank lines around it', async t => {
  t.equal(fenced('', 'ls -l <dir>\n\n  done'), block('ls -l &lt;dir&gt;\n\n  done\n'))
  t.equal(html('before\n~~~\nrun `me`\n~~~\nafter'), `<p>before</p>\n${block('run `me`\n')}\n<p>after</p>`)
  t.equal(html('```\nnever closed'), block('never closed\n'))
  t.equal(fenced('', '\n\n x  \n\n'), block(' x\n'))
  t.equal(fenced('', '\n  \n'), block('\n'))
  t.equal(html('a\n```js\n```\nb'), '<p>a</p>\n<p>b</p>')
  t.equal(html('note\n\n    x = 1\n    y = 2'), `<p>note</p>\n${block('x = 1\ny = 2\n')}`)
})

t.test('code of a known language has classes for its words', async t => {
  const select =
    '<span class="k">SELECT</span><span class="w"> </span><span class="mi">1</span><span class="p">;</span>\n'
  t.equal(fenced('sql', 'SELECT 1;'), block(select, 'SQL'))
  t.match(fenced('py', 'def f():\n    return "a\\n"  # x'), '<span class="k">def</span>')
  t.match(fenced('js', '/* a\nb */'), '<span class="cm">/* a</span>\n<span class="c1">b */</span>')
  t.match(fenced('js', '[0x1f, 1.5, 0b1, 0o7, 1e3]'), /"mh">0x1f.*"mf">1\.5.*"mb">0b1.*"mo">0o7/)
  t.match(fenced('http', 'GET / HTTP/1.1'), '<span class')
  t.match(fenced('html', '<b class="x">y</b>'), '&lt;')
})

t.test('the language is called as clients expect it, and an unknown one as it was typed', async t => {
  for (const [word, name] of [
    ['c++', 'C++'],
    ['C#', 'C#'],
    ['py3', 'Python'],
    ['tex', 'TeX'],
    ['text', 'Text only'],
    ['psql', 'PostgreSQL console (psql)'],
    ['whatlang', 'whatlang'],
    ['WhatLang', 'whatlang'],
    ['txt', 'txt'],
    ['constructor', 'constructor'],
  ] as const) {
    t.match(fenced(word, 'foo'), `data-code-language="${name}"`, word)
  }
  t.equal(fenced('whatlang', 'foo'), block('foo\n', 'whatlang'))
})

t.test("the organization's language is that of fences that name none", async t => {
  const names = { ...someNames, codeLanguage: 'sql' }
  const inSql = (text: string) => renderAll(text, names).html
  t.match(inSql('```\nselect\n```'), 'data-code-language="SQL"')
  t.match(inSql('```quote\n~~~\nselect\n~~~\n```'), 'data-code-language="SQL"')
  t.match(inSql('```js\nselect\n```'), 'data-code-language="JavaScript"')
  t.equal(inSql('    select'), block('select\n'), 'indented code has no language')
})

const sample = `>>> x\n+ 1\n# a "b" 'c' \`d\` // e\nclass A(x): <b c="d">&amp;</b> { return -1.5e3 + 0x1f; } /* f\ng */ @h $i :j #k [l](m) **n** %o\n`

t.test('code in every language has the shape and the classes that clients know', async t => {
  for (const word of languageWords) {
    const out = fenced(word, sample)
    t.equal(badBlock(out), undefined, word)
    t.equal(textOf(out), sample, word)
    // A line that begins a request has to be the first one.
    if (word !== 'http' && codeLanguage(word).grammar) t.match(out, '<span class', word)
  }
  for (const name of tokenClasses) t.ok(known.has(name), name)
})

t.test('whatever code is typed stays the same text', async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...'if class def " \' ` { } ( ) < > & &lt; </code> <span> // /* */ # -- 1 0x \n ${ @ \\ = é 漢 😀'.split(' '),
      '\n',
    ),
    fc.string({ unit: 'binary', maxLength: 3 }),
  )
  fc.assert(
    fc.property(fc.constantFrom(...languageWords), fc.array(piece, { maxLength: 20 }), (word, pieces) => {
      const out = fenced(word, `x\n${pieces.join(' ').replace(/```/g, '')}`)
      const bad = badBlock(out)
      if (bad) throw new Error(`${word}: ${bad}`)
    }),
    { numRuns: 1000 },
  )
})

t.test('a fence of 10,000 characters of one token is bounded in size, in every language', async t => {
  const most = budgets.slowPartBytes.most + budgets.renderedBytes.most
  for (const token of ['1 ', '"', 'a', '(', '\\', '&', '<a ']) {
    const code = token.repeat(Math.floor(9_950 / token.length))
    for (const word of ['sql', 'bash', 'haskell', 'js', 'html', 'md', 'cs']) {
      const out = fenced(word, code)
      t.ok(Buffer.byteLength(out) <= most, word)
      t.equal(textOf(out).trimEnd(), code.trim() === '' ? '' : code.trimEnd(), `${word} ${JSON.stringify(token)}`)
    }
  }
})
