import t from 'tap'
import { setOrganization } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { checkObject } from '../../support/wire-schemas.js'

const server = await startServer(t)
const [owner, reader] = [await server.person({ role: 100 }), await server.person()]
const set = async (message_edit_history_visibility_policy: string) => {
  await setOrganization(server.sql, { message_edit_history_visibility_policy })
  await server.ctx.directory.fresh()
}

async function channelOf(person: Person, name: string, invite_only = false): Promise<number> {
  await person.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], invite_only })
  return (await person.ok('GET', '/get_stream_id', { stream: name })).stream_id
}

const history = async (who: Person, id: number, params = {}) => {
  const { message_history } = await who.ok('GET', `/messages/${id}/history`, params)
  for (const snapshot of message_history) t.same(checkObject('message_snapshot', snapshot), [])
  return message_history
}

t.test('each state of a message, with what changed', async t => {
  const [from, to] = [await channelOf(owner, 'from'), await channelOf(owner, 'to')]
  const { id } = await owner.ok('POST', '/messages', { type: 'channel', to: from, topic: 'a', content: 'one' })
  t.match(await history(reader, id), [
    { content: 'one', rendered_content: '<p>one</p>', topic: 'a', user_id: owner.id },
  ])
  await owner.ok('PATCH', `/messages/${id}`, { content: 'one two' })
  await owner.ok('PATCH', `/messages/${id}`, { topic: 'b' })
  await owner.ok('PATCH', `/messages/${id}`, { stream_id: to, topic: '' })
  const states = await history(reader, id)
  t.match(states, [
    { content: 'one', topic: 'a', user_id: owner.id },
    {
      content: 'one two',
      topic: 'a',
      prev_content: 'one',
      prev_rendered_content: '<p>one</p>',
      content_html_diff: '<p>one<span class="highlight_text_inserted"> two</span></p>',
    },
    { content: 'one two', topic: 'b', prev_topic: 'a' },
    { content: 'one two', topic: 'general chat', prev_topic: 'b', prev_stream: from, stream: to },
  ])
  t.equal(states.length, 4)
  t.notOk('content_html_diff' in states[2])
  t.equal((await history(reader, id, { allow_empty_topic_name: true }))[3].topic, '')

  await set('moves')
  const moves = await history(reader, id)
  t.match(
    moves.map((one: { topic: string }) => one.topic),
    ['a', 'b', 'general chat'],
  )
  t.notOk(JSON.stringify(moves).includes('prev_content'), 'no earlier text')
  await set('none')
  t.match(await reader.get(`/messages/${id}/history`), { status: 400, body: { code: 'BAD_REQUEST' } })
  await set('all')
})

t.test('nothing of a channel that the reader may not know, and nothing of unreadable messages', async t => {
  const [closed, open] = [await channelOf(owner, 'closed', true), await channelOf(owner, 'open')]
  const { id } = await owner.ok('POST', '/messages', { type: 'channel', to: closed, topic: 'a', content: 'secret' })
  for (const path of [
    `/messages/${id}/history`,
    '/messages/999999/history',
    '/messages/99999999999999999999/history',
  ]) {
    t.match(await reader.get(path), { status: 400, body: { code: 'BAD_REQUEST' } })
  }
  await owner.ok('PATCH', `/messages/${id}`, { content: 'public' })
  await owner.ok('PATCH', `/messages/${id}`, { stream_id: open })
  await owner.ok('PATCH', `/messages/${id}`, { content: 'public, too' })
  const states = await history(reader, id)
  t.notOk(JSON.stringify(states).includes('secret'))
  t.match(
    states.map((one: { content: string }) => one.content),
    ['public', 'public, too'],
  )
  t.equal((await history(owner, id)).length, 4)
  t.equal((await server.api(null).get(`/messages/${id}/history`)).status, 401)
})
