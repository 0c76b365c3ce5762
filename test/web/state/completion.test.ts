import t from 'tap'
import { bestMatches, rankOf, wantedAt } from '../../../server/web/state/completion.js'
import { emojiCharacter } from '../../../server/web/state/emoji.js'

t.test('the typed text decides what is completed', async t => {
  for (const [before, kind, words, from] of [
    ['hi @ad', 'person', 'ad', 3],
    ['@', 'person', '', 0],
    ['(@_ada lo', 'person', 'ada lo', 1],
    ['see #gen', 'channel', 'gen', 4],
    ['see #**gen', 'channel', 'gen', 4],
    ['#**general>lun', 'topic', 'lun', 0],
    ['nice :tad', 'emoji', 'tad', 5],
    ['/', 'command', '', 0],
    ['/po', 'command', 'po', 0],
  ] as const) {
    t.match(wantedAt(before), { kind, words, from }, before)
  }
})

t.test('what only looks like it wants nothing', async t => {
  for (const before of [
    'ada@example',
    'at 10:30',
    'a # b',
    '@**Ada** ',
    'x :t',
    '# heading',
    '/poll ',
    'see /po',
    '\n/po',
    '/usr/bin',
    '',
  ]) {
    t.equal(wantedAt(before), undefined, before)
  }
})

t.test('names that begin with the words come before those with such a word in them', async t => {
  const names = ['Grace Adams', 'Bob Kahn', 'Ada Lovelace', 'Adam Adler']
  t.same(
    bestMatches(names, name => name, 'ad', 3),
    ['Ada Lovelace', 'Adam Adler', 'Grace Adams'],
  )
  t.same(
    bestMatches(names, name => name, 'kah', 3),
    ['Bob Kahn'],
  )
  t.same(
    bestMatches(names, name => name, 'zz', 3),
    [],
  )
  t.equal(
    bestMatches(
      Array.from({ length: 10_000 }, (_, i) => `Person ${i}`),
      name => name,
      'per',
      7,
    ).length,
    7,
  )
})

t.test('names are found as searches find words', async t => {
  for (const [name, words, rank] of [
    ['José Núñez', 'jose n', 0],
    ['José Núñez', 'NUN', 1],
    ['Müller', 'mull', 0],
    ['Müller', 'muell', 0],
    ['Anna Müller', 'mueller', 1],
    ['Straße', 'strass', 0],
    ["Conan O'Brien", 'obri', 1],
    ["Conan O'Brien", 'brien', 1],
    ['Jean-Luc', 'jeanl', 0],
    ['node_modules', 'mod', 1],
    ['frontEnd', 'end', 1],
    ['frontEnd', 'fronte', 0],
    ['release v2', '2', 1],
    ['田中太郎', '太郎', 1],
    ['ＡＢＣ会議', 'abc', 0],
    ['会議 東京', '東', 1],
    ['Ωμέγα', 'ωμεγ', 0],
    ['🎉 party', '🎉', 0],
    ['🎉 party', 'par', 0],
    ['general', '', 0],
    ['general', 'eral', -1],
    ['Müller', 'ler', -1],
    ['general', '-', -1],
    ['太郎', '郎太', -1],
    ['general', '\u202e', -1],
    ['x'.repeat(100_000), 'y', -1],
  ] as const)
    t.equal(rankOf(name, words), rank, `${words} in ${name.slice(0, 20)}`)
})

t.test('codes become characters, and nothing else does', async t => {
  t.equal(emojiCharacter('1f44d'), '👍')
  t.equal(emojiCharacter('1f1e9-1f1ea'), '🇩🇪')
  t.equal(emojiCharacter('2764'), '\u2764\ufe0f', 'as a picture')
  for (const code of ['', 'x', '<img>', '110000', '1f44d--1f44d', '1f44d '.repeat(3)])
    t.equal(emojiCharacter(code), undefined, code)
})
