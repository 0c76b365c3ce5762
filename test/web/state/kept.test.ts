import t from 'tap'
import type { ChatState } from '../../../server/web/state/chat-state.js'
import { addPage, openFeed } from '../../../server/web/state/feeds.js'
import { carryOver, keptState } from '../../../server/web/state/kept.js'
import type { Narrow } from '../../../server/web/state/narrow.js'
import { forgetSeen, noteSeen, undoSeen } from '../../../server/web/state/seen.js'
import { message, play, sent, someState } from './state.js'

const talk: Narrow = { kind: 'topic', channelId: 5, topic: 'talk' }
const range = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at)

function show(state: ChatState, narrow: Narrow, ids: readonly number[], content = '<p>x</p>') {
  const feed = openFeed(state, narrow)
  const messages = ids.map(id => ({ ...message({ id, content }), flags: [] }))
  addPage(state, feed, { messages, found_oldest: true, found_newest: true }, 'whole')
  return feed
}

t.test('the newest messages of the views that were open last are kept', async t => {
  const state = someState()
  for (const channelId of range(100, 12)) show(state, { kind: 'channel', channelId }, range(channelId * 1000, 300))
  show(state, { kind: 'search', words: 'x' }, [5])
  show(state, talk, [])
  const kept = keptState(state)
  t.same(
    Object.keys(kept.feeds).sort(),
    range(104, 8).map(id => `channel/${id}`),
    'no search, and no view without messages',
  )
  t.equal(Object.keys(kept.messages).length, 8 * 200)
  t.match(kept.feeds['channel/111'], { foundOldest: false, foundNewest: true })
  t.equal(kept.feeds['channel/111']?.ids.at(-1), 111_299)
  t.equal(state.feeds['channel/111']?.ids.length, 300, 'the page goes on with all of them')
})

t.test('long messages make the kept part shorter', async t => {
  const state = someState()
  show(state, { kind: 'channel', channelId: 6 }, [1, 2])
  show(state, talk, range(10, 30), 'x'.repeat(100_000))
  const kept = keptState(state)
  t.same(kept.feeds['channel/5/talk']?.ids, range(20, 20))
  t.notOk('channel/6' in kept.feeds)
})

t.test('a view is kept without what only the running page knows', async t => {
  const state = someState()
  const feed = show(state, talk, [10, 20])
  Object.assign(feed, { isLoading: true, request: 4, late: [30], error: 'no' })
  state.typists = [{ userId: 2, place: 'x', until: 1 }]
  state.seen = [10]
  const kept = keptState(state)
  t.match(kept.feeds['channel/5/talk'], { isLoading: false, request: 0, late: [], error: null })
  t.match(kept, { typists: [], outbox: [], seen: [10] })
})

t.test('after a new queue a view shows what it did, and takes new messages only once it is fetched', async t => {
  const former = someState()
  show(former, talk, [10, 20])
  former.seen = [10]
  const fresh = someState()
  carryOver(former, fresh)
  t.match(fresh.feeds['channel/5/talk'], { ids: [10, 20], isStale: true })
  play(fresh, sent(message({ id: 101 })))
  t.same(fresh.feeds['channel/5/talk']?.ids, [10, 20], 'there may be a gap before it')
  show(fresh, talk, [20, 30, 101])
  t.match(fresh.feeds['channel/5/talk'], { ids: [20, 30, 101], isStale: false })
  t.same(fresh.seen, [10])
})

t.test('a message that was read is unread again if the server refuses', async t => {
  const state = play(someState(), sent(message({ id: 101 }), ['mentioned']), sent(message({ id: 102 })))
  const before = JSON.stringify(state.unread_msgs)
  noteSeen(state, [101, 102])
  t.match(state, { seen: [101, 102], unread_msgs: { channels: {}, mentions: [] } })
  undoSeen(state, [101, 102, 999])
  t.equal(JSON.stringify(state.unread_msgs), before)
  t.same([state.seen, state.messages[101]?.flags], [[], ['mentioned']])
  noteSeen(state, [101, 102])
  forgetSeen(state, [102])
  t.same(state.seen, [101])
})
