import t from 'tap'
import {
  besideOf,
  narrowOf,
  pageAddress,
  quoted,
  type Target,
  targetAddress,
  targetOf,
} from '../../../server/web/state/address.js'
import { addressOf, type Narrow } from '../../../server/web/state/narrow.js'

const narrows: Narrow[] = [
  { kind: 'all' },
  { kind: 'mentions' },
  { kind: 'starred' },
  { kind: 'channel', channelId: 5 },
  { kind: 'topic', channelId: 5, topic: 'a/b #c %d' },
  { kind: 'topic', channelId: 5, topic: '' },
  { kind: 'topic', channelId: 5, topic: 'near' },
  { kind: 'topic', channelId: 5, topic: 'x/near/5' },
  { kind: 'direct', key: '2,3' },
  { kind: 'search', words: 'two words' },
  { kind: 'search', words: 'x', byRelevance: true },
  { kind: 'search', words: 'x', within: { kind: 'channel', channelId: 5 }, byRelevance: true },
  { kind: 'search', words: 'x/y', within: { kind: 'topic', channelId: 5, topic: 't/u' } },
]

t.test('an address leads back to the view that it was made of, and to a message in it', async t => {
  for (const narrow of narrows) {
    t.same(targetOf(`#${addressOf(narrow)}`, 1), { narrow }, addressOf(narrow))
    const target: Target = { narrow, near: 17 }
    t.same(targetOf(`#${targetAddress(target)}`, 1), target, targetAddress(target))
  }
})

t.test('an address names a view and the conversation beside it', async t => {
  const beside: Target[] = [
    { narrow: { kind: 'channel', channelId: 5 } },
    { narrow: { kind: 'topic', channelId: 5, topic: 'a&beside=b/near/2' }, near: 17 },
    { narrow: { kind: 'direct', key: '2,3' } },
  ]
  for (const other of beside)
    for (const narrow of narrows) {
      const address = `#${pageAddress({ narrow, near: 17 }, other)}`
      t.same(targetOf(address, 1), { narrow, near: 17 }, address)
      t.same(besideOf(address, 1), other, address)
    }
  t.equal(pageAddress(undefined, undefined), '')
  t.same(besideOf(`#${pageAddress(undefined, beside[0])}`, 1), beside[0])
})

t.test('what is no conversation is not beside a view', async t => {
  for (const other of [
    '',
    'inbox',
    'all',
    'search/x',
    'nothing',
    'channel/x',
    'channel/5/%E0',
    'direct/',
    'settings',
  ]) {
    t.equal(besideOf(`#channel/5&beside=${other}`, 1), undefined, other)
    t.same(targetOf(`#channel/5&beside=${other}`, 1), { narrow: { kind: 'channel', channelId: 5 } }, other)
  }
  for (const address of ['', '#', '#channel/5', '#channel/5/a%26beside%3Dchannel%2F5', '#channel/5&Beside=channel/5'])
    t.equal(besideOf(address, 1), undefined, address)
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
    '#relevant/',
    '#channel/99999999999999999',
    '#near/17',
    '#channel/near/17',
    '#narrow',
    '#narrow/',
    '#narrow/channel/x',
    '#narrow/what/is-this',
    '#narrow/toString/x',
    '#narrow//x',
    '#narrow/channel/5-x/topic/.E0.A4.A',
    '#narrow/dm/a-b',
    '#narrow/channel/x/near/17',
  ]) {
    t.equal(targetOf(address, 1), undefined, address)
  }
})

t.test('links in messages lead to the views of this page', async t => {
  const talk: Narrow = { kind: 'topic', channelId: 5, topic: 't' }
  for (const [link, target] of [
    ['#narrow/channel/5-with-.2E-dot', { narrow: { kind: 'channel', channelId: 5 } }],
    ['#narrow/stream/5-x/subject/a.20b.2Fc.2E', { narrow: { kind: 'topic', channelId: 5, topic: 'a b/c.' } }],
    ['#narrow/channel/5-x/topic/', { narrow: { kind: 'topic', channelId: 5, topic: '' } }],
    ['#narrow/channel/5-x/topic//near/55', { narrow: { kind: 'topic', channelId: 5, topic: '' }, near: 55 }],
    ['/#narrow/channel/5-x/topic/t/near/17', { narrow: talk, near: 17 }],
    ['#narrow/channel/5-x/topic/t/with/18', { narrow: talk, with: 18 }],
    ['#narrow/channel/5-x/topic/t/near/javascript:alert(1)', { narrow: talk }],
    ['#narrow/dm/1,2-dm', { narrow: { kind: 'direct', key: '2' } }],
    ['#narrow/pm-with/1,2,3-group/near/4', { narrow: { kind: 'direct', key: '2,3' }, near: 4 }],
    ['#narrow/is/starred', { narrow: { kind: 'starred' } }],
    ['#narrow/near/17', { narrow: { kind: 'all' }, near: 17 }],
    ['#narrow/sender/12-Ada', { narrow: { kind: 'search', words: 'sender:12' } }],
    [
      '#narrow/channel/5-x/topic/t/search/two.20words',
      { narrow: { kind: 'search', words: 'two words', within: talk } },
    ],
  ] as const) {
    t.same(targetOf(link, 1), target, link)
  }
})

t.test('a conversation is one, in whatever order its people are named, with oneself or without', async t => {
  t.same(narrowOf('#direct/3,1,2', 1), { kind: 'direct', key: '2,3' })
})

t.test('an operand is put in quotation marks only where it needs them', async t => {
  t.same(['plain', 'two words', 'a "b" \\c', ''].map(quoted), ['plain', '"two words"', '"a \\"b\\" \\\\c"', '""'])
})
