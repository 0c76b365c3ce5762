import t from 'tap'
import type { ChatState, Message } from '../../../server/web/state/chat-state.js'
import { addPage, openFeed } from '../../../server/web/state/feeds.js'
import type { Narrow } from '../../../server/web/state/narrow.js'
import { direct, message, play, sent, someState } from './state.js'

const talk: Narrow = { kind: 'topic', channelId: 5, topic: 'talk' }
const flagged = (ids: readonly number[]): Message[] =>
  ids.map(id => ({ ...message({ id }), flags: ['read'] }) as Message)
const page = (ids: readonly number[], oldest = true, newest = true) => ({
  messages: flagged(ids),
  found_oldest: oldest,
  found_newest: newest,
})

function opened(state: ChatState, narrow: Narrow, ids: readonly number[], newest = true) {
  const feed = openFeed(state, narrow)
  addPage(state, feed, page(ids, false, newest), 'whole')
  return feed
}

t.test('a message comes into every view that it belongs to, and no other', async t => {
  const state = someState()
  const views: Record<string, Narrow> = {
    topic: talk,
    other: { kind: 'topic', channelId: 5, topic: 'other' },
    channel: { kind: 'channel', channelId: 5 },
    all: { kind: 'all' },
    mentions: { kind: 'mentions' },
    direct: { kind: 'direct', key: '2' },
    search: { kind: 'search', words: 'x' },
  }
  const feeds = Object.entries(views).map(([name, narrow]) => [name, opened(state, narrow, [])] as const)
  play(
    state,
    sent(message({ id: 101, subject: 'TALK' }), ['mentioned']),
    sent(direct({ id: 102 }, [1, 2])),
    sent(message({ id: 103, stream_id: 6 })),
  )
  t.same(Object.fromEntries(feeds.map(([name, feed]) => [name, [...feed.ids]])), {
    topic: [101],
    other: [],
    channel: [101],
    all: [101, 102, 103],
    mentions: [101],
    direct: [102],
    search: [],
  })
})

t.test('what comes beyond the end that is known waits to be fetched', async t => {
  const state = someState()
  const feed = opened(state, talk, [10, 20], false)
  play(state, sent(message({ id: 101 })))
  t.same(feed.ids, [10, 20])
  feed.isLoading = true
  play(state, sent(message({ id: 102 })))
  addPage(state, feed, page([30, 101]), 'newer')
  t.same(feed.ids, [10, 20, 30, 101, 102], 'what came while the page was under way is not lost')
  t.ok(feed.foundNewest)
})

t.test('pages overlap without doubling, and know their ends', async t => {
  const state = someState()
  const feed = opened(state, talk, [20, 30])
  t.notOk(feed.foundOldest)
  addPage(state, feed, page([5, 10, 20], true, false), 'older')
  t.same(feed.ids, [5, 10, 20, 30])
  t.ok(feed.foundOldest)
  t.ok(feed.foundNewest, 'an older page says nothing of the newest')
  play(state, sent(message({ id: 30 })), sent(message({ id: 25 })))
  t.same(feed.ids, [5, 10, 20, 25, 30])
})

t.test('what is moved or deleted leaves', async t => {
  const state = someState()
  const feed = opened(state, talk, [10, 20, 30])
  const other = opened(state, { kind: 'topic', channelId: 5, topic: 'else' }, [])
  const move = { stream_id: 5, orig_subject: 'talk', subject: 'else', flags: [], edit_timestamp: 1 }
  play(state, { type: 'update_message', message_id: 20, message_ids: [20, 30], ...move })
  t.same([feed.ids, other.ids], [[10], [20, 30]])
  play(state, { type: 'delete_message', message_ids: [20], message_type: 'stream', stream_id: 5, topic: 'else' })
  t.same([feed.ids, other.ids], [[10], [30]])
  t.notOk(state.messages[20])
})

t.test('a star that is taken away takes the message out of that view', async t => {
  const state = someState()
  opened(state, talk, [10])
  const starred = opened(state, { kind: 'starred' }, [])
  const star = (op: string) =>
    play(state, { type: 'update_message_flags', op, flag: 'starred', messages: [10], all: false })
  star('add')
  t.same([starred.ids, state.starred_messages], [[10], [10]])
  star('remove')
  t.same([starred.ids, state.starred_messages], [[], []])
})

t.test('views that were left long ago are let go', async t => {
  const state = someState()
  for (let topic = 0; topic < 40; topic++) openFeed(state, { kind: 'topic', channelId: 5, topic: `t${topic}` })
  openFeed(state, { kind: 'topic', channelId: 5, topic: 't39' })
  t.equal(Object.keys(state.feeds).length, 24)
  t.ok(state.feeds['channel/5/t39'])
  t.notOk(state.feeds['channel/5/t0'])
})

t.test('edits and reactions change the message, also when their event comes twice', async t => {
  const state = someState()
  opened(state, talk, [10])
  const reaction = {
    type: 'reaction',
    message_id: 10,
    user_id: 2,
    emoji_name: '+1',
    emoji_code: '1f44d',
    reaction_type: 'unicode_emoji',
  }
  play(
    state,
    { ...reaction, op: 'add' },
    { ...reaction, op: 'add' },
    { ...reaction, op: 'add', user_id: 3 },
    { ...reaction, op: 'add', message_id: 999 },
  )
  t.equal(state.messages[10]?.reactions.length, 2)
  play(state, { ...reaction, op: 'remove' }, { ...reaction, op: 'remove' })
  t.same(
    state.messages[10]?.reactions.map(one => one.user_id),
    [3],
  )
  const edit = {
    type: 'update_message',
    message_id: 10,
    message_ids: [10],
    stream_id: 5,
    rendered_content: '<p>y</p>',
    edit_timestamp: 7,
  }
  play(state, { ...edit, flags: ['read', 'mentioned'], rendering_only: false })
  t.match(state.messages[10], { content: '<p>y</p>', flags: ['read', 'mentioned'], last_edit_timestamp: 7 })
})
