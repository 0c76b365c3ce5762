import t from 'tap'
import { startServer } from '../../support/server.js'
import { checkRegister } from '../../support/wire-schemas.js'
import { channelOf, people, say } from './scene.js'

const server = await startServer(t)

const types = ['message', 'update_message_flags', 'starred_messages', 'recent_private_conversations']
const state = { event_types: [], fetch_event_types: types, client_capabilities: { empty_topic_name: true } }

t.test('what a register answer contains of messages', async t => {
  // Otherwise a mentioned user follows the topic, even in a muted channel.
  const reader = await server.person({ settings: { automatically_follow_topics_where_mentioned: false } })
  const [other, third] = await people(server, 2)
  const [channel, muted] = [await channelOf([other, reader]), await channelOf([other, reader])]
  const fresh = await reader.ok('POST', '/register', state)
  t.match(fresh, { max_message_id: -1, starred_messages: [], recent_private_conversations: [] })
  t.same(fresh.unread_msgs, { count: 0, pms: [], streams: [], huddles: [], mentions: [], old_unreads_missing: false })
  await reader.ok('POST', '/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: muted.id, property: 'is_muted', value: true }],
  })
  const b = [await say(other, channel.id, 'x', 'B'), await say(other, channel.id, '@**all**', 'b')]
  const a = await say(other, channel.id, `@**|${reader.id}**`, '')
  const quiet = [await say(other, muted.id, '@**all**'), await say(other, muted.id, `@**|${reader.id}**`)]
  const pm = await say(other, [reader])
  const huddle = await say(third, [reader, other])
  const note = await say(reader, [reader])
  await say(other, [third])
  await say(other, (await channelOf([other])).id)
  const read = await say(other, channel.id, 'read', 'read')
  await reader.ok('POST', '/messages/flags', { messages: [read], op: 'add', flag: 'read' })
  await reader.ok('POST', '/messages/flags', { messages: [pm, b[0]], op: 'add', flag: 'starred' })
  const now = await reader.ok('POST', '/register', state)
  t.same(now.unread_msgs, {
    count: 6,
    pms: [
      { other_user_id: reader.id, sender_id: reader.id, unread_message_ids: [note] },
      { other_user_id: other.id, sender_id: other.id, unread_message_ids: [pm] },
    ],
    streams: [
      { stream_id: channel.id, topic: '', unread_message_ids: [a] },
      { stream_id: channel.id, topic: 'b', unread_message_ids: b },
      { stream_id: muted.id, topic: 'talk', unread_message_ids: quiet },
    ],
    huddles: [{ user_ids_string: `${reader.id},${other.id},${third.id}`, unread_message_ids: [huddle] }],
    mentions: [b[1], a, quiet[1]],
    old_unreads_missing: false,
  })
  t.same(now.starred_messages, [b[0], pm])
  t.same(now.recent_private_conversations, [
    { max_message_id: note, user_ids: [] },
    { max_message_id: huddle, user_ids: [other.id, third.id] },
    { max_message_id: pm, user_ids: [other.id] },
  ])
  t.equal(now.max_message_id, read)
  t.same(checkRegister(now, types), [])
  const older = await reader.ok('POST', '/register', { ...state, client_capabilities: {} })
  t.equal(older.unread_msgs.streams[0].topic, 'general chat')
})

t.test('unread messages are in the answer only with both event types', async t => {
  const [reader] = await people(server, 1)
  const fetch_event_types = ['update_message_flags']
  t.notOk('unread_msgs' in (await reader.ok('POST', '/register', { ...state, fetch_event_types })))
})
