import t from 'tap'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { channelOf, each, Listener, type Loose, people, refused, say } from './scene.js'

const server = await startServer(t)
const { ctx } = server

const change = (who: Person, messages: unknown, op: string, flag: string) =>
  who.post('/messages/flags', { messages, op, flag })
const flagsOf = async (who: Person, id: number) => (await who.ok('GET', `/messages/${id}`)).message.flags

t.test('messages become read; only clients of the same user get the ids that changed', async t => {
  const [author, reader] = await people(server, 2)
  const channel = await channelOf([author, reader])
  const ids = [await say(author, channel.id), await say(author, [reader]), await say(author, channel.id)]
  const ears = await each([reader, author], person => Listener.start(ctx, person))
  const asked = [ids[1], ids[0], 999_999]
  t.match(await change(reader, asked, 'add', 'read'), {
    status: 200,
    body: { messages: asked, ignored_because_not_subscribed_channels: [] },
  })
  await change(reader, ids, 'add', 'read')
  const [own, others] = await each(ears, ear => ear.inStep(t))
  t.match(own, [
    { type: 'update_message_flags', op: 'add', operation: 'add', flag: 'read', messages: ids.slice(0, 2), all: false },
    { messages: [ids[2]] },
  ])
  t.same(others, [])
  t.same(await flagsOf(reader, ids[0] as number), ['read'])
})

t.test('messages become unread again, with what a client must know of them', async t => {
  const [author, reader, third] = await people(server, 3)
  const channel = await channelOf([author, reader])
  const named = await say(author, channel.id, `@**|${reader.id}**`, '')
  const direct = await say(author, [reader, third])
  const own = (
    await reader.ok('POST', '/messages', { type: 'direct', to: [author.id], content: 'x', read_by_sender: true })
  ).id
  await reader.ok('POST', '/mark_all_as_read')
  const ears = await each([{}, { client_capabilities: {} }], params => Listener.start(ctx, reader, params))
  await change(reader, [named, direct, own], 'remove', 'read')
  const [[event], [older]] = await each(ears, ear => ear.inStep(t))
  t.match(event, {
    op: 'remove',
    messages: [named, direct, own],
    all: false,
    message_details: {
      [named]: { type: 'stream', mentioned: true, stream_id: channel.id, topic: '', unmuted_stream_msg: true },
      [direct]: { type: 'private', user_ids: [author.id, third.id] },
      [own]: { type: 'private', user_ids: [author.id] },
    },
  })
  t.equal(older?.message_details[named].topic, 'general chat')
  t.same(await flagsOf(reader, own), [])
  await change(reader, [own], 'add', 'read')
  t.same(await flagsOf(reader, own), ['read'])
})

t.test(
  'a message that becomes unread says whether its topic is muted: by its own policy, else by the channel',
  async t => {
    const [author, reader] = await people(server, 2)
    const [loud, muted] = [await channelOf([author, reader]), await channelOf([author, reader])]
    await reader.ok('POST', `/users/me/subscriptions/${muted.id}`, { property: 'is_muted', value: true })
    const places: [typeof loud, string, number, boolean][] = [
      [loud, 'plain', 0, true],
      [loud, 'Muted', 1, false],
      [muted, 'plain', 0, false],
      [muted, 'unmuted', 2, true],
      [muted, 'followed', 3, true],
    ]
    const ids: number[] = []
    for (const [channel, topic, visibility_policy] of places) {
      ids.push(await say(author, channel.id, 'x', topic))
      if (visibility_policy > 0)
        await reader.ok('POST', '/user_topics', {
          stream_id: channel.id,
          topic: topic.toLowerCase(),
          visibility_policy,
        })
    }
    await reader.ok('POST', '/mark_all_as_read')
    const ear = await Listener.start(ctx, reader)
    await change(reader, ids, 'remove', 'read')
    const [event] = await ear.inStep(t)
    t.same(
      ids.map(id => event?.message_details[id].unmuted_stream_msg),
      places.map(([, , , isUnmuted]) => isUnmuted),
    )
  },
)

t.test('nothing becomes unread where one is not subscribed', async t => {
  const [author, reader] = await people(server, 2)
  const channel = await channelOf([author, reader])
  const id = await say(author, channel.id)
  await reader.ok('DELETE', '/users/me/subscriptions', { subscriptions: [channel.name] })
  const { body } = await change(reader, [id], 'remove', 'read')
  t.same(body.ignored_because_not_subscribed_channels, [channel.id])
  t.same(await flagsOf(reader, id), ['read'])
})

t.test('stars, also on what one never received', async t => {
  const [author, reader] = await people(server, 2)
  const channel = await channelOf([author])
  const [old, direct] = [await say(author, channel.id), await say(author, [reader])]
  const ear = await Listener.start(ctx, reader)
  await change(reader, [direct, old], 'add', 'starred')
  await change(reader, [direct, old], 'add', 'starred')
  t.match(await ear.inStep(t), [{ op: 'add', flag: 'starred', messages: [old, direct], all: false }])
  t.same(await flagsOf(reader, old), ['read', 'starred', 'historical'])
  const narrow = [['is', 'starred']]
  const { messages } = await reader.ok('GET', '/messages', { anchor: 'newest', num_before: 5, narrow })
  t.same(
    messages.map((message: Loose) => message.id),
    [old, direct],
  )
  await change(reader, [direct, old], 'remove', 'starred')
  const events = await ear.inStep(t)
  t.match(events, [{ op: 'remove', flag: 'starred', messages: [old, direct] }])
  t.notOk(events[0] && 'message_details' in events[0])
  t.same(await server.sql`select from message_flags where user_id = ${reader.id}`, [], 'no trace is left')
})

t.test('collapsing', async t => {
  const [reader] = await people(server, 1)
  const id = await say(reader, [reader])
  const ear = await Listener.start(ctx, reader)
  await change(reader, [id, 999_999], 'add', 'collapsed')
  t.match(await ear.events(t), [{ flag: 'collapsed', messages: [id] }])
  t.same(await flagsOf(reader, id), ['collapsed'])
})

t.test('it is refused', async t => {
  const [author, reader] = await people(server, 2)
  const id = await say(author, [author])
  t.match(await change(reader, [id], 'add', 'starred'), refused(), 'what one may not see')
  t.match(await change(reader, [999_999], 'add', 'starred'), refused())
  for (const flag of ['mentioned', 'has_alert_word', 'historical', 'purple']) {
    t.match(await change(author, [id], 'add', flag), refused())
  }
  t.match(await change(author, [id], 'toggle', 'read'), refused())
  t.match(await change(author, 'all', 'add', 'read'), refused())
  t.match(
    await author.post('/messages/flags', { op: 'add', flag: 'read' }),
    refused('REQUEST_VARIABLE_MISSING', { var_name: 'messages' }),
  )
})

t.test('marking what others sent as read marks it for oneself alone', async t => {
  const [author, reader] = await people(server, 2)
  const id = await say(author, [author])
  await change(reader, [id], 'add', 'read')
  t.same(await flagsOf(author, id), [])
})

t.test('no answer or event reveals the channel of a message that the caller may not see', async t => {
  const [author, reader] = await people(server, 2)
  const secret = await channelOf([author], { invite_only: true })
  const open = await channelOf([author])
  const messages = [await say(author, secret.id), await say(author, open.id)]
  for (const op of ['add', 'remove']) {
    const { body } = await reader.post('/messages/flags', { messages, op, flag: 'read' })
    t.same(body.ignored_because_not_subscribed_channels, op === 'remove' ? [open.id] : [])
  }
})
