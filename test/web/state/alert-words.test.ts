import fc from 'fast-check'
import t from 'tap'
import { AlertWords } from '../../../server/text/alert-words.js'
import { alertPattern } from '../../../server/web/state/alert-words.js'

const found = (text: string, words: readonly string[]) => {
  const pattern = alertPattern(words)
  return pattern ? Array.from(text.matchAll(pattern), ([word]) => word) : []
}

t.test('words are found with boundaries, in any letter case', async t => {
  t.same(found('Lunch? LUNCH, lunches; (lunch)', ['lunch']), ['Lunch', 'LUNCH', 'lunch'])
  t.same(found('a soup du jour', ['soup', 'soup du jour']), ['soup du jour'], 'the longest one')
  t.same(found('c++ and a.b and axb', ['c++', 'a.b']), ['c++', 'a.b'], 'no word is a pattern')
  t.same(found('anything', []), [])
})

t.test('the page marks something exactly where the server sets the flag', async t => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'B', 'b', '+', ' ', '.', '(', ']', '-', 'é', '東'),
    maxLength: 12,
  })
  const words = fc.array(
    text.map(word => word.trim()).filter(word => word !== ''),
    { minLength: 1, maxLength: 3 },
  )
  fc.assert(
    fc.property(text, words, (content, list) => {
      const server = new AlertWords()
      server.change(1, [], list)
      t.equal(found(content, list).length > 0, server.usersOf(content).has(1), JSON.stringify([content, list]))
    }),
  )
})
