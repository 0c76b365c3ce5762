import fc from 'fast-check'
import t from 'tap'
import { budgets } from '../../server/config/budgets.js'
import { renderAtOnce } from '../../server/text/markdown.js'
import { limits } from '../../shared/limits.js'
import { someNames } from './some-names.js'

const marks = (
  '> |[|](|)|![|*|**|***|_|`|```\n|```quote\n|```spoiler |```math\n|~~~\n|~~|@**|@*|@_**|Ann Lee|devs|all|#**|ops room|$$|' +
  ':smile:|:evil:|:party_blob:|👍|1️⃣|\ud83d|<|</|<script>|<img src=x onerror=alert(1)>|<time:|javascript:alert(1)|' +
  'data:text/html,x|http://a.org/|https://|mailto:|"|\'| onclick=|&|&lt;|&#106;|\\|\n|\n\n|- |1. |# |---|\t|    |\0|\u202e|a|b'
).split('|')
const nonsense = fc
  .array(fc.oneof(fc.constantFrom(...marks, '|', '|-|'), fc.string({ unit: 'binary', maxLength: 4 })), {
    maxLength: 40,
  })
  .map(parts => parts.join(''))

const tag = /^<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+="[^"<>]*")*)>/
const anything = /^/
const href = /^(?:(?:https?|ftp|file|mailto|tel|mid|sip|sms):|\/(?!\/)|#)/
const name = { 'aria-label': anything, title: anything }
/** The elements that messages may have, with their attributes and the values of these (docs/protocol/message-html.md). */
const elements: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  a: { href, title: anything, class: /^(?:stream|stream-topic|message-link)$/, 'data-stream-id': /^\d+$/ },
  div: {
    class: /^(?:codehilite|spoiler-block|spoiler-header|spoiler-content)$/,
    'aria-hidden': /^true$/,
    'data-code-language': anything,
  },
  img: { ...name, alt: /^:[\w+-]+:$/, class: /^emoji$/, src: /^\/(?!\/)/ },
  ol: { start: /^\d+$/ },
  span: {
    ...name,
    class:
      /^(?:user-mention(?: channel-wildcard-mention)?(?: silent)?|(?:topic|user-group)-mention(?: silent)?|emoji emoji-[0-9a-f-]+|tex-error)$/,
    'data-user-id': /^(?:\d+|\*)$/,
    'data-user-group-id': /^\d+$/,
    role: /^img$/,
  },
  td: { style: /^text-align: (?:left|center|right);$/ },
  th: { style: /^text-align: (?:left|center|right);$/ },
  time: { datetime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{6})?Z$/ },
  ...Object.fromEntries(
    'blockquote br code del em h1 h2 h3 h4 h5 h6 hr li p pre strong table tbody thead tr ul'
      .split(' ')
      .map(one => [one, {}]),
  ),
}

/** Why HTML is not safe, or undefined: a grammar so narrow that every browser reads it in one way. */
function danger(html: string): string | undefined {
  const open: string[] = []
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) {
    const [, slash, name = '', attributes = ''] = tag.exec(html.slice(at)) ?? []
    if (slash === undefined) return `no tag: ${html.slice(at, at + 40)}`
    const allowed = elements[name]
    if (!allowed) return `tag ${name}`
    if (slash && open.pop() !== name) return `unbalanced ${name}`
    if (!slash && !['br', 'hr', 'img'].includes(name)) open.push(name)
    for (const [, key = '', value = ''] of attributes.matchAll(/ ([a-z-]+)="([^"]*)"/g)) {
      if (!allowed[key]?.test(value)) return `<${name} ${key}="${value}">`
    }
  }
  return open.length === 0 ? undefined : `left open: ${open}`
}

t.test('the check of this test finds what is dangerous', async t => {
  const bad = [
    '<script>',
    '<p',
    '<p onclick="x">',
    '<a href="javascript:x">',
    '<p>',
    '</p>',
    '<img src=x>',
    '<p class="x"></p>',
  ]
  for (const html of bad) {
    t.ok(danger(html), html)
  }
  t.equal(danger('<p><a href="https://x.org">x</a></p>'), undefined)
})

t.test('whatever is typed renders to safe HTML', async () => {
  fc.assert(
    fc.property(nonsense, text => {
      const found = danger(renderAtOnce(text, someNames).html)
      if (found) throw new Error(found)
    }),
    { numRuns: 3000 },
  )
})

t.test('whatever is typed renders the same again', async () => {
  fc.assert(
    fc.property(nonsense, text => {
      const [first, second] = [text, text].map(again => renderAtOnce(again, someNames).html)
      return first === second
    }),
  )
})

const fill = (part: string) => part.repeat(Math.ceil(10_000 / part.length)).slice(0, 10_000)

t.test('ten thousand characters of any nonsense render, and stay small', async t => {
  const parts = [
    ...marks,
    '|',
    '|-',
    '|a\n',
    '`a``',
    '[a](',
    '[[]]',
    '[](',
    '[](<',
    '[](a',
    '[]("[',
    '[x](y) ',
    'a.org ',
    'me@x.org ',
    'é.org,',
    '@**Ann Lee** ',
    '😀',
    '\u202e',
    '- - ',
    '> > \na\n',
    '*a **b ',
    'http://a)',
    '<a',
    '((',
  ]
  const texts = [...parts.map(fill), ...parts.flatMap(a => marks.slice(0, 20).map(b => fill(a + b)))]
  texts.push(`${'|'.repeat(2000)}\n${'|-'.repeat(2000)}|\n${'a\n'.repeat(1900)}`)
  texts.push(`${'|a'.repeat(300)}\n${'|-'.repeat(300)}|\n${'a\n'.repeat(4000)}`)
  texts.push(Array.from({ length: 140 }, (_, n) => `${' '.repeat(n)}- a`).join('\n'))
  texts.push(Array.from({ length: 140 }, (_, n) => `${'`'.repeat(n)}a`).join(''))
  texts.push(Array.from({ length: 100 }, (_, n) => `${'`'.repeat(103 - n)}quote`).join('\n'))
  // What explodes takes minutes over so many, and ends in the file's time limit.
  const longest = Math.max(...texts.map(text => Buffer.byteLength(renderAtOnce(text, someNames).html)))
  t.ok(longest <= budgets.renderedBytes.most, `the longest HTML has ${longest} bytes`)
})

t.test(
  'a text whose HTML would be beyond the budget is shown as it was typed, and the longest honest ones are not',
  async t => {
    const long = (unit: string) => unit.repeat(limits.max_message_length / unit.length)
    t.equal(renderAtOnce(long('🅰'), someNames).html, `<p>${long('🅰')}</p>`)
    for (const text of ['"', '\n"', '😀', '<', '語']) {
      const { html } = renderAtOnce(`${long(text)}\n${':+1:'.repeat(2000)}`, someNames)
      t.ok(Buffer.byteLength(html) <= budgets.renderedBytes.most, text)
    }
    const honest = {
      '<a ': 'see https://example.org/some/path?with=query and ',
      '<li>': '- one\n  - two\n',
      '<td': `|a|b|c|\n|-|-:|-|\n${'|alpha|beta|12|\n'.repeat(500)}`,
      '<pre': `\`\`\`\nif (a < b && c > "d") return "e"\n\`\`\`\n`,
      '<strong>': '**bold** and *soft* and `code`, ',
      '<span class="user-mention"': '@**Ann Lee** wrote to all: ',
    }
    for (const [tag, text] of Object.entries(honest)) t.match(renderAtOnce(long(text), someNames).html, tag)
  },
)

// The elements and attributes of HTML, SVG and MathML that run, load or send something, and the ones that only look harmless.
const htmlTags = (
  'a abbr applet area article aside audio b base bdo blink body button canvas center col dialog embed fieldset font form frame frameset head ' +
  'html iframe image img input isindex keygen label link listing marquee math menu meta meter noembed noframes noscript object option ' +
  'param picture plaintext portal progress script section select slot source style sub summary sup svg table template textarea title track ' +
  'u var video wbr xmp foreignObject animate set use mglyph maction annotation-xml x-custom'
).split(' ')
const htmlAttributes = [
  'onclick=alert(1)',
  'onerror="alert(1)"',
  'href=javascript:alert(1)',
  'src="data:text/html,x"',
  'style="background:url(javascript:x)"',
  'srcdoc=<b>',
  'formaction=//evil.example',
  'xlink:href="x"',
  'autofocus',
  'id=composer',
  'class="user-mention" data-user-id="1"',
]

t.test('HTML of every kind is shown as typed', async t => {
  for (const tag of htmlTags) {
    for (const attribute of htmlAttributes) {
      for (const text of [`<${tag} ${attribute}>x</${tag}>`, `<${tag}/${attribute}`, `</${tag} ${attribute}>`]) {
        const { html } = renderAtOnce(text, someNames)
        t.notMatch(
          html.replace(/^<p>|<\/p>$/g, '').replace(/<a href="https?:\/\/[^"<>]*">([^<]*)<\/a>/g, '$1'),
          /</,
          text,
        )
      }
    }
  }
})

t.test('texts made to break a renderer stay in the budgets, and make no other markup', async t => {
  const long = (part: string, times: number) => part.repeat(times).slice(0, limits.max_message_length)
  const texts = {
    'quotations a thousand deep': `${'>'.repeat(1000)} a`,
    'quotations with spaces': `${'> '.repeat(1000)}a`,
    'fences a thousand deep': Array.from({ length: 1000 }, () => '```quote').join('\n'),
    'spoilers in each other': Array.from({ length: 200 }, (_, i) => `${'`'.repeat(203 - i)}spoiler x`).join('\n'),
    'lists in each other': Array.from({ length: 130 }, (_, i) => `${'  '.repeat(i)}* a`).join('\n'),
    'a table of 5,000 cells': `${'|a'.repeat(50)}|\n${'|-'.repeat(50)}|\n${`${'|b'.repeat(50)}|\n`.repeat(98)}`,
    'a table of one row': `${'|a'.repeat(1600)}|\n${'|-'.repeat(1600)}|`,
    'ten thousand emoji': long('😀', 10_000),
    'emoji by name': long(':smile:', 2000),
    'mentions by the thousand': long('@**Ann Lee** ', 1000),
    'links by the thousand': long('[a](https://a.org/x) ', 1000),
    'addresses by the thousand': long('a.org ', 3000),
    'channels by the thousand': long('#**ops room** ', 1000),
    'half surrogates': long('\ud83d', 10_000),
    'the other halves': long('\ude00a', 10_000),
    'direction marks': long('\u202e\u2066a\u2069\u200f', 10_000),
    'combining marks': long('a\u0300\u0301\u0302', 10_000),
    'nothing visible': long('\u200b\ufeff\u2060', 10_000),
    'emphasis that never ends': long('*a **b ', 3000),
    'brackets that never close': long('[[', 5000),
    'references that grow': long('&amp;amp;', 2000),
    times: long('<time:2020-01-01T00:00:00Z>', 500),
  }
  for (const [name, text] of Object.entries(texts)) {
    const { html } = renderAtOnce(text, someNames)
    t.equal(danger(html), undefined, name)
    t.ok(Buffer.byteLength(html) <= budgets.renderedBytes.most, `${name}: ${Buffer.byteLength(html)} bytes`)
  }
})
