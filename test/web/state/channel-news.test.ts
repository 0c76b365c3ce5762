import t from 'tap'
import { newsOf, resolvedIn } from '../../../server/web/state/channel-news.js'
import type { Message } from '../../../server/web/state/chat-state.js'
import { message } from './state.js'

const reactedWith = (...codes: readonly string[]) =>
  codes.map(emoji_code => ({ emoji_name: 'x', emoji_code, reaction_type: 'unicode_emoji', user_id: 2 }))

const unread = [
  { id: 101, subject: 'one', sender_id: 2, timestamp: 1_000 },
  { id: 102, subject: '✔ done', sender_id: 3, timestamp: 2_000, reactions: reactedWith('2705') },
  { id: 103, subject: 'two', sender_id: 2, timestamp: 3_000, reactions: reactedWith('1f44d') },
  { id: 104, subject: 'two', sender_id: 2, timestamp: 4_000, reactions: reactedWith('1f44d', '2714') },
].map(one => ({ ...message({ id: one.id }), flags: [], ...one }) as unknown as Message)

t.test('counts, and what stands out, the newest first', async t => {
  const news = newsOf(unread, new Set([101, 103, 999]))
  t.match(news, {
    messages: 4,
    people: 2,
    since: 1_000,
    topics: [
      { name: 'two', messages: 2 },
      { name: 'one', messages: 1 },
      { name: '✔ done', messages: 1 },
    ],
  })
  t.same(
    news?.decisions.map(({ id }) => id),
    [104, 102],
    'other reactions decide nothing',
  )
  t.same(
    news?.mentions.map(({ id }) => id),
    [103, 101],
  )
  t.same(news && resolvedIn(news), ['✔ done'])
})

t.test('nothing is new without messages', async t => {
  t.equal(newsOf([], new Set([1])), undefined)
})
