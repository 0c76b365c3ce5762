import fc from 'fast-check'
import t from 'tap'
import { cleanName, isNameText } from '../../server/text/clean-name.js'
import { checkTopic } from '../../server/text/content.js'

t.test('a name is stored in NFC, with single spaces and without what shows nothing', async t => {
  for (const [given, stored] of [
    ['general', 'general'],
    ['  a  b ', 'a b'],
    ['a\u00a0\u3000\u2009\u2800b', 'a b'],
    ['cafe\u0301', 'caf\u00e9'],
    ['gen\u200beral\u200d', 'general'],
    ['\u202egeneral\u202c', 'general'],
    ['\u2066a\u2069\u200e\u200f\u061c', 'a'],
    ['soft\u00adhyphen\ufeff\u2060', 'softhyphen'],
    ['a \u200b b', 'a b'],
    ['1\ufe0f', '1'],
    ['e\u200d\u0301', '\u00e9'],
    ['a\u{e0061}b\u3164c\u034f', 'abc'],
  ] as const) {
    t.equal(cleanName(given), stored, JSON.stringify(given))
  }
})

t.test('a name of which nothing could be seen is empty', async t => {
  for (const name of [
    '\u200b',
    '\u200b \u2060',
    '\u3164',
    '\u2800\u2800',
    '\u115f\u1160',
    '\u0301',
    '\u{e0041}',
    '\ufe0f',
  ]) {
    t.equal(cleanName(name), '', JSON.stringify(name))
  }
})

t.test('joiners and variants stay where emoji and scripts need them, and nowhere else', async t => {
  const whole = [
    '👩\u200d👩\u200d👧',
    '🏳\ufe0f\u200d🌈',
    '🧑🏻\u200d🤝\u200d🧑🏿',
    '1\ufe0f\u20e3',
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
    '\u0915\u094d\u200d\u0937',
    '\u845b\u{e0100}',
  ]
  for (const name of whole) t.equal(cleanName(name), name.normalize('NFC'), JSON.stringify(name))
  t.equal(cleanName('👩\u200d'), '👩')
  t.equal(cleanName('\u200d👩'), '👩')
  t.equal(cleanName('a\u200c\u0645'), 'a\u0645')
})

t.test('control characters, private use, halves of pairs and unassigned code points are no text of a name', async t => {
  for (const name of [
    'a\u0000b',
    'a\nb',
    'a\u0085b',
    'a\u2028b',
    '\ue000',
    '\u{f0000}',
    '\ud83d',
    '\u0378',
    '\ufffe',
    '\u{1ffff}',
  ]) {
    t.notOk(isNameText(cleanName(name)), `U+${name.codePointAt(name.length - 1)?.toString(16)}`)
  }
  for (const name of ['a', 'größe', '漢字', '👍', '\u{1fae9}', '\u{1faff}', `x${'́'.repeat(3)}`])
    t.ok(isNameText(cleanName(name)), name)
})

t.test('what was cleaned is clean', async t => {
  for (const name of ['\u0301\u{e0100}\u0dca\u200d', '\u0dd9\u{e0100}\u0dca\u200d', 'a\u200d\u0301\u094d\u200d'])
    t.equal(cleanName(cleanName(name)), cleanName(name))
  const parts = fc.constantFrom(
    ...'aé \u00a0\u200b\u200c\u200d\ufe0f\u0301\u094d\u0dd9\u0dca\u0645\u845b1#\u20e3\u2800\u1100\u1161',
    '👩',
    '🏳',
    '🏻',
    '\u{e0100}',
    '\u{1f3f4}',
    '\u{e0067}',
    '\u{e007f}',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(parts, { maxLength: 12 }).map(all => all.join('')),
        fc.string({ unit: 'binary' }),
      ),
      name => {
        const clean = cleanName(name)
        return cleanName(clean) === clean && clean.normalize('NFC') === clean && clean.trim() === clean
      },
    ),
    { numRuns: 20_000 },
  )
})

t.test('text that is too long for a name is not normalised', async t => {
  const long = `a${'\u0301'.repeat(1_000)}`
  t.equal(cleanName(long), long)
})

t.test('a topic is cleaned like a name; how it was stored before is known where that differs', async t => {
  const topic = (text: string) => checkTopic(text, 'general chat')
  t.same(topic('lunch'), { ok: true, text: 'lunch' })
  t.same(topic('lu\u200bnch'), { ok: true, text: 'lunch', older: 'lu\u200bnch' })
  t.same(topic(' a  cafe\u0301 '), { ok: true, text: 'a caf\u00e9', older: 'a  cafe\u0301' })
  t.same(topic('\u200b'), { ok: true, text: '', older: '\u200b' })
  t.same(topic('general\u00a0chat'), { ok: true, text: '', older: 'general\u00a0chat' })
  t.same(topic('\ue000'), { ok: false, problem: 'topic_not_printable' })
  const long = `${'x'.repeat(55)}👩\u200d👩 and more`
  t.same(topic(long), { ok: true, text: `${'x'.repeat(55)}👩...`, uncut: long })
})
