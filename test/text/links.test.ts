import t from 'tap'
import { renderAtOnce, topicLinks } from '../../server/text/markdown.js'
import { linkifier, someNames } from './some-names.js'

const render = (text: string) => renderAtOnce(text, someNames)
const html = (text: string) => render(text).html
const hrefs = (text: string) => Array.from(html(text).matchAll(/href="([^"]*)"/g), match => match[1])

t.test('a link has the text and the address that were given', async t => {
  t.equal(html('[docs](https://x.org/a?b=1&c)'), '<p><a href="https://x.org/a?b=1&amp;c">docs</a></p>')
  t.same(hrefs('[a](/user_uploads/x) [b](#narrow/is/dm) [c](mailto:a@b.c) <https://d.org>'), [
    '/user_uploads/x',
    '#narrow/is/dm',
    'mailto:a@b.c',
    'https://d.org',
  ])
  t.same(hrefs('[docs](example.com/a) [b](example.com:80/b) [c](TEL:5) [d](file:///a)'), [
    'http://example.com/a',
    'http://example.com:80/b',
    'tel:5',
    'file:///a',
  ])
})

t.test('no other scheme becomes a link', async t => {
  const urls = [
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'java&#115;cript:alert(1)',
    '&#x6A;avascript:alert(1)',
    'java%0ascript:alert(1)',
    ' javascript:alert(1)',
    '\u0001javascript:alert(1)',
    'vbscript:x',
    'data:text/html,<script>alert(1)</script>',
    'blob:x/1',
    'chrome:x',
    'x y',
    '',
  ]
  for (const url of urls) {
    t.same(hrefs(`[a](${url})`), [], url)
    t.same(hrefs(`[a](<${url}>)`), [], url)
    t.same(hrefs(`<${url}>`), [], url)
  }
})

t.test('a bare address is a link without the punctuation around it', async t => {
  t.same(hrefs('see http://a.org/x_y_z*w. And (https://b.org/a_(b)), "https://c.org"!'), [
    'http://a.org/x_y_z*w',
    'https://b.org/a_(b)',
    'https://c.org',
  ])
  t.equal(html('**https://c.org**'), '<p><strong>https://c.org</strong></p>')
  t.equal(html('**see https://c.org/x**'), '<p><strong>see <a href="https://c.org/x">https://c.org/x</a></strong></p>')
  t.same(hrefs('write to first.last+x@a.org, see www.a.org:80 or b.museum?'), [
    'mailto:first.last+x@a.org',
    'http://www.a.org:80',
    'http://b.museum',
  ])
})

t.test('what only looks like an address stays text', async t => {
  for (const text of [
    'http://',
    'https:// x',
    'xhttp://a.org',
    'ftp://a/b',
    'notes.py',
    'a.b',
    'v1.2',
    'a..org',
    '@a.org',
    '`http://a.org`',
  ]) {
    t.same(hrefs(text), [], text)
  }
})

t.test(
  'a host in another script is one address, and one in a sentence without spaces ends with its script',
  async t => {
    t.same(hrefs('münchen.de x.рф 语https://a.org/词 看看a.org'), [
      'http://münchen.de',
      'http://x.рф',
      'https://a.org/词',
      'http://a.org',
    ])
    t.same(hrefs('bitcoin:1BoatSLRHtKNngkdXEeobR76b53LETtpyT bitcoin:1'), [
      'bitcoin:1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
    ])
    t.same(hrefs('me@a.org/x a@b@c.org a.org@x 1.2.3.4 https://\ud83d'), [])
  },
)

t.test('an address cannot look like another one', async t => {
  t.same(hrefs('[a](/\\b.org) [b](a.org/\u202egpj.exe) [c](localhost:80)'), [
    '/%5Cb.org',
    'http://a.org/%E2%80%AEgpj.exe',
    'http://localhost:80',
  ])
  t.same(hrefs('[a](https:x) [b](https:///x) [c](https://[::1)'), [])
})

t.test('brackets and parentheses stand in pairs', async t => {
  t.equal(html('[a [b] c](x.org/(y))'), '<p><a href="http://x.org/(y)">a [b] c</a></p>')
  t.equal(html(`[a](x.org 'the "t"')`), '<p><a href="http://x.org" title="the &quot;t&quot;">a</a></p>')
  t.equal(html('[a](<x.org/)> "t")'), '<p><a href="http://x.org/)" title="t">a</a></p>')
  t.equal(html('[a `]` b](x.org)'), '<p><a href="http://x.org">a <code>]</code> b</a></p>')
  for (const text of ['[a] (x)', '[a](x', '[a(x)', 'a](x)', '[a](x\ny)', '[[a](', '[t]()'])
    t.same(hrefs(text), [], text)
})

t.test('an address within a link is no second link', async t => {
  t.same(hrefs('[https://a.org](https://b.org)'), ['https://b.org'])
  t.equal(html('[a [b](c.org) d](e.org)'), '<p><a href="http://e.org">a [b](c.org) d</a></p>')
})

t.test('a picture from elsewhere is a link, never fetched', async t => {
  t.equal(html('![x](https://a.org/x.png)'), '<p>![x](<a href="https://a.org/x.png">https://a.org/x.png</a>)</p>')
  t.equal(render('![x](https://a.org/x.png)').hasImage, false)
})

t.test('a message knows what it links to', async t => {
  const has = (text: string) => {
    const { hasLink, hasImage, hasAttachment } = render(text)
    return { hasLink, hasImage, hasAttachment }
  }
  t.same(has('text'), { hasLink: false, hasImage: false, hasAttachment: false })
  t.same(has('text #**ops room**'), { hasLink: true, hasImage: false, hasAttachment: false })
  t.same(has('https://a.org'), { hasLink: true, hasImage: false, hasAttachment: false })
  t.same(has('[a](/user_uploads/1/x.txt)'), { hasLink: true, hasImage: false, hasAttachment: true })
  t.same(has('[a](/user_uploads/1/x.PNG)'), { hasLink: true, hasImage: false, hasAttachment: true })
  t.same(has('`https://a.org/x.png`'), { hasLink: false, hasImage: false, hasAttachment: false })
})

t.test('a channel, a topic and a message have their links', async t => {
  t.equal(
    html('#**ops room**'),
    '<p><a class="stream" data-stream-id="1" href="/#narrow/channel/1-ops-room">#ops room</a></p>',
  )
  t.equal(
    html('#**ops room>v1.2 50%**'),
    '<p><a class="stream-topic" data-stream-id="1" href="/#narrow/channel/1-ops-room/topic/v1.2E2.2050.25">#ops room &gt; v1.2 50%</a></p>',
  )
  t.equal(
    html('#**ops room>x@12**'),
    '<p><a class="message-link" href="/#narrow/channel/1-ops-room/topic/x/near/12">#ops room &gt; x @ 💬</a></p>',
  )
  t.match(html('#**ops room>**'), '/topic/">#ops room &gt; <em>')
})

t.test('a channel that does not exist, or in code, stays text', async t => {
  for (const text of [
    '#**nowhere**',
    '#**nowhere>x**',
    '#ops room',
    '#**ops room',
    'a#**ops room**',
    '`#**ops room**`',
  ]) {
    t.same(hrefs(text), [], text)
  }
})

t.test('the links of a topic come in reading order', async t => {
  const names = { ...someNames, linkifiers: [linkifier(/#\d+/g, 'https://bugs.example/')] }
  t.same(topicLinks('see #5, https://a.org and #12', names), [
    { text: '#5', url: 'https://bugs.example/5' },
    { text: 'https://a.org', url: 'https://a.org' },
    { text: '#12', url: 'https://bugs.example/12' },
  ])
  t.same(topicLinks('see https://a.org.', someNames), [{ text: 'https://a.org', url: 'https://a.org' }])
  t.same(topicLinks('plain', names), [])
  t.same(topicLinks('javascript:alert(1) http://', names), [])
})

t.test('a linkifier of a script gives a topic no link', async t => {
  t.same(topicLinks('#12', { ...someNames, linkifiers: [linkifier(/#\d+/g, 'data:')] }), [])
})
