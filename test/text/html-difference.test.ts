import fc from 'fast-check'
import t from 'tap'
import { htmlDifference } from '../../server/text/html-difference.js'

const inserted = (text: string) => `<span class="highlight_text_inserted">${text}</span>`
const deleted = (text: string) => `<span class="highlight_text_deleted">${text}</span>`

t.test('words are marked where they changed, between the tags of the later text', async t => {
  const cases = [
    ['<p>one two</p>', '<p>one two</p>', '<p>one two</p>'],
    ['<p>one two</p>', '<p>one three</p>', `<p>one ${deleted('two')}${inserted('three')}</p>`],
    ['<p>one</p>', '<p>one <strong>two</strong></p>', `<p>one <strong>${inserted('two')}</strong></p>`],
    ['<p>a &lt;b&gt;</p>', '<p>a &amp;</p>', `<p>a ${deleted('&lt;b&gt;')}${inserted('&amp;')}</p>`],
    ['<p>gone</p>', '', deleted('gone')],
    ['', '<p>new</p>', `<p>${inserted('new')}</p>`],
  ] as const
  for (const [before, after, difference] of cases) t.equal(htmlDifference(before, after), difference)
})

t.test('texts that differ everywhere cost little, and are shown as a whole', async t => {
  const text = (word: string) => `<p>${Array.from({ length: 5000 }, (_, i) => `${word}${i}`).join(' ')}</p>`
  // Without a bound the comparison takes minutes, and ends in the file's time limit.
  const html = htmlDifference(text('a'), text('b'))
  t.ok(html.includes('highlight_text_deleted') && html.includes('highlight_text_inserted'))
})

t.test('without its marks a difference has the tags and the text of the later HTML', async () => {
  const words = fc.array(fc.constantFrom('<p>', '</p>', '<br>', 'word', ' ', '&lt;', 'größe', '👍', '.'), {
    maxLength: 30,
  })
  fc.assert(
    fc.property(words, words, (before, after) => {
      const html = htmlDifference(before.join(''), after.join(''))
      const kept = html
        .replace(/<span class="highlight_text_deleted">[^<]*<\/span>/g, '')
        .replace(/<span class="highlight_text_inserted">([^<]*)<\/span>/g, '$1')
      return kept.replace(/\s/g, '') === after.join('').replace(/\s/g, '')
    }),
  )
})
