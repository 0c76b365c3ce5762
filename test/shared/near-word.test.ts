import t from 'tap'
import { nearestWord } from '../../shared/near-word.js'

const words = ['sender', 'from', 'channel', 'channels', 'before', 'is', 'in']

t.test('a word with one mistake is near, one of seven letters also with two', async t => {
  for (const [typed, word] of [
    ['form', 'from'],
    ['frm', 'from'],
    ['fromm', 'from'],
    ['FRON', 'from'],
    ['chanel', 'channel'],
    ['channnels', 'channels'],
    ['bfroe', undefined],
    ['ebforee', 'before'],
    ['i', 'is'],
  ] as const)
    t.equal(nearestWord(typed, words), word, typed)
})

t.test('other words are near to none', async t => {
  for (const typed of ['', 'what', 'fr', 'sent', 'x'.repeat(10_000)])
    t.equal(nearestWord(typed, words), undefined, typed.slice(0, 9))
  t.equal(nearestWord('from', []), undefined)
})
