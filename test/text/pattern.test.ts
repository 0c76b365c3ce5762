import fc from 'fast-check'
import t from 'tap'
import { compileLinkifier } from '../../server/text/compile-linkifier.js'
import { LinkifierBudget } from '../../server/text/linkifier-budget.js'
import { renderAtOnce, topicLinks } from '../../server/text/markdown.js'
import { noNames } from '../../server/text/names.js'
import { Pattern, PatternError } from '../../server/text/pattern.js'
import { findLinks } from '../../server/text/rules/linkifiers.js'

const urls = (pattern: string, url_template: string, text: string) =>
  compileLinkifier({ pattern, url_template })
    .find(text, new LinkifierBudget())
    .map(found => `${text.slice(found.start, found.end)} ${found.url}`)

t.test('all that a pattern matches is found, with the values of its groups', async t => {
  t.same(urls('#(?P<id>[0-9]+)', 'https://x/{id}', '#1 see #2, (#3) "#4" #5#6 #7'), [
    '#1 https://x/1',
    '#2 https://x/2',
    '#3 https://x/3',
    '#4 https://x/4',
    '#5 https://x/5',
    '#7 https://x/7',
  ])
  t.same(urls('(?<org>[a-z]+)/(?<repo>[a-z]+)#(?<id>\\d+)', 'https://x/{org}/{repo}{?id}', 'a/b#7'), [
    'a/b#7 https://x/a/b?id=7',
  ])
  t.same(urls('#(?P<id>\\d+)(?:-(?P<part>\\d+))?', 'https://x/{id}{/part}', '#1 #2-3'), [
    '#1 https://x/1',
    '#2-3 https://x/2/3',
  ])
  t.same(urls('(?i)bug (?P<id>\\d+)', 'https://x/{id}', 'Bug 12'), ['Bug 12 https://x/12'])
  t.same(urls('😀(?P<id>.)', 'https://x/{id}', 'a 😀😀 b'), ['😀😀 https://x/%F0%9F%98%80'])
})

t.test('a match stands alone: after a space or an opening mark, before no letter or digit', async t => {
  for (const text of ['a#1', '_#1', '/#1', '#1a', '#1é', '#1٣', '##1', '1#1', '-#1', '@#1']) {
    t.same(urls('#(?P<id>[0-9])', 'https://x/{id}', text), [], text)
  }
  for (const text of ['#1', ' #1.', '\u00a0#1', '\u0085#1', "'#1'", '(#1)', ',#1,', ':#1:', '<#1>', '#1_', '#1/']) {
    t.same(urls('#(?P<id>[0-9])', 'https://x/{id}', text), ['#1 https://x/1'], text)
  }
})

t.test('a pattern that matches nothing at all, or the empty text, links nothing', async t => {
  t.same(urls('x*', 'https://x/', 'a b  c'), [])
  t.same(urls('x*', 'https://x/', 'a xx  x'), ['xx https://x/', 'x https://x/'])
  t.same(urls('^$', 'https://x/', ''), [])
})

t.test('what RE2 cannot do in time in proportion to the text is refused, and so is what is not its syntax', async t => {
  const wrong = [
    '(a',
    'a)',
    '[',
    '*',
    'a**',
    '\\1',
    '(?=a)',
    '(?!a)',
    '(?<=a)b',
    '(?<!a)b',
    '(?>a)',
    '(?P=a)',
    '(?R)',
    'a{1001}',
    '(a{100}){100}',
    '((a{10}){10}){11}',
    'a{500}b{501}',
    '(?P<a>x)(?P<a>y)',
    '(?P<a-b>x)',
    '(?P<a>x',
    '\\pQ',
    '\\C',
    '\\x{110000}',
    '\\Qa',
    'a)(b',
    '(?x)a#\n',
  ]
  for (const source of wrong) t.throws(() => new Pattern(source), { message: /regular expression/ }, source)
})

t.test('patterns that are catastrophic elsewhere are taken and cost no more than the bound', async t => {
  const evil: [string, string][] = [
    ['(a+)+', `${'a'.repeat(9_998)}!`],
    ['(a*)*b', 'a'.repeat(10_000)],
    ['(x+x+)+y', 'x'.repeat(10_000)],
    ['([a-zA-Z]+)*', `${'a'.repeat(9_999)}1`],
    ['(a|aa)+', 'a'.repeat(10_000)],
    ['(.*a){20}', 'a'.repeat(10_000)],
    ['(?P<x>a?){100}a{100}', 'a'.repeat(10_000)],
    // Finds each of 5,000 places only after it has read all of the rest.
    ['a[^b]*b|a', 'a '.repeat(5_000)],
  ]
  for (const [pattern, text] of evil) {
    const budget = new LinkifierBudget()
    compileLinkifier({ pattern, url_template: 'https://x/' }).find(text, budget)
    t.ok(budget.spent > 0 && budget.spent <= 20_000_000, `${pattern}: ${budget.spent} steps`)
  }
})

t.test('where the budget ends the rest stays text, and it is shared by all linkifiers of a message', async t => {
  const linkifier = compileLinkifier({ pattern: '#(?P<id>[0-9]+)', url_template: 'https://x/{id}' })
  const text = '#1 '.repeat(100)
  const all = new LinkifierBudget()
  t.equal(linkifier.find(text, all).length, 100)
  const half = new LinkifierBudget(all.spent / 2)
  const some = linkifier.find(text, half).length
  t.ok(some > 20 && some < 100, `${some} of 100`)
  t.same(linkifier.find(text, half), [], 'nothing is left for the next one')

  const evil = compileLinkifier({ pattern: 'a[^b]*b|a', url_template: 'https://x/' })
  const { html } = renderAtOnce(`${'a '.repeat(4_990)}\n#1`, { ...noNames, linkifiers: [evil, linkifier] })
  t.match(html, /<a href="https:\/\/x\/">a<\/a> a a/, 'a part of the line has links')
})

t.test('one message has at most as many links of linkifiers as its budget, whatever the lines', async t => {
  const linkifier = compileLinkifier({ pattern: '#(?P<id>[0-9])', url_template: 'https://x.org/{id}' })
  const links = (text: string) =>
    renderAtOnce(text, { ...noNames, linkifiers: [linkifier] }).html.split('<a href').length - 1
  t.equal(links('#1 #2\n'.repeat(250)), 500)
  t.equal(links('#1 #2\n'.repeat(1_400)), 500, 'the rest stays text')
})

t.test('a text without markup is looked through once', async t => {
  let calls = 0
  const find = () => {
    calls++
    return [{ start: 0, end: 1, url: 'https://x.org' }]
  }
  t.equal(renderAtOnce('ab', { ...noNames, linkifiers: [{ find }] }).html, '<p><a href="https://x.org">a</a>b</p>')
  t.equal(calls, 1)
})

/** How often the place of a match is read while the matches of three linkifiers, `count` of each, are put in order. */
function readsOf(count: number): number {
  let reads = 0
  const counting = (start: number) => ({
    get start() {
      reads++
      return start
    },
    get end() {
      reads++
      return start + 2
    },
    url: 'https://x.org',
  })
  const linkifiers = [0, 1, 4].map(offset => ({
    find: () => Array.from({ length: count }, (_, i) => counting(6 * i + offset)),
  }))
  const links = findLinks('', { linkifiers, origin: '' }, new LinkifierBudget())
  if (links.length !== 2 * count) throw new Error(`${links.length} links`)
  return reads
}

t.test('matches are put in order in time in proportion to their number', async t => {
  const growth = readsOf(4_000) / readsOf(500)
  t.ok(growth < 9, `eight times the matches are read ${growth} times as often`)
})

t.test('of matches that overlap the one of the earlier linkifier counts, in reading order', async t => {
  const at = (...places: [number, number][]) => ({
    find: () => places.map(([start, end]) => ({ start, end, url: 'https://x.org' })),
  })
  const linkifiers = [at([4, 6], [10, 12]), at([0, 2], [3, 5], [6, 8], [9, 13]), at([1, 3], [2, 4], [8, 10], [12, 14])]
  const found = findLinks('', { linkifiers, origin: '' }, new LinkifierBudget())
  t.same(
    found.map(({ start, end }) => [start, end]),
    [
      [0, 2],
      [2, 4],
      [4, 6],
      [6, 8],
      [8, 10],
      [10, 12],
      [12, 14],
    ],
  )
})

t.test('a stored linkifier that is not understood any more does no harm', async t => {
  t.same(urls('(', 'https://x/', '('), [])
  t.same(urls('#1', '{', '#1'), [])
})

// Fragments of patterns that are usually well-formed, nested and repeated in unusual ways.
const source = fc.letrec<{ node: string }>(tie => ({
  node: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom('a', 'b', '.', '\\d', '[^b]', '\\pL', '\\b', '^', '$', '(?P<id>a)', '\\Q', '|', '(?s).'),
    fc.tuple(tie('node'), tie('node')).map(parts => parts.join('')),
    fc.tuple(tie('node'), tie('node')).map(([one, other]) => `(?:${one}|${other})`),
    fc.tuple(tie('node'), fc.constantFrom('*', '+', '?', '{3}', '{0,9}', '{30,}')).map(([one, n]) => `(${one})${n}`),
  ),
})).node
const input = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', ' ', '1', 'é', '😀', '\n'), maxLength: 200 }),
  fc.constantFrom('a '.repeat(2_000), 'ab'.repeat(2_000), 'a'.repeat(4_000)),
)

t.test('whatever the pattern and the text: refused, or within the bound, with places that are in the text', async t => {
  let taken = 0
  fc.assert(
    fc.property(source, input, (pattern, text) => {
      try {
        new Pattern(pattern)
      } catch (error) {
        return error instanceof PatternError
      }
      taken++
      const budget = new LinkifierBudget(2_000_000)
      const found = compileLinkifier({ pattern, url_template: 'https://x/' }).find(text, budget)
      const rising = found.every((one, i) => one.end > one.start && one.start >= (found[i - 1]?.end ?? 0))
      return rising && budget.spent <= 2_000_000 && (found.at(-1)?.end ?? 0) <= text.length
    }),
    { numRuns: 300 },
  )
  t.ok(taken > 50, `${taken} of the patterns were taken`)
})

const linkifiers = [
  compileLinkifier({ pattern: '#(?P<id>[0-9]+)', url_template: 'https://bugs.example/{id}' }),
  compileLinkifier({ pattern: '(?P<what>#[0-9]{2,})', url_template: 'https://other.example/{what}' }),
  compileLinkifier({ pattern: 'js:(?P<code>\\S+)', url_template: 'javascript:{+code}' }),
  compileLinkifier({
    pattern: 'q(?P<code>\\S+)',
    url_template: 'https://x.org/"><script>{+code}'.replace(/["<>]/g, ''),
  }),
  compileLinkifier({ pattern: 'to=(?P<where>\\S+)', url_template: '{+where}' }),
]
const html = (text: string) => renderAtOnce(text, { ...noNames, linkifiers }).html

t.test('messages are rendered with linkifiers, the first one before the others', async t => {
  t.equal(html('#12'), '<p><a href="https://bugs.example/12">#12</a></p>')
  t.equal(
    html('see **#12** & **bug #3**'),
    '<p>see <strong>#12</strong> &amp; <strong>bug <a href="https://bugs.example/3">#3</a></strong></p>',
  )
  t.equal(html('plain text'), '<p>plain text</p>')
  t.match(html('| a |\n|---|\n| #12 |'), '<td><a href="https://bugs.example/12">#12</a></td>')
  t.match(html('> #12\n\n* #13'), /#12<\/a>(?:.|\n)*#13<\/a>/)
})

t.test('code, links, mentions, formulas and addresses stay as they are', async t => {
  const texts = [
    '`#12`',
    '```\n#12\n```',
    '    #12',
    '$$ #12 $$',
    '[#12](https://x.org)',
    'https://x.org/ #12x',
    '<https://x.org/#12>',
  ]
  for (const text of texts) t.notMatch(html(text), 'bugs.example', text)
})

t.test('what a linkifier makes is safe HTML', async t => {
  t.equal(html('js:alert(1)'), '<p>js:alert(1)</p>')
  t.equal(html('to=javascript:alert(1)'), '<p>to=javascript:alert(1)</p>')
  t.equal(html('to=data:text/html,x'), '<p>to=data:text/html,x</p>')
  t.equal(html('to=x.org/a'), '<p><a href="http://x.org/a">to=x.org/a</a></p>')
  t.notMatch(html('to=https://x.org/"onclick=alert(1)'), /<a[^>]*"onclick/)
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'#12 to=:qjs<>"\'&/\\()[]{}`*$\n😀%'), maxLength: 60 }),
      text =>
        !/<(?!\/?(?:a|p|em|strong|code|br|blockquote|ul|ol|li|h[1-6]|hr|pre|div|span|del)\b)/.test(html(text)) &&
        [...html(text).matchAll(/href="([^"]*)"/g)].every(([, href]) =>
          /^(https?:\/\/|mailto:|\/|#)/.test(String(href)),
        ),
    ),
  )
})

t.test('a topic has the links of its linkifiers and addresses', async t => {
  t.same(topicLinks('#12: https://x.org js:a', { linkifiers }), [
    { text: '#12', url: 'https://bugs.example/12' },
    { text: 'https://x.org', url: 'https://x.org' },
  ])
})
