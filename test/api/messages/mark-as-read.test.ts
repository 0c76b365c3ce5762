// The operations that mark many messages: by narrow, everything, a channel, a topic.
import t from 'tap'
import { startServer } from '../../support/server.js'
import { channelOf, Listener, people, refused, say } from './scene.js'

const server = await startServer(t)
const { ctx } = server

t.test('by narrow: the range around the anchor', async t => {
  const [author, reader] = await people(server, 2)
  const channel = await channelOf([author, reader])
  const ids: number[] = []
  for (let i = 0; i < 4; i++) ids.push(await say(author, channel.id, 'x', i === 3 ? 'other' : 'talk'))
  const ear = await Listener.start(ctx, reader)
  const params = {
    narrow: [{ operator: 'channel', operand: channel.id }, ['topic', 'talk']],
    op: 'add',
    flag: 'read',
  }
  t.match(
    await reader.ok('POST', '/messages/flags/narrow', { anchor: ids[1], num_before: 0, num_after: 9, ...params }),
    {
      processed_count: 2,
      updated_count: 2,
      first_processed_id: ids[1],
      last_processed_id: ids[2],
      found_oldest: false,
      found_newest: true,
      ignored_because_not_subscribed_channels: [],
    },
  )
  t.match(await ear.inStep(t), [{ flag: 'read', messages: ids.slice(1, 3) }])
  t.match(
    await reader.ok('POST', '/messages/flags/narrow', {
      anchor: 'oldest',
      num_before: 0,
      num_after: 99_999,
      ...params,
    }),
    { processed_count: 3, updated_count: 1, found_oldest: true },
  )
  t.match(
    await reader.ok('POST', '/messages/flags/narrow', {
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      ...params,
      narrow: [['search', 'nothing']],
    }),
    { processed_count: 0, first_processed_id: null, last_processed_id: null },
  )
  const post = (more: object) =>
    reader.post('/messages/flags/narrow', { anchor: 'newest', num_before: 1, num_after: 1, ...params, ...more })
  t.match(await post({ include_anchor: false }), refused())
  t.match(await post({ flag: 'mentioned' }), refused())
  t.match(await post({ op: 'flip' }), refused())
  t.match(await post({ narrow: [['is', 'purple']] }), refused('BAD_NARROW'))
  t.match(await post({ anchor: 'x' }), refused())
  t.match(await post({ narrow: undefined }), refused('REQUEST_VARIABLE_MISSING', { var_name: 'narrow' }))
})

t.test('everything', async t => {
  const [author, reader] = await people(server, 2)
  const channel = await channelOf([author, reader])
  await say(author, channel.id)
  const old = await say(author, [reader])
  await server.sql`update messages set date_sent = now() - interval '1 hour' where id <= ${old}`
  await say(author, channel.id)
  const ear = await Listener.start(ctx, reader)
  t.match(await reader.ok('POST', '/mark_all_as_read'), { complete: true })
  t.match(await ear.inStep(t), [{ flag: 'read', messages: [], all: true }])
  t.equal(ear.state.unread_msgs.count, 0)
  const id = await say(author, channel.id)
  t.match(await ear.inStep(t), [{ type: 'message', flags: [] }])
  t.same(ear.state.unread_msgs.streams, [{ stream_id: channel.id, topic: 'talk', unread_message_ids: [id] }])
})

t.test('a channel, a topic', async t => {
  const [author, reader] = await people(server, 2)
  const channel = await channelOf([author, reader])
  const closed = await channelOf([author], { invite_only: true })
  const one = [await say(author, channel.id, 'x', 'One'), await say(author, channel.id, 'x', 'one')]
  const two = await say(author, channel.id, 'x', 'two')
  const ear = await Listener.start(ctx, reader)
  await reader.ok('POST', '/mark_topic_as_read', { stream_id: channel.id, topic_name: 'ONE' })
  await reader.ok('POST', '/mark_stream_as_read', { stream_id: channel.id })
  await reader.ok('POST', '/mark_stream_as_read', { stream_id: channel.id })
  t.match(await ear.inStep(t), [{ messages: one }, { messages: [two] }])
  t.match(await reader.post('/mark_stream_as_read', { stream_id: closed.id }), refused())
  t.match(await reader.post('/mark_stream_as_read', { stream_id: 999_999 }), refused())
  t.match(await reader.post('/mark_topic_as_read', { stream_id: closed.id, topic_name: 'one' }), refused())
  t.match(await reader.post('/mark_topic_as_read', { stream_id: channel.id, topic_name: 'three' }), refused())
  t.match(await reader.post('/mark_stream_as_read', {}), refused('REQUEST_VARIABLE_MISSING', { var_name: 'stream_id' }))
})
