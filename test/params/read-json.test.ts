import t from 'tap'
import { readJson } from '../../server/params/schemas.js'

/** The result of JSON.parse alone. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const pieces = [
  ['', ' ', '\t', '\n', '\u00a0', '\ufeff'],
  [
    '',
    'true',
    'false',
    'null',
    'True',
    'NaN',
    'Infinity',
    'truest',
    'fals',
    'measurement',
    'ünï',
    '"word"',
    '"',
    '{',
    '[1,"a"]',
  ],
  ['{"a":null}', '-1', '+1', '0x10', '1e3', '.5', 'n', 't', 'f', 'nulls', 'undefined', "'a'", '/**/1', '1 2', 'a"b"'],
  ['', ' ', '\r\n', '\u00a0', '\u2028', ',', 'x'],
] as const

t.test('a text is read as the JSON parser reads it, or stays what it is', async t => {
  const texts = pieces[0].flatMap(start =>
    [...pieces[1], ...pieces[2]].flatMap(word => pieces[3].map(end => start + word + end)),
  )
  for (let code = 0; code < 256; code++) texts.push(String.fromCharCode(code), `${String.fromCharCode(code)}1`)
  const differing = texts.filter(text => JSON.stringify(readJson(text)) !== JSON.stringify(parsed(text)))
  t.same(differing, [])
  t.ok(texts.length > 1000)
})

t.test('a value that a socket gave is left alone', async t => {
  for (const value of [1, null, undefined, true, ['true'], { a: '1' }]) t.equal(readJson(value), value)
})
