import t from 'tap'
import { budgets } from '../../../server/config/budgets.js'
import { setChannel, setUser } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { channelOf, each, Listener, type Loose, people, say } from './scene.js'

const server = await startServer(t)
const { ctx, sql } = server
const event_types = ['message', 'submessage', 'user_topic', 'default_streams']
const listen = (person: Person) => Listener.start(ctx, person, { event_types })
const bad = { status: 400, body: { code: 'BAD_REQUEST' } }
const vote = { type: 'vote', key: 'canned,0', vote: 1 }
const act = (who: Person, message_id: number, content: Loose, more: Loose = {}) =>
  who.post('/submessage', { message_id, msg_type: 'widget', content: JSON.stringify(content), ...more })
const parts = async (who: Person, id: number) => (await who.ok('GET', `/messages/${id}`)).message.submessages

t.test('a poll begins with its message, in the event as in answers', async t => {
  const [author, reader] = await people(server, 2)
  const channel = await channelOf([author, reader])
  const ear = await listen(reader)
  const id = await say(author, channel.id, '/poll Lunch?\n- soup\n- bread')
  const first = {
    id,
    message_id: id,
    sender_id: author.id,
    msg_type: 'widget',
    content: JSON.stringify({ widget_type: 'poll', extra_data: { question: 'Lunch?', options: ['soup', 'bread'] } }),
  }
  const [event] = await ear.inStep(t)
  t.same(event?.message.submessages, [first])
  t.equal(event?.message.id, id)
  t.same(await parts(reader, id), [first])
  const { messages } = await reader.ok('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
  t.same(messages[0].submessages, [first])
  t.match(messages[0].content, /^<p>\/poll Lunch\?/, 'the text stays')
  t.same(await parts(author, await say(author, channel.id, 'no poll')), [])
})

t.test('a vote reaches the users who can see the message, and changes nothing else', async t => {
  const [author, reader, outsider] = await people(server, 3)
  const channel = await channelOf([author, reader], { invite_only: true })
  const id = await say(author, channel.id, '/poll Lunch?\nsoup')
  const ears = await each([author, reader, outsider], person => listen(person))
  t.equal((await act(reader, id, vote)).status, 200)
  const [[own], [others], none] = (await each(ears, ear => ear.inStep(t))) as [Loose[], Loose[], Loose[]]
  const [, stored] = await parts(author, id)
  t.match(stored, { message_id: id, sender_id: reader.id, msg_type: 'widget', content: JSON.stringify(vote) })
  const event = {
    type: 'submessage',
    message_id: id,
    submessage_id: stored.id,
    sender_id: reader.id,
    msg_type: 'widget',
    content: JSON.stringify(vote),
  }
  t.match([own, others, none], [event, event, []])
  const { message } = await author.ok('GET', `/messages/${id}`)
  t.equal(message.last_edit_timestamp, undefined)
  t.match(await act(outsider, id, vote), bad)
})

t.test('many vote at once, and all clients see one order', async t => {
  const voters = await people(server, 5)
  const [author] = voters
  const channel = await channelOf(voters)
  const id = await say(author, channel.id, '/poll\na\nb')
  const ears = await each(voters.slice(0, 2), person => listen(person))
  await each(voters, async voter => {
    for (const key of ['canned,0', 'canned,1']) t.equal((await act(voter, id, { ...vote, key })).status, 200)
  })
  const stored = (await parts(author, id)).slice(1).map((one: Loose) => one.id)
  t.equal(stored.length, 10)
  for (const events of await each(ears, ear => ear.inStep(t))) {
    t.same(
      events.filter(event => event.type === 'submessage').map(event => event.submessage_id),
      stored,
    )
  }
})

t.test('a vote follows the topic for users who want that', async t => {
  const [author, reader] = await people(server, 2)
  await setUser(sql, reader.id, {
    settings: { automatically_follow_topics_policy: 1, automatically_unmute_topics_in_muted_streams_policy: 4 },
  })
  const channel = await channelOf([author, reader])
  const id = await say(author, channel.id, '/poll\na')
  const ear = await listen(reader)
  await act(reader, id, vote)
  t.match(
    (await ear.inStep(t)).map(event => event.type),
    ['user_topic', 'submessage'],
  )
})

t.test('the text of a widget is not edited; a move and a deletion take it along', async t => {
  const [author, reader] = await people(server, 2)
  const channel = await channelOf([author, reader])
  const id = await say(author, channel.id, '/todo Chores\nwash')
  await act(reader, id, { type: 'strike', key: '0,canned' })
  t.match(await author.call('PATCH', `/messages/${id}`, { content: '/todo Other' }), bad)
  await author.ok('PATCH', `/messages/${id}`, { topic: 'elsewhere' })
  t.equal((await parts(reader, id)).length, 2)
  const admin = await server.person({ role: 100 })
  await admin.ok('DELETE', `/messages/${id}`)
  t.equal((await sql`select from submessages where message_id = ${id}`).length, 0)
})

t.test('a program sends a form', async t => {
  const [author] = await people(server, 1)
  const form = {
    widget_type: 'zform',
    extra_data: { type: 'choices', heading: 'Fruit', choices: [{ short_name: 'A', long_name: 'Apple', reply: 'a' }] },
  }
  const message = { type: 'direct', to: [author.id], content: '/poll takes no precedence' }
  const { id } = await author.ok('POST', '/messages', { ...message, widget_content: JSON.stringify(form) })
  t.match(await parts(author, id), [{ content: JSON.stringify(form) }])
  for (const widget_content of ['no JSON', '{}', '""', JSON.stringify({ ...form, widget_type: 'poll' })]) {
    t.match(await author.post('/messages', { ...message, widget_content }), bad, widget_content)
  }
})

t.test('what is no act on this message is refused', async t => {
  const [author, reader] = await people(server, 2)
  const channel = await channelOf([author, reader])
  const poll = await say(author, channel.id, '/poll\na')
  const plain = await say(author, channel.id, 'no poll')
  for (const [who, id, content] of [
    [reader, poll, { type: 'question', question: 'x' }],
    [reader, poll, { type: 'vote' }],
    [reader, plain, vote],
    [reader, 2_147_483_647, vote],
  ] as const) {
    t.match(await act(who, id, content), bad)
  }
  for (const more of [{ content: 'no JSON' }, { msg_type: 'other' }, { message_id: 'x' }, { content: '"a\0b"' }]) {
    t.match(await act(reader, poll, vote, more), bad)
  }
  t.equal((await reader.post('/submessage', { message_id: poll, msg_type: 'widget' })).status, 400)
  t.equal((await reader.post('/submessage')).status, 400)
  t.equal((await act(author, plain, { any: 'thing' })).status, 200, 'the sender may begin')
  t.match(await act(reader, plain, vote), bad)
  t.equal((await parts(reader, poll)).length, 1)
  await setChannel(sql, channel.id, { is_archived: true })
  t.match(await act(reader, poll, vote), bad)
})

t.test('submessages of a message have a bound', async t => {
  const [author] = await people(server, 1)
  const id = await say(author, [author], '/poll\na')
  await sql`update messages set submessage_bytes = ${budgets.submessageBytes.most - 200} where id = ${id}`
  t.equal((await act(author, id, vote)).status, 200)
  t.match(await act(author, id, vote), bad)
  t.equal((await parts(author, id)).length, 2)
})
