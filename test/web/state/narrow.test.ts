import t from 'tap'
import type { Narrow } from '../../../server/web/state/narrow.js'
import { termsOf } from '../../../server/web/state/terms.js'
import { conversationKey } from '../../../shared/resources/place.js'
import { someState } from './state.js'

t.test('a conversation is one, in whatever order its people are named, with oneself or without', async t => {
  t.equal(conversationKey([3, 1, 2, 3], 1), '2,3')
  t.equal(conversationKey([1], 1), '1', 'notes to oneself')
})

t.test('the words for the API', async t => {
  const within: Narrow = { kind: 'direct', key: '2,3' }
  const dm = { operator: 'dm', operand: [2, 3] }
  const terms = (words: string) => termsOf(someState(), { kind: 'search', words, within })
  t.same(terms('x'), [dm, { operator: 'search', operand: 'x' }])
  t.same(terms('-channel:"channel 5" x'), [
    dm,
    { operator: 'channel', operand: 5, negated: true },
    { operator: 'search', operand: 'x' },
  ])
  t.same(terms('channel:"channel 5"'), [{ operator: 'channel', operand: 5 }], 'a place in the text counts')
  t.throws(() => terms('is:wrong'), /choose one of/)
})
