import t from 'tap'
import type { ChatState, Message } from '../../../server/web/state/chat-state.js'
import { addPage, openFeed } from '../../../server/web/state/feeds.js'
import { homeView } from '../../../server/web/state/home-view.js'
import { idsOfInbox, inboxOf, unreadPlaces } from '../../../server/web/state/inbox.js'
import { addressOf } from '../../../server/web/state/narrow.js'
import { recentPlaces } from '../../../server/web/state/recent.js'
import { unreadIdsOf } from '../../../server/web/state/unread.js'
import { direct, message, play, sent, someState } from './state.js'

const topicsOf = (state: ChatState) =>
  inboxOf(state).sections.flatMap(({ section, channels }) =>
    channels.flatMap(({ channelId, topics }) => topics.map(({ name }) => `${section}/${channelId}/${name}`)),
  )

t.test('the inbox has what is unread, by folder, channel and topic, the newest first', async t => {
  const state = someState()
  state.channel_folders = [{ id: 9, name: 'Teams', order: 0, is_archived: false } as never]
  Object.assign(state.subscriptions[6] as object, { folder_id: 9 })
  play(
    state,
    sent(message({ id: 101, subject: 'old' })),
    sent(message({ id: 102, subject: 'new' }), ['mentioned']),
    sent(message({ id: 103, stream_id: 6, subject: '' })),
    sent(message({ id: 104, subject: 'mine' }), ['read']),
    sent(direct({ id: 105 }, [1, 2])),
    sent(direct({ id: 106 }, [1, 2, 3])),
  )
  t.same(topicsOf(state), ['channels/5/new', 'channels/5/old', 'folder:9/6/'])
  t.same(
    inboxOf(state).direct.map(one => one.key),
    ['2,3', '2'],
  )
  t.same(
    inboxOf(state).sections[0]?.channels[0]?.topics.map(one => one.isMention),
    [true, false],
  )
  t.same(idsOfInbox(inboxOf(state)).sort(), [101, 102, 103, 105, 106])
  t.same(
    unreadPlaces(inboxOf(state)).map(({ narrow, ids }) => [addressOf(narrow), ids]),
    [
      ['direct/2,3', [106]],
      ['direct/2', [105]],
      ['channel/5/new', [102]],
      ['channel/5/old', [101]],
      ['channel/6/', [103]],
    ],
  )
})

t.test('muted topics and channels are not in it, but topics that are unmuted or followed there', async t => {
  const state = play(
    someState(),
    sent(message({ id: 101, subject: 'muted' })),
    sent(message({ id: 102, stream_id: 6, subject: 'quiet' })),
    sent(message({ id: 103, stream_id: 6, subject: 'Followed' })),
  )
  play(
    state,
    { type: 'user_topic', stream_id: 5, topic_name: 'MUTED', visibility_policy: 1 },
    { type: 'user_topic', stream_id: 6, topic_name: 'followed', visibility_policy: 3 },
    { type: 'subscription', op: 'update', stream_id: 6, property: 'is_muted', value: true },
  )
  t.same(topicsOf(state), ['channels/6/Followed'])
  t.same(idsOfInbox(inboxOf(state)), [103])
  t.same(unreadIdsOf(state, { kind: 'all' }).sort(), [101, 102, 103], 'everything is really everything')
  t.same(unreadIdsOf(state, { kind: 'topic', channelId: 5, topic: 'Muted' }), [101])
  t.same(unreadIdsOf(state, { kind: 'channel', channelId: 6 }).sort(), [102, 103])
  t.same(unreadIdsOf(state, { kind: 'direct', key: '2' }), [])
})

t.test('nothing unread, an empty inbox', async t => {
  t.same(inboxOf(someState()), { direct: [], sections: [] })
})

t.test('recent conversations come by their newest message, with those who wrote last', async t => {
  const state = someState()
  const feed = openFeed(state, { kind: 'recent' })
  const read = (one: Omit<Message, 'flags'>) => ({ ...one, flags: ['read'] }) as Message
  const messages = [
    read(message({ id: 1, subject: 'a' })),
    read(direct({ id: 2 }, [1, 3])),
    read(message({ id: 3, subject: 'A', sender_id: 3 })),
    read(message({ id: 4, stream_id: 6, subject: 'b' })),
  ]
  addPage(state, feed, { messages, found_oldest: true, found_newest: true }, 'whole')
  play(state, sent(direct({ id: 101 }, [1, 3])))
  const shown = () => recentPlaces(state, feed).map(one => [one.key, one.newestId, one.senderIds, one.unread])
  t.same(shown(), [
    ['d3', 101, [2], 1],
    ['c6/b', 4, [2], 0],
    ['c5/a', 3, [3, 2], 0],
  ])
  play(state, { type: 'delete_message', message_ids: [4], message_type: 'stream', stream_id: 6, topic: 'b' })
  t.equal(shown().length, 2)
})

t.test('the first view is the one of the settings', async t => {
  const kindOf = (web_home_view: string) => homeView({ user_settings: { web_home_view } as never }).kind
  t.same(['inbox', 'recent', 'all_messages', 'some later one'].map(kindOf), ['inbox', 'recent', 'all', 'inbox'])
})
