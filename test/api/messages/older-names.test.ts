import t from 'tap'
import { startServer } from '../../support/server.js'
import { channelOf, Listener, people } from './scene.js'

const server = await startServer(t)
const [author, reader] = await people(server, 2)
const channel = await channelOf([author, reader])
const confusing = { status: 400, body: { code: 'REQUEST_CONFUSING_VAR', var_name1: 'topic', var_name2: 'subject' } }
const subjectOf = async (id: number) => (await reader.ok('GET', `/messages/${id}`)).message.subject

t.test('`subject` is the older name of `topic`: in sending, editing and typing', async t => {
  const message = { type: 'stream', to: channel.id, content: 'hello' }
  const { id } = await author.ok('POST', '/messages', { ...message, subject: 'first' })
  t.equal(await subjectOf(id), 'first')
  await author.ok('PATCH', `/messages/${id}`, { subject: 'second' })
  t.equal(await subjectOf(id), 'second')

  const ears = await Listener.start(server.ctx, reader)
  await author.ok('POST', '/typing', { type: 'channel', op: 'start', stream_id: channel.id, subject: 'second' })
  t.match(await ears.inStep(t), [{ type: 'typing', op: 'start', stream_id: channel.id, topic: 'second' }])
})

t.test('both names at once are refused', async t => {
  const names = { topic: 'one', subject: 'two' }
  const { id } = await author.ok('POST', '/messages', { type: 'channel', to: channel.id, topic: 'kept', content: 'hi' })
  t.match(await author.post('/messages', { type: 'channel', to: channel.id, content: 'hi', ...names }), confusing)
  t.match(await author.patch(`/messages/${id}`, names), confusing)
  t.match(await author.post('/typing', { type: 'channel', op: 'start', stream_id: channel.id, ...names }), confusing)
  t.equal(await subjectOf(id), 'kept')
})
