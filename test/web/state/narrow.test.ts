import t from 'tap'
import { addressOf, type Narrow, narrowOf, termsOf } from '../../../server/web/state/narrow.js'
import { conversationKey } from '../../../shared/resources/place.js'

const narrows: Narrow[] = [
  { kind: 'all' },
  { kind: 'mentions' },
  { kind: 'starred' },
  { kind: 'channel', channelId: 5 },
  { kind: 'topic', channelId: 5, topic: 'a/b #c %d' },
  { kind: 'topic', channelId: 5, topic: '' },
  { kind: 'direct', key: '2,3' },
  { kind: 'search', words: 'two words' },
  { kind: 'search', words: 'x/y', within: { kind: 'topic', channelId: 5, topic: 't/u' } },
]

t.test('an address leads back to the view that it was made of', async t => {
  for (const narrow of narrows) t.same(narrowOf(`#${addressOf(narrow)}`, 1), narrow, addressOf(narrow))
})

t.test('what names nothing leads nowhere', async t => {
  for (const address of [
    '',
    '#',
    '#nothing',
    '#channel/x',
    '#channel/5/%E0%A4%A',
    '#direct/',
    '#direct/a',
    '#search/',
    '#channel/99999999999999999',
  ]) {
    t.equal(narrowOf(address, 1), undefined, address)
  }
})

t.test('a conversation is one, in whatever order its people are named, with oneself or without', async t => {
  t.equal(conversationKey([3, 1, 2, 3], 1), '2,3')
  t.equal(conversationKey([1], 1), '1', 'notes to oneself')
  t.same(narrowOf('#direct/3,1,2', 1), { kind: 'direct', key: '2,3' })
})

t.test('links in messages lead to the views of this page', async t => {
  for (const [link, narrow] of [
    ['#narrow/channel/5-with-.2E-dot', { kind: 'channel', channelId: 5 }],
    ['#narrow/channel/5-x/topic/a.20b.2Fc.2E', { kind: 'topic', channelId: 5, topic: 'a b/c.' }],
    ['#narrow/channel/5-x/topic/', { kind: 'topic', channelId: 5, topic: '' }],
    ['#narrow/channel/5-x/topic/t/near/17', { kind: 'topic', channelId: 5, topic: 't' }],
    ['#narrow/dm/1,2-dm', { kind: 'direct', key: '2' }],
    ['#narrow/is/starred', undefined],
    ['#narrow/channel/x', undefined],
  ] as const) {
    t.same(narrowOf(link, 1), narrow, link)
  }
})

t.test('the words for the API', async t => {
  t.same(termsOf({ kind: 'search', words: 'x', within: { kind: 'direct', key: '2,3' } }), [
    { operator: 'dm', operand: [2, 3] },
    { operator: 'search', operand: 'x' },
  ])
})
