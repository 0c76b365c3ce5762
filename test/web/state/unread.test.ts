import t from 'tap'
import { badgeCount, unreadOfChannel, unreadOfTopic } from '../../../server/web/state/unread.js'
import { unreadCount } from '../../../shared/events/unread.js'
import { direct, message, play, sent, someState } from './state.js'

t.test('what comes unread is counted where it is, once', async t => {
  const state = play(
    someState(),
    sent(message({ id: 101 })),
    sent(message({ id: 101 })),
    sent(message({ id: 102, subject: 'TALK' })),
  )
  t.equal(unreadOfTopic(state, 5, 'Talk'), 2)
  t.equal(unreadOfChannel(state, 5), 2)
  play(state, sent(direct({ id: 103 }, [1, 2])), sent(direct({ id: 104 }, [1, 2, 3]), ['mentioned']))
  t.same(state.unread_msgs.direct, { '2': [103], '2,3': [104] })
  t.same(state.unread_msgs.mentions, [104])
  t.equal(unreadCount(state), 4)
})

t.test('what comes read is not', async t => {
  t.equal(unreadCount(play(someState(), sent(message({ id: 101 }), ['read']))), 0)
})

t.test('reading takes out, here or in another client', async t => {
  const state = play(
    someState(),
    sent(message({ id: 101 })),
    sent(message({ id: 102 })),
    sent(direct({ id: 103 }, [1, 2])),
  )
  const read = (messages: number[], all = false) =>
    play(state, { type: 'update_message_flags', op: 'add', flag: 'read', messages, all })
  read([101, 999])
  t.equal(unreadOfTopic(state, 5, 'talk'), 1)
  t.ok(state.messages[101]?.flags.includes('read'))
  read([], true)
  t.equal(unreadCount(state), 0)
  t.same(state.unread_msgs, { channels: {}, direct: {}, mentions: [] })
})

t.test('what was marked as unread is counted again', async t => {
  const state = play(someState(), sent(message({ id: 101 }), ['read']), {
    type: 'update_message_flags',
    op: 'remove',
    flag: 'read',
    messages: [101, 102],
    all: false,
    message_details: {
      101: { type: 'stream', stream_id: 5, topic: 'talk', mentioned: true },
      102: { type: 'private', user_ids: [2, 3] },
    },
  })
  t.equal(unreadCount(state), 2)
  t.same(state.unread_msgs.mentions, [101])
  t.same(state.unread_msgs.direct, { '2,3': [102] })
})

t.test('muted topics and channels count quietly, or not at all', async t => {
  const state = play(someState(), sent(message({ id: 101 })), sent(message({ id: 102, stream_id: 6 })))
  play(state, { type: 'user_topic', stream_id: 5, topic_name: 'Talk', visibility_policy: 1 })
  t.equal(unreadOfChannel(state, 5), 0)
  play(state, { type: 'subscription', op: 'update', stream_id: 6, property: 'is_muted', value: true })
  t.equal(unreadCount(state), 0)
  t.equal(unreadOfChannel(state, 6), 1)
  play(state, { type: 'user_topic', stream_id: 6, topic_name: 'talk', visibility_policy: 2 })
  t.equal(unreadCount(state), 1, 'a topic that is unmuted in a muted channel')
  play(state, { type: 'user_topic', stream_id: 5, topic_name: 'talk', visibility_policy: 0 })
  t.equal(unreadCount(state), 2)
})

t.test('moved messages are unread where they are now, deleted ones nowhere', async t => {
  const state = play(someState(), sent(message({ id: 101 })), sent(message({ id: 102 }), ['mentioned']), {
    type: 'update_message',
    message_id: 102,
    message_ids: [102],
    flags: [],
    stream_id: 5,
    new_stream_id: 6,
    orig_subject: 'talk',
    subject: 'else',
    edit_timestamp: 5,
  })
  t.equal(unreadOfTopic(state, 5, 'talk'), 1)
  t.equal(unreadOfTopic(state, 6, 'else'), 1)
  t.same(state.unread_msgs.mentions, [102])
  play(state, { type: 'delete_message', message_ids: [101, 102], message_type: 'stream', stream_id: 6, topic: 'else' })
  t.equal(unreadCount(state), 0)
  t.same(state.unread_msgs.mentions, [])
})

t.test('nothing is unread in a channel that one has left', async t => {
  const state = play(someState(), sent(message({ id: 101 })), {
    type: 'subscription',
    op: 'remove',
    subscriptions: [{ stream_id: 5 }],
  })
  t.equal(unreadCount(state), 0)
  t.notOk(state.subscriptions[5])
  t.ok(state.unsubscribed[5], 'it is still known')
})

t.test(
  'desktop_icon_count_display: the title and the icon count each message once, and only what the setting says',
  async t => {
    const state = play(
      someState(),
      { type: 'user_topic', stream_id: 5, topic_name: 'followed', visibility_policy: 3 },
      { type: 'user_topic', stream_id: 6, topic_name: 'muted', visibility_policy: 1 },
      sent(message({ id: 101 })),
      sent(message({ id: 102 }), ['mentioned']),
      sent(direct({ id: 103 }, [1, 2]), ['mentioned']),
      sent(direct({ id: 104 }, [1, 2, 3])),
      sent(message({ id: 105, subject: 'Followed' })),
      sent(message({ id: 106, subject: 'followed' }), ['mentioned']),
      sent(message({ id: 107, stream_id: 6, subject: 'muted' })),
    )
    const counts = () =>
      [undefined, 1, 2, 3, 4].map(value => {
        Object.assign(state.user_settings, { desktop_icon_count_display: value })
        return badgeCount(state)
      })
    t.same(counts(), [6, 6, 5, 4, 0])
    play(state, { type: 'update_message_flags', op: 'add', flag: 'read', messages: [102, 104, 105], all: false })
    t.same(counts(), [3, 3, 2, 2, 0])
    play(state, { type: 'user_topic', stream_id: 5, topic_name: 'followed', visibility_policy: 0 })
    t.same(counts(), [3, 3, 2, 2, 0], 'a mention counts in any topic')
  },
)
