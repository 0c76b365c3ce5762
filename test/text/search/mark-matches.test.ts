// Matches are marked in what people see, and the HTML stays what it was.
import fc from 'fast-check'
import t from 'tap'
import { markMatches, markText } from '../../../server/text/search/mark-matches.js'
import { parseSearch } from '../../../server/text/search/query.js'
import { stemsIn } from '../../../server/text/search/stems.js'

const stems = stemsIn(['de', 'en'])
const marked = (html: string, ...texts: string[]) =>
  markMatches(
    html,
    texts.map(text => parseSearch(text, stems)),
  ).replace(/<span class="highlight">(.*?)<\/span>/g, '[$1]')

t.test('in every script, across inline tags and character references', async t => {
  for (const [html, text, result] of [
    ['<p>Walking &amp; more</p>', 'walk', '<p>[Walking] &amp; more</p>'],
    ['<p>我家在上海东边。</p>', '上海', '<p>我家在[上海]东边。</p>'],
    ['<p>東京タワー</p>', '東京タ', '<p>[東京タ]ワー</p>'],
    ['<p>안녕하세요</p>', '안녕', '<p>[안녕]하세요</p>'],
    ['<p>โรงเรียน</p>', 'เรียน', '<p>โรง[เรียน]</p>'],
    ['<p>ΟΔΟΣ</p>', 'οδός', '<p>[ΟΔΟΣ]</p>'],
    ['<p>getUserById</p>', 'user by', '<p>get[UserBy]Id</p>'],
    ['<p>R&amp;D</p>', '"r d"', '<p>[R&amp;D]</p>'],
    ['<p>un<b>believ</b>able</p>', 'unbelievable', '<p>[un]<b>[believ]</b>[able]</p>'],
    ['<p>x</p><p>y</p>', '"x y"', '<p>[x]</p><p>[y]</p>'],
    ['<p>a b a</p>', 'a -b', '<p>[a] b [a]</p>'],
    ['<p>2.10.3</p>', '10.3', '<p>2.[10.3]</p>'],
    ['<p>fillers filler</p>', '"filler"', '<p>fillers [filler]</p>'],
    ['<p><a href="/class">class</a></p>', 'class', '<p><a href="/class">[class]</a></p>'],
    ['<p>none</p>', 'other', '<p>none</p>'],
    ['<p>amp &amp; quot</p>', 'amp', '<p>[amp] &amp; quot</p>'],
    ['<p>ﬁne ｶﾞｽ</p>', 'fine', '<p>[ﬁne] ｶﾞｽ</p>'],
  ] as const)
    t.equal(marked(html, text), result, `${text} in ${html}`)
  t.equal(marked('<p>one two</p>', 'one', 'two'), '<p>[one] [two]</p>', 'of several searches')
})

t.test('a topic is escaped', async t => {
  t.equal(markText('<b> "a"', [parseSearch('b', stems)]), '&lt;<span class="highlight">b</span>&gt; &quot;a&quot;')
})

t.test('without the marks the HTML is the same, and no mark is in a tag or a character reference', async t => {
  const piece = fc.constantFrom(
    'a',
    'ab ',
    '<b>',
    '</b>',
    '&amp;',
    '&lt;',
    '上海',
    '<a href="a ab">',
    '</a>',
    '<br>',
    '.',
    'é',
    '&#39;',
    '&nbsp;',
  )
  const query = fc.constantFrom('a', 'ab', '"a ab"', '上', '海', 'é', 'b a', '"上海 a"', 'amp')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), query, (pieces, text) => {
      const html = pieces.join('')
      const result = markMatches(html, [parseSearch(text, stems)])
      const marks = /<span class="highlight">([^<]*)<\/span>/g
      return (
        result.replace(marks, '$1') === html &&
        [...result.matchAll(marks)].every(([, inside = '']) => inside !== '' && !/&[^;]*$|^[^&]*;/.test(inside))
      )
    }),
    { numRuns: 2000 },
  )
  t.pass()
})
