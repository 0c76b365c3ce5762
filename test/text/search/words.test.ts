// The words of a text: each one that a person would mark with a double click finds it.
import fc from 'fast-check'
import t from 'tap'
import { parseSearch } from '../../../server/text/search/query.js'
import { languagesOf, stemsIn } from '../../../server/text/search/stems.js'
import { searchVector, topicVector } from '../../../server/text/search/vector.js'
import { wordsIn } from '../../../server/text/search/words.js'
import { testOrganization } from '../../support/server.js'
import { finds } from './finds.js'

const stems = stemsIn(['de', 'en'])
const formsOf = (text: string) => [...new Set(wordsIn(text, stems).map(word => word.form))]

t.test('pieces of identifiers and paths beside the whole', async t => {
  for (const [text, ...forms] of [
    ['getUserById', 'getuserbyid', 'get', 'user', 'by', 'id'],
    ['HTTPServer', 'httpserver', 'http', 'server'],
    ['v2.10.3', 'v2', 'v', '2', '10', '3'],
    ['PROJ-4711', 'proj', '4711'],
    ['e-mail', 'email', 'mail'],
    ["don't", 'dont', 'don', 't'],
    ['C++ C#', 'c++', 'c#'],
    ['Häuser', 'hauser', 'haus', 'haeuser'],
    ['Straße ﬁne ＡＢＣ', 'strasse', 'fine', 'abc'],
    ['上海东', '上海', '海东', '东'],
    ['がっこ', 'がっ', 'っこ'],
    ['Μάιος ΟΔΟΣ', 'μαιοσ', 'οδοσ'],
    ['Ёлка йод', 'елка', 'йод'],
    ['كِتَابٌ', 'كتاب'],
  ] as const)
    t.has(new Set(formsOf(text)), new Set(forms), text)
})

t.test('stems in each language, and in those that are chosen alone', async t => {
  for (const [language, one, other] of [
    ['de', 'häuser', 'hauses'],
    ['en', 'walking', 'walked'],
    ['es', 'trabajando', 'trabajar'],
    ['fr', 'manger', 'mangeait'],
    ['it', 'parlando', 'parlare'],
    ['nl', 'fietsen', 'fiets'],
    ['pt', 'falando', 'falar'],
    ['ru', 'книгами', 'книга'],
  ] as const) {
    const matches = (languages: readonly (typeof language)[]) =>
      finds(parseSearch(`${other} -x`, stemsIn(languages)), wordsIn(one, stemsIn(languages)))
    t.ok(matches([language]), `${other} finds ${one}`)
    t.notOk(matches([]), `${other} does not find ${one} without stems`)
  }
  t.same(stemsIn(['de', 'en'])('walking'), ['walk'])
  t.same(stemsIn([])('walking'), [])
  for (const word of ['go', 'a1b', 'x'.repeat(41), '上海上海', '']) t.same(stemsIn(['en'])(word), [], word)
  t.same(languagesOf('fr,en,xx'), ['en', 'fr'])
  t.same(languagesOf('none'), [])
})

t.test('what is no word has no form, and long ones are cut', async t => {
  for (const text of ['', '...', '-> <- !?', '\u0301', '\ud800', '\u202e\u2066', '\0', '_', "'"])
    t.same(formsOf(text), [])
  t.same(formsOf('x'.repeat(100_000)), ['x'.repeat(64)])
  t.same(formsOf('ö'.repeat(100_000)), ['o'.repeat(64), 'oe'.repeat(32)])
  t.same(formsOf('3f2a9bc41d7e'), ['3f2a9bc41d7e'], 'the parts of a hash are no words')
})

t.test('the text of a vector: labels of content and topic, bounds of places', async t => {
  t.equal(searchVector('<p>the plans</p>', 'Plans', stems), "'the':1 'plans':2,12A 'plan':2C,12B")
  t.equal(searchVector('', '', stems), '')
  t.equal(topicVector('Plans', stems), "'plans':10A 'plan':10B")
  const often = searchVector(`<p>${'x '.repeat(1000)}</p>`, '', () => [])
  t.equal(often.split(',').length, 255)
  const last = searchVector(`<p>${'上'.repeat(20_000)}</p>`, 'end', stems)
  t.match(last, "'end':16383A")
})

t.test('PostgreSQL keeps the words of texts of any length', async t => {
  const { sql } = await testOrganization(t)
  const different = Array.from({ length: 10_000 }, (_, i) => `w${i}x`)
  for (const [text, last] of [
    ['x'.repeat(100_000), 'x'.repeat(64)],
    [different.join(' '), 'w9999x'],
    [`${'上海东边'.repeat(12_500)}京`, '边京'],
    [`${'getUserById v2.10.3 '.repeat(2500)}end`, 'end'],
  ] as const) {
    const vector = searchVector('<p></p>', 'topic', stems, [text])
    const [row] = await sql`select ${vector}::tsvector @@ ${`'${last}'`}::tsquery as has_last`
    t.same(row, { has_last: true }, last.slice(0, 9))
  }
})

t.test('markup is not searched, what it shows and means is', async t => {
  const vector = searchVector(
    '<p>un<b>believ</b>able &amp; <a href="https://docs.example.org/a%20b" title="the tip">here</a><br>next' +
      '<img alt="a cat" src="/x/hidden.png"><span class="emoji emoji-1f389" title="tada">:tada:</span></p>' +
      '<div class="message_inline_image"><a href="/preview"><img src="/thumb"></a></div><p>after</p>' +
      '<span class="katex"><span class="katex-mathml"><math><mi>x</mi><annotation encoding="application/x-tex">\\frac{y}</annotation></math></span>' +
      '<span class="katex-html" aria-hidden="true">z<span>z</span></span></span><p>last</p>',
    '',
    () => [],
  )
  for (const form of ['unbelievable', 'docs', 'b', 'tip', 'cat', 'tada', '🎉', 'after', 'frac', 'last'])
    t.match(vector, `'${form}':`)
  for (const form of ['believ', 'href', 'hidden', 'png', 'preview', 'thumb', 'class', 'katex', 'z', 'amp', 'herenext'])
    t.notMatch(vector, `'${form}':`)
})

const scripts = [
  "abcXYZ 019 ._-'/@:",
  'äöüßéñçłø Straße',
  'абвгдёйЇЖ ',
  'αβγδάΐςΣ ',
  '我家在上海东边。，',
  'あいがっャーアタワ、',
  '안녕하세요 회의',
  'โรงเรียนน้ำ ',
  'كتابشكرًا ',
  'שלוםָ "\'',
  'हिन्दीक्ष ',
].map(letters => fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 12 }))
const text = fc.array(fc.oneof(...scripts), { minLength: 1, maxLength: 8 }).map(parts => parts.join(' '))
const marking = new Intl.Segmenter('en', { granularity: 'word' })

t.test('each word of a text as a double click marks it finds the text, with and without quotation marks', async t => {
  fc.assert(
    fc.property(text, content => {
      const words = wordsIn(content, stems)
      return [...marking.segment(content)]
        .filter(one => one.isWordLike && /[\p{L}\p{N}]/u.test(one.segment))
        .every(({ segment }) => [segment, `"${segment}"`].every(query => finds(parseSearch(query, stems), words)))
    }),
    { numRuns: 2000 },
  )
  t.pass()
})
