import fc from 'fast-check'
import t from 'tap'
import { budgets } from '../../server/config/budgets.js'
import { renderAtOnce } from '../../server/text/markdown.js'
import { SlowPartsRenderer } from '../../server/text/render-slow-parts.js'
import { strangeMarkup } from './formula-markup.js'
import { renderAll } from './render-all.js'
import { someNames } from './some-names.js'

const slowParts = new SlowPartsRenderer()

const html = (text: string) => renderAll(text, someNames).html
const error = (text: string) => `<span class="tex-error">${text}</span>`

// KaTeX warns of characters that its fonts lack.
t.capture(console, 'warn', () => {})

t.test('a formula in a line is typeset for eyes, screen readers and clients that show its source', async t => {
  t.equal(
    html('so $$m$$ it is'),
    '<p>so <span class="katex"><span class="katex-mathml"><math xmlns="http://www.w3.org/1998/Math/MathML"><semantics>' +
      '<mrow><mi>m</mi></mrow><annotation encoding="application/x-tex">m</annotation></semantics></math></span>' +
      '<span class="katex-html" aria-hidden="true"><span class="base">' +
      '<span class="strut" style="height:0.4306em;"></span><span class="mord mathnormal">m</span></span></span></span> it is</p>',
  )
})

t.test('a block of formulas is one paragraph, with a formula for each part between blank lines', async t => {
  t.equal(
    html('```math\nk\n```'),
    '<p><span class="katex-display"><span class="katex"><span class="katex-mathml">' +
      '<math xmlns="http://www.w3.org/1998/Math/MathML" display="block"><semantics><mrow><mi>k</mi></mrow>' +
      '<annotation encoding="application/x-tex">k</annotation></semantics></math></span>' +
      '<span class="katex-html" aria-hidden="true"><span class="base"><span class="strut" style="height:0.6944em;"></span>' +
      '<span class="mord mathnormal" style="margin-right:0.0315em;">k</span></span></span></span></span></p>',
  )
  const two = html('```math\na\n\n\nb\n+c\n```')
  t.match(two, /^<p><span class="katex-display">.*<\/span>\n\n<span class="katex-display">.*<\/span><\/p>$/s)
  t.match(two, '<annotation encoding="application/x-tex">b\n+c</annotation>')
  t.equal(html('```math\n\n```'), '')
  t.match(
    html('```quote\n```math\nk\n```\n```'),
    /^<blockquote>\n<p><span class="katex-display">.*<\/p>\n<\/blockquote>$/,
  )
})

t.test('what is no formula is shown as typed, marked as an error', async t => {
  t.equal(html('$$\\frac{1$$ and ok'), `<p>${error('$$\\frac{1$$')} and ok</p>`)
  t.equal(html('```math\n\\oops{\n```'), `<p>${error('\\oops{')}</p>`)
  t.match(html('```math\n<b>\\x\n\nk\n```'), `<p>${error('&lt;b&gt;\\x')}\n\n<span class="katex-display">`)
  t.equal(renderAtOnce('$$x<y$$', someNames).html, `<p>${error('$$x&lt;y$$')}</p>`)
})

t.test('dollars that enclose nothing are text', async t => {
  for (const text of ['$5 and $6', '$$', '$$$$', '$$a', '$$a$', '$$a\nb$$', '$$_x$$']) {
    t.notMatch(html(text), /katex|tex-error/, text)
  }
})

t.test('a formula cannot link, load, style or run', async t => {
  for (const command of [
    '\\href{javascript:alert(1)}{x}',
    '\\url{https://x.example}',
    '\\includegraphics{https://x.example/a.png}',
    '\\htmlClass{composer}{x}',
    '\\htmlId{app}{x}',
    '\\htmlStyle{position:fixed}{x}',
    '\\htmlData{user-id=1}{x}',
    '\\text{<img src=x onerror=alert(1)>}',
    '\\color{red;position:fixed}x',
    '\\unicode{x3c}script',
  ]) {
    const out = html(`$$${command}$$`)
    t.equal(strangeMarkup(out), undefined, command)
    t.notMatch(out, /<[^>]*(?:composer|"app"|fixed|javascript)/, command)
  }
})

t.test('a formula that would grow without end is shown as typed', async t => {
  const hostile = {
    'that defines itself': '\\def\\x{\\x\\x}\\x',
    'of many long definitions': `\\def\\a{${'x'.repeat(2500)}}${'\\a'.repeat(400)}`,
    'that doubles': `\\def\\a{xx}${'\\edef\\a{\\a\\a}'.repeat(40)}\\a`,
    'nested too deep': `${'{'.repeat(1990)}x${'}'.repeat(1990)}`,
    'of many square roots': `${'\\sqrt{'.repeat(400)}x${'}'.repeat(400)}`.repeat(5),
  }
  for (const [what, source] of Object.entries(hostile))
    t.equal(html(`$$${source}$$`), `<p>${error(`$$${source}$$`)}</p>`, what)
})

t.test('a size has a bound', async t => {
  t.match(html('$$\\rule{9999em}{9999em}$$'), /width:50em/)
  t.notMatch(
    html('$$\\rule{9999em}{9999em}\\hspace{9999em}\\kern{9999em}$$').replace(/<annotation.*?<\/annotation>/, ''),
    '9999',
  )
})

t.test('formulas beyond the budget are shown as typed', async t => {
  const many = html('$$x$$ '.repeat(1600))
  t.match(many, /class="katex".*class="tex-error"/)
  t.ok(Buffer.byteLength(many) <= budgets.slowPartBytes.most + budgets.renderedBytes.most)
  const long = `$$${'x'.repeat(budgets.formulaCharacters.most + 1)}$$`
  t.equal(html(`${long} $$y$$`).split('tex-error').length, 2, 'the second one fits')
})

const words = (
  '\\frac \\sqrt \\hat \\left( \\right) \\begin{matrix} \\end{matrix} \\text \\color \\def \\href \\htmlClass \\rule ' +
  '\\underbrace \\overline \\cancel \\tag \\href \\verb|x| \\includegraphics \\not \\mathbb \\char \\& & { } ^ _ \\\\ ~ # % < > " \' | ' +
  'a 1 + = é 漢 😀 em red javascript: https://x.example'
).split(' ')
const tex = fc
  .array(fc.oneof(fc.constantFrom(...words), fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 15 })
  .map(parts => parts.join(' ').replaceAll('$', '').replaceAll('\n', ' '))

t.test('whatever formula is typed has no markup that clients do not know', async () => {
  fc.assert(
    fc.property(tex, source => {
      const formulas = [false, true].map(isDisplay => ({ kind: 'formula' as const, source, isDisplay }))
      for (const html of slowParts.render(formulas)) {
        const strange = strangeMarkup(html ?? '')
        if (strange) throw new Error(strange)
      }
    }),
    { numRuns: 500 },
  )
})
