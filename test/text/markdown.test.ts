import t from 'tap'
import { RENDERER_VERSION, renderAtOnce } from '../../server/text/markdown.js'
import { noNames } from '../../server/text/names.js'
import { linkifier, someNames } from './some-names.js'

const html = (text: string) => renderAtOnce(text, someNames).html

t.test('plain text is one paragraph', async t => {
  t.equal(html('hello there'), '<p>hello there</p>')
  t.equal(html('snake_case, C:\\dir and ¯\\_(ツ)_/¯'), '<p>snake_case, C:\\dir and ¯\\_(ツ)_/¯</p>')
  t.equal(html('6 > 5'), '<p>6 &gt; 5</p>')
  t.ok(Number.isInteger(RENDERER_VERSION))
})

t.test('the quick way for plain text gives what the parser gives', async t => {
  // A linkifier that finds nothing takes the quick way from the renderer.
  const slow = { ...noNames, linkifiers: [linkifier(/$^/g, '')] }
  const texts = [
    'a',
    'a: b; c',
    '10:30 or 1:2',
    'x!',
    'a - b',
    'a | b',
    'a = b',
    'is it (so)?',
    "it's",
    'a#1',
    'ä ö',
    '/me x',
  ]
  for (const text of texts) t.equal(renderAtOnce(text, slow).html, renderAtOnce(text, noNames).html, text)
  for (const text of ['- a', '+ a', '1. a', '1) a', '# a', '---', '===', ' a', 'a ', '', '&lt;', 'a\tb']) {
    t.equal(renderAtOnce(text, slow).html, renderAtOnce(text, noNames).html, JSON.stringify(text))
  }
})

t.test('emphasis, code and struck text are marked up', async t => {
  t.equal(html('**b** *i* ~~s~~ `c`'), '<p><strong>b</strong> <em>i</em> <del>s</del> <code>c</code></p>')
})

t.test('a line break is a break', async t => {
  t.equal(html('one\ntwo'), '<p>one<br>\ntwo</p>')
  t.equal(html('one\n\ntwo'), '<p>one</p>\n<p>two</p>')
})

t.test('lists, headings, quotations and tables are blocks', async t => {
  t.equal(html('- a\n- b'), '<ul>\n<li>a</li>\n<li>b</li>\n</ul>')
  t.equal(html('3. a'), '<ol start="3">\n<li>a</li>\n</ol>')
  t.equal(html('## a'), '<h2>a</h2>')
  t.equal(html('> a'), '<blockquote>\n<p>a</p>\n</blockquote>')
  t.match(html('|a|b|\n|-|:-:|\n|1|2|'), '<th style="text-align: center;">b</th>')
})

t.test('a line of dashes or equal signs makes no heading of the line above', async t => {
  t.notMatch(html('text\n---'), /<h\d/)
  t.notMatch(html('text\n==='), /<h\d/)
})

t.test('a link definition stays text', async t => {
  t.match(html('[a]: http://x.org'), '[a]: <a href="http://x.org">')
})

t.test('HTML in a message is text', async t => {
  t.equal(html('<b onclick="x">y</b>'), '<p>&lt;b onclick="x"&gt;y&lt;/b&gt;</p>')
  t.equal(html('<script>alert(1)</script>'), '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>')
  t.notMatch(html('<!-- x -->\n<div>\n<style>'), /<(?!\/?p>|br>)/)
})

t.test('a message that begins with /me is recognized', async t => {
  t.equal(renderAtOnce('/me waves', someNames).isMeMessage, true)
  t.equal(renderAtOnce('/me *waves*', someNames).isMeMessage, true)
  t.equal(renderAtOnce('/mellow', someNames).isMeMessage, false)
  t.equal(renderAtOnce('look: /me waves', someNames).isMeMessage, false)
  t.equal(renderAtOnce('/me does\n\ntwo things', someNames).isMeMessage, true)
})

t.test('a time is given in UTC', async t => {
  t.equal(
    html('<time:2030-01-31T12:00:00+01:00>'),
    '<p><time datetime="2030-01-31T11:00:00Z">2030-01-31T12:00:00+01:00</time></p>',
  )
  t.match(html('<time:1700000000>'), 'datetime="2023-11-14T22:13:20Z"')
  t.match(html('<time:2030-01-31 12:00>'), 'datetime="2030-01-31T12:00:00Z"')
  t.match(html('<time:2030-01-31>'), 'datetime="2030-01-31T00:00:00Z"')
})

t.test('a time that cannot be read stays as typed', async t => {
  for (const text of [
    'soon',
    '2030-13-01',
    '2030-01-31T25:00',
    '2026-02-29',
    '2026-02-30 10:00',
    '2030-01-31T24:00',
    '99999999999999',
    '999999999999',
    '"><script>',
  ]) {
    const out = html(`<time:${text}>`)
    t.notMatch(out, '<time', text)
    t.notMatch(out, '<script', text)
  }
  t.equal(html('<time:soon>'), '<p>&lt;time:soon&gt;</p>')
})

t.test('what a linkifier finds is a link, outside of code and other links', async t => {
  const names = { ...someNames, linkifiers: [linkifier(/#\d+/g, 'https://bugs.example/')] }
  const linked = (text: string) => renderAtOnce(text, names)
  t.equal(linked('see #12!').html, '<p>see <a href="https://bugs.example/12">#12</a>!</p>')
  t.equal(linked('see #12').hasLink, true)
  t.notMatch(linked('`#12`').html, '<a')
  t.equal(linked('[a #12](https://x.org)').html.split('<a').length, 2)
  t.notMatch(linked('```\n#12\n```').html, '<a')
})

t.test('a linkifier cannot link to a script', async t => {
  const names = { ...someNames, linkifiers: [linkifier(/#\d+/g, 'javascript:alert')] }
  t.equal(renderAtOnce('see #12', names).html, '<p>see #12</p>')
})
