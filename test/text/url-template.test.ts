import fc from 'fast-check'
import t from 'tap'
import { parseUrlTemplate } from '../../server/text/url-template.js'

const values = {
  var: 'value',
  hello: 'Hello World!',
  half: '50%',
  path: '/foo/bar',
  base: 'http://example.com/home/',
  empty: '',
  undef: undefined,
  who: 'fred',
  x: '1024',
  y: '768',
  dom: 'a.b',
  emoji: 'a😀b',
}

// From the sections of RFC 6570 that expand text, one or more of each operator.
const expansions: [string, string][] = [
  ['{var}', 'value'],
  ['{hello}', 'Hello%20World%21'],
  ['{half}', '50%25'],
  ['O{empty}X', 'OX'],
  ['O{undef}X', 'OX'],
  ['{x,y}', '1024,768'],
  ['{x,hello,y}', '1024,Hello%20World%21,768'],
  ['?{x,empty}', '?1024,'],
  ['?{x,undef}', '?1024'],
  ['?{undef,y}', '?768'],
  ['{var:3}', 'val'],
  ['{var:30}', 'value'],
  ['{+var}', 'value'],
  ['{+hello}', 'Hello%20World!'],
  ['{+half}', '50%25'],
  ['{base}index', 'http%3A%2F%2Fexample.com%2Fhome%2Findex'],
  ['{+base}index', 'http://example.com/home/index'],
  ['O{+empty}X', 'OX'],
  ['{+path}/here', '/foo/bar/here'],
  ['here?ref={+path}', 'here?ref=/foo/bar'],
  ['up{+path}{var}/here', 'up/foo/barvalue/here'],
  ['{+x,hello,y}', '1024,Hello%20World!,768'],
  ['{+path:6}/here', '/foo/b/here'],
  ['{#var}', '#value'],
  ['{#path,x}/here', '#/foo/bar,1024/here'],
  ['foo{#empty}', 'foo#'],
  ['foo{#undef}', 'foo'],
  ['{.who}', '.fred'],
  ['X{.var:3}', 'X.val'],
  ['www{.dom}', 'www.a.b'],
  ['X{.empty}', 'X.'],
  ['{/who,who}', '/fred/fred'],
  ['{/half,who}', '/50%25/fred'],
  ['{/var,empty}', '/value/'],
  ['{/var:1,var}', '/v/value'],
  ['{;who}', ';who=fred'],
  ['{;empty}', ';empty'],
  ['{;x,y,undef}', ';x=1024;y=768'],
  ['{;hello:5}', ';hello=Hello'],
  ['{?x,y,empty}', '?x=1024&y=768&empty='],
  ['{?var:3}', '?var=val'],
  ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
  ['{&x,y,empty}', '&x=1024&y=768&empty='],
  ['{var*}', 'value'],
  ['{emoji:2}', 'a%F0%9F%98%80'],
  ['{emoji:1}', 'a'],
  ['{?emoji:3}', '?emoji=a%F0%9F%98%80b'],
  ['https://x.org/é', 'https://x.org/%C3%A9'],
  ["it's/%20/[1]", "it's/%20/[1]"],
]

t.test('templates expand as RFC 6570 says', async t => {
  for (const [template, url] of expansions) t.equal(parseUrlTemplate(template)?.expand(values), url, template)
})

t.test('the variables of a template are known, each once', async t => {
  t.same(parseUrlTemplate('https://x.org/{a}{?b:3,a}{&c_1*}')?.variables, ['a', 'b', 'c_1'])
  t.same(parseUrlTemplate('https://x.org/')?.variables, [])
})

t.test('what is no template by RFC 6570 is refused', async t => {
  const wrong = [
    '',
    '{',
    '}',
    '{}',
    '{a',
    'a}',
    '{{a}}',
    '{a{b}}',
    '{?}',
    '{a,}',
    '{,a}',
    '{a,,b}',
    '{a b}',
    '{a-b}',
    '{ä}',
    '{.a.}',
    '{a..b}',
    '{=a}',
    '{!a}',
    '{@a}',
    '{|a}',
    '{++a}',
    '{a:}',
    '{a:0}',
    '{a:03}',
    '{a:10000}',
    '{a:x}',
    '{a*3}',
    '{a:3*}',
    'a b',
    'a"b',
    '<a>',
    'a\\b',
    'a^b',
    'a`b',
    'a|b',
    '100%',
    '%2',
    '%zz',
    'a\nb',
    '\u0000',
    '\ud800',
  ]
  for (const template of wrong) t.equal(parseUrlTemplate(template), undefined, JSON.stringify(template))
})

t.test('no value makes a template throw or break out of its place', async t => {
  const template = parseUrlTemplate('https://x.org/{value}/{value:2}{?value}')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), value => {
      const url = template?.expand({ value })
      return url !== undefined && /^https:\/\/x\.org\/[\w.~%-]*\/[\w.~%-]*\?value=[\w.~%-]*$/.test(url)
    }),
  )
  t.equal(template?.expand({ value: '\ud800' }), undefined, 'half of a surrogate pair is no character')
})
