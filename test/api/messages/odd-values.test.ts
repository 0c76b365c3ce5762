// Bytes that no text can contain, numbers beyond the database's range, invalid dates: the server refuses or ignores
// them, and never fails with an internal error.
import t from 'tap'
import { startServer } from '../../support/server.js'
import { channelOf, people, say } from './scene.js'

const server = await startServer(t)
const [who, other] = await people(server, 2)
const channel = await channelOf([who, other])
const id = await say(who, channel.id)

// PostgreSQL cannot store this text.
const nul = 'a\u0000b'
const get = (narrow: unknown, more = {}) => who.get('/messages', { anchor: 'newest', num_before: 5, narrow, ...more })
const calls: [string, () => Promise<{ status: number }>][] = [
  ['search', () => get([['search', nul]])],
  ['topic', () => get([['topic', nul]])],
  ['channel', () => get([['channel', nul]])],
  ['sender', () => get([['sender', nul]])],
  ['dm', () => get([['dm', nul]])],
  ['id', () => get([['id', '99999999999999999999999']])],
  ['near', () => get([['near', nul]])],
  ['with', () => get([['with', '99999999999999999999']])],
  ['ids', () => who.get('/messages', { message_ids: [9007199254740991, -5] })],
  ['anchor', () => who.get('/messages', { anchor: nul, num_before: 1 })],
  ['anchor2', () => who.get('/messages', { anchor: '99999999999999999999', num_before: 1 })],
  ['date', () => who.get('/messages', { anchor: 'date', anchor_date: '+275760-09-13', num_before: 1 })],
  ['date2', () => who.get('/messages', { anchor: 'date', anchor_date: '9999-12-31T23:59:59', num_before: 1 })],
  ['date3', () => who.get('/messages', { anchor: 'date', anchor_date: '0000-01-01', num_before: 1 })],
  ['num', () => who.get('/messages', { anchor: 'newest', num_before: 5001 })],
  ['typing', () => who.post('/typing', { op: 'start', type: 'channel', stream_id: channel.id, topic: nul })],
  ['typing2', () => who.post('/typing', { op: 'start', type: 'channel', stream_id: 99999999999, topic: 'x' })],
  ['typing3', () => who.post('/typing', { op: 'start', to: [99999999999] })],
  ['topics', () => who.post('/user_topics', { stream_id: 99999999999, topic: 'x', visibility_policy: 1 })],
  ['topics2', () => who.post('/user_topics', { stream_id: -1, topic: 'x', visibility_policy: 1 })],
  ['topics3', () => who.post('/user_topics', { stream_id: channel.id, topic: '\ud800', visibility_policy: 1 })],
  ['send', () => who.post('/messages', { type: 'channel', to: channel.id, topic: nul, content: 'x' })],
  ['send2', () => who.post('/messages', { type: 'channel', to: nul, topic: 'x', content: 'x' })],
  ['send3', () => who.post('/messages', { type: 'direct', to: [99999999999], content: 'x' })],
  ['send4', () => who.post('/messages', { type: 'direct', to: nul, content: 'x' })],
  [
    'send5',
    () =>
      who.post('/messages', {
        type: 'channel',
        to: channel.id,
        topic: 'x',
        content: 'x',
        queue_id: nul,
        local_id: nul,
      }),
  ],
  ['edit', () => who.patch(`/messages/${id}`, { content: nul })],
  ['edit2', () => who.patch(`/messages/${id}`, { topic: nul })],
  ['edit3', () => who.patch(`/messages/${id}`, { stream_id: 99999999999 })],
  ['edit4', () => who.patch(`/messages/9999999999999999`, { content: 'x' })],
  ['edit5', () => who.patch(`/messages/99999999999999999999999`, { content: 'x' })],
  ['flags', () => who.post('/messages/flags', { messages: [9007199254740991], op: 'add', flag: 'read' })],
  ['flags2', () => who.post('/messages/flags', { messages: [9007199254740991], op: 'remove', flag: 'read' })],
  ['flags3', () => who.post('/messages/flags', { messages: [9007199254740991], op: 'add', flag: 'starred' })],
  ['flags4', () => who.post('/messages/flags', { messages: [9007199254740991], op: 'remove', flag: 'starred' })],
  [
    'narrowflags',
    () =>
      who.post('/messages/flags/narrow', {
        anchor: 'x',
        num_before: 1,
        num_after: 1,
        narrow: null,
        op: 'add',
        flag: 'read',
      }),
  ],
  [
    'narrowflags2',
    () =>
      who.post('/messages/flags/narrow', {
        anchor: 'newest',
        num_before: 999999999999,
        num_after: 1,
        narrow: null,
        op: 'add',
        flag: 'read',
      }),
  ],
  [
    'narrowflags3',
    () =>
      who.post('/messages/flags/narrow', {
        anchor: 'newest',
        num_before: -1,
        num_after: 1,
        narrow: null,
        op: 'add',
        flag: 'read',
      }),
  ],
  ['react', () => who.post(`/messages/${id}/reactions`, { emoji_name: nul })],
  [
    'react2',
    () =>
      who.post(`/messages/${id}/reactions`, { emoji_name: nul, emoji_code: '1f642', reaction_type: 'unicode_emoji' }),
  ],
  ['delete', () => who.delete(`/messages/9007199254740991`)],
  ['report', () => who.post(`/messages/9007199254740991/report`, { report_type: nul })],
  ['deltopic', () => who.post(`/streams/99999999999/delete_topic`, { topic_name: 'x' })],
  ['marktopic', () => who.post(`/mark_topic_as_read`, { stream_id: channel.id, topic_name: nul })],
  ['markstream', () => who.post(`/mark_stream_as_read`, { stream_id: 99999999999 })],
]
t.test('no value that a client can send breaks an operation', async t => {
  for (const [name, call] of calls) {
    const { status } = await call()
    t.ok(status < 500, `${name}: ${status}`)
  }
})
