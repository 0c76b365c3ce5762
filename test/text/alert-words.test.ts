import fc from 'fast-check'
import t from 'tap'
import { AlertWords } from '../../server/text/alert-words.js'

/** The same by a scan of all words. */
function scan(words: ReadonlyMap<number, readonly string[]>, text: string): number[] {
  const lower = text.toLowerCase()
  const occurs = (word: string) => {
    for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) {
      const [left, right] = [lower[at - 1] ?? ' ', lower[at + word.length] ?? ' ']
      const isSpaceless = (character: string | undefined) => character === '東' || character === 'ア'
      const begins = '\n (".,\';[*`>'.includes(left) || isSpaceless(left) || isSpaceless(word[0])
      const ends = "\n )?:.,';]!*`".includes(right) || isSpaceless(right) || isSpaceless(word.at(-1))
      if (begins && ends) return true
    }
    return false
  }
  return [...words].filter(([, own]) => own.some(word => occurs(word.toLowerCase()))).map(([id]) => id)
}

t.test('the same users are found as by a scan, after any changes', async t => {
  const word = fc.string({
    unit: fc.constantFrom('a', 'B', 'é', ' ', '.', "'", '😀', '東', 'ア'),
    minLength: 1,
    maxLength: 4,
  })
  const change = fc.tuple(fc.nat(4), fc.uniqueArray(word, { maxLength: 3, selector: one => one.toLowerCase() }))
  fc.assert(
    fc.property(
      fc.array(change, { maxLength: 12 }),
      fc.string({ unit: fc.constantFrom('a', 'b', 'É', ' ', '.', "'", '(', '\n', '😀', '東', 'ア'), maxLength: 30 }),
      (changes, text) => {
        const matcher = new AlertWords()
        const words = new Map<number, readonly string[]>()
        for (const [id, own] of changes) {
          matcher.change(id, words.get(id) ?? [], own)
          words.set(id, own)
        }
        const ascending = (ids: Iterable<number>) => [...ids].sort((a, b) => a - b)
        const [found, wanted] = [ascending(matcher.usersOf(text)), ascending(scan(words, text))]
        return found.join() === wanted.join()
      },
    ),
  )
  t.pass()
})

t.test('in scripts without spaces a word is found between any characters', async t => {
  const matcher = new AlertWords()
  matcher.change(1, [], ['東京', '회의', 'ไทย', 'ops'])
  for (const text of [
    '東京に行く',
    '私は東京へ',
    'in東京',
    '회의가 있어요',
    'เมืองไทยสวย',
    '「ops」が',
    '今日はopsです',
  ])
    t.same([...matcher.usersOf(text)], [1], text)
  for (const text of ['東の京', '회사 의', 'devopsです', 'opsteam']) t.same([...matcher.usersOf(text)], [], text)
})

t.test('a word is bounded by the start, the end, spaces and punctuation', async t => {
  const matcher = new AlertWords()
  matcher.change(1, [], ['Ops', 'on call!'])
  for (const text of ['ops', '(OPS)!', "ops's", '> ops?', 'the\nops\n', '`ops`', 'now: on call!']) {
    t.same([...matcher.usersOf(text)], [1], text)
  }
  for (const text of ['devops', 'ops_', 'ops-team', '/ops', 'on call', '']) t.same([...matcher.usersOf(text)], [], text)
})
