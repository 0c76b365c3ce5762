// Typing in a new message and in an edit.
import t from 'tap'
import { changeDirectory, deactivate, limitGuests } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { queriesOf } from '../../support/queries.js'
import { startServer } from '../../support/server.js'
import { channelOf, each, Listener, type Loose, people, refused, say, setChannel } from './scene.js'

const server = await startServer(t)
const { ctx } = server

const setting = (who: Person, settings: Loose) =>
  changeDirectory(
    server.sql,
    (tx, version) =>
      tx`update users set settings = settings || ${tx.json(settings)}, version = ${version} where id = ${who.id}`,
  )

t.test('all users of a conversation get the event, the typist too', async t => {
  const [typist, one, deaf, outsider] = await people(server, 4)
  await setting(deaf, { receives_typing_notifications: false })
  const ears = await each([typist, one, deaf, outsider], person => Listener.start(ctx, person))
  t.equal((await typist.post('/typing', { op: 'start', to: [one.id, deaf.id] })).status, 200)
  t.equal((await typist.post('/typing', { op: 'stop', type: 'direct', to: [one.id, deaf.id] })).status, 200)
  const [own, others, none, nothing] = await each(ears, ear => ear.events(t))
  const event = {
    type: 'typing',
    op: 'start',
    message_type: 'direct',
    sender: { user_id: typist.id, email: typist.email },
    recipients: [typist, one, deaf].map(person => ({ user_id: person.id, email: person.email })),
  }
  t.match(
    [own, others],
    [
      [event, { op: 'stop' }],
      [event, { op: 'stop' }],
    ],
  )
  t.same([none, nothing], [[], []])
})

t.test('subscribers whose clients want typing events get them, unless there are too many', async t => {
  const [typist, reader, outsider] = await people(server, 3)
  const channel = await channelOf([typist, reader])
  const ears = await each([reader, outsider], person => Listener.start(ctx, person))
  const older = await Listener.start(ctx, reader, { client_capabilities: { empty_topic_name: true } })
  const start = () => typist.post('/typing', { type: 'channel', op: 'start', stream_id: channel.id, topic: '' })
  t.equal((await start()).status, 200)
  const [[event], none] = await each(ears, ear => ear.events(t))
  t.match(event, { op: 'start', message_type: 'stream', stream_id: channel.id, topic: '' })
  t.same([none, await older.events(t)], [[], []])
  const many = await people(server, 99)
  await typist.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: channel.name }],
    principals: many.map(one => one.id),
    send_new_subscription_messages: false,
  })
  await ears[0].events(t)
  t.equal((await start()).status, 200)
  t.same(await ears[0].events(t), [])
})

t.test('what the worker remembers decides who gets it, without a statement', async t => {
  const [typist, reader] = await people(server, 2)
  const channel = await channelOf([typist, reader])
  await say(typist, channel.id)
  const start = () =>
    typist.ok('POST', '/typing', { type: 'channel', op: 'start', stream_id: channel.id, topic: 'talk' })
  t.equal(await queriesOf(server, start), 0)
  t.equal(await queriesOf(server, () => typist.ok('POST', '/typing', { op: 'start', to: [reader.id] })), 0)
})

t.test('a subscriber who has just left, or a typist, is known at once at each worker', async t => {
  const other = await startServer(t, {}, server.organization)
  const [typist, reader, leaver] = await people(server, 3)
  const channel = await channelOf([typist, reader, leaver], { invite_only: true })
  await say(typist, channel.id)
  const start = (who: Person) =>
    other.api(who).post('/typing', { type: 'channel', op: 'start', stream_id: channel.id, topic: 'talk' })
  // An answer does not wait until its event is published.
  const ears = await each([reader, leaver], person => Listener.start([ctx, other.ctx], person))
  for (const who of [typist, leaver]) t.equal((await start(who)).status, 200)
  await leaver.ok('DELETE', '/users/me/subscriptions', { subscriptions: [channel.name] })
  await each(ears, ear => ear.events(t))
  t.equal((await start(typist)).status, 200)
  t.match(await start(leaver), refused())
  const heard = await each(ears, ear => ear.events(t))
  t.same(
    heard.map(events => events.filter(event => event.type === 'typing').length),
    [1, 0],
  )
  await deactivate(server.sql, typist.id)
  t.equal((await start(typist)).status, 401)
})

t.test('it is refused', async t => {
  const [typist, other] = await people(server, 2)
  const closed = await channelOf([other], { invite_only: true })
  const channel = await channelOf([typist])
  const post = (params: Loose) => typist.post('/typing', { op: 'start', ...params })
  t.match(await post({}), refused())
  t.match(await post({ to: [] }), refused())
  t.match(await post({ to: [999_999] }), refused())
  t.match(await post({ type: 'stream', topic: 'x' }), refused())
  t.match(await post({ type: 'stream', stream_id: channel.id }), refused())
  t.match(await post({ type: 'stream', stream_id: closed.id, topic: 'x' }), refused())
  t.match(await post({ op: 'pause', to: [other.id] }), refused())
  t.match(await typist.post('/typing', { to: [other.id] }), refused('REQUEST_VARIABLE_MISSING', { var_name: 'op' }))
  await setting(typist, { send_private_typing_notifications: false })
  t.match(await post({ to: [other.id] }), refused())
  t.equal((await post({ type: 'stream', stream_id: channel.id, topic: 'x' })).status, 200)
  await setting(typist, { send_stream_typing_notifications: false })
  t.match(await post({ type: 'stream', stream_id: channel.id, topic: 'x' }), refused())
  await setChannel(server, channel.id, { is_archived: true })
})

t.test('who edits is seen by the others', async t => {
  const [author, reader, outsider] = await people(server, 3)
  const channel = await channelOf([author, reader])
  const [id, direct] = [await say(author, channel.id), await say(author, [reader])]
  const ears = await each([author, reader, outsider], person => Listener.start(ctx, person))
  for (const [message, op] of [
    [id, 'start'],
    [direct, 'stop'],
  ] as const) {
    t.equal((await author.post(`/messages/${message}/typing`, { op })).status, 200)
  }
  const [own, events, none] = await each(ears, ear => ear.events(t))
  t.same([own, none], [[], []])
  t.match(events, [
    {
      type: 'typing_edit_message',
      op: 'start',
      sender_id: author.id,
      message_id: id,
      recipient: { type: 'channel', channel_id: channel.id, topic: 'talk' },
    },
    { op: 'stop', message_id: direct, recipient: { type: 'direct', user_ids: [author.id, reader.id] } },
  ])
})

t.test('typing in an edit reaches only users who may see the message', async t => {
  const [author, early] = await people(server, 2)
  const channel = await channelOf([author, early], { invite_only: true, history_public_to_subscribers: false })
  const id = await say(author, channel.id)
  const [late, outsider] = await people(server, 2)
  const guest = await server.person({ role: 600 })
  await author.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: channel.name }],
    principals: [late.id, guest.id],
  })
  const deaf = await server.person({ settings: { receives_typing_notifications: false } })
  const everybody = [author, early, late, guest, outsider, deaf] as const
  const ears = await each(everybody, person => Listener.start(ctx, person))
  t.equal((await author.post(`/messages/${id}/typing`, { op: 'start' })).status, 200)
  const heard = await each(ears, ear => ear.events(t))
  t.same(
    heard.map(events => events.length),
    [0, 1, 0, 0, 0, 0],
  )
  const newer = await say(author, channel.id)
  for (const ear of ears) await ear.events(t)
  await author.ok('POST', `/messages/${newer}/typing`, { op: 'stop' })
  t.same(
    (await each(ears, ear => ear.events(t))).map(events => events.length),
    [0, 1, 1, 1, 0, 0],
  )
  await early.ok('DELETE', '/users/me/subscriptions', { subscriptions: [channel.name] })
  for (const ear of ears) await ear.events(t)
  await author.ok('POST', `/messages/${newer}/typing`, { op: 'start' })
  t.same(
    (await ears[1].events(t)).filter(event => event.type === 'typing_edit_message'),
    [],
    'who left does not see it any more',
  )
})

t.test(
  'there are no typing events of edits in a channel with too many subscribers, and the empty topic has its display name',
  async t => {
    const [author, reader] = await people(server, 2)
    const channel = await channelOf([author, reader])
    const id = await say(author, channel.id, 'x', '')
    const ear = await Listener.start(ctx, reader)
    const older = await Listener.start(ctx, reader, { client_capabilities: {} })
    await author.ok('POST', `/messages/${id}/typing`, { op: 'start' })
    t.match(await ear.events(t), [{ recipient: { topic: '' } }])
    t.match(await older.events(t), [{ recipient: { topic: 'general chat' } }])
    const many = await people(server, 99)
    await author.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: channel.name }],
      principals: many.map(one => one.id),
      send_new_subscription_messages: false,
    })
    await ear.events(t)
    await author.ok('POST', `/messages/${id}/typing`, { op: 'stop' })
    t.same(await ear.events(t), [])
  },
)

t.test('typing in an edit that may not be made is refused', async t => {
  const [author, reader] = await people(server, 2)
  const id = await say(author, [reader])
  const post = (who: Person, params: Loose, message = id) => who.post(`/messages/${message}/typing`, params)
  t.match(await post(reader, { op: 'start' }), refused(), 'another’s message')
  t.match(await post(author, { op: 'start' }, 999_999), refused())
  t.match(await post(author, { op: 'pause' }), refused())
  t.match(await post(author, {}), refused('REQUEST_VARIABLE_MISSING', { var_name: 'op' }))
  await server.sql`update messages set date_sent = now() - interval '605 seconds' where id = ${id}`
  t.match(await post(author, { op: 'start' }), refused(), 'without the grace that an edit has')
  const own = await say(author, [reader])
  await setting(author, { send_private_typing_notifications: false })
  t.match(await post(author, { op: 'start' }, own), refused())
})

t.test('a guest gets no typing event of a user that it may not see', async t => {
  await limitGuests(server.sql)
  const [friend, stranger] = await people(server, 2)
  const guest = await server.person({ role: 600 })
  const bot = await server.person({ bot_type: 1, bot_owner_id: stranger.id })
  await channelOf([friend, guest])
  const ear = await Listener.start(ctx, guest)
  const start = (who: Person, to: Person[]) => who.ok('POST', '/typing', { op: 'start', to: to.map(one => one.id) })
  await start(stranger, [guest])
  await start(friend, [stranger, guest])
  t.same(await ear.events(t), [])
  await start(friend, [guest])
  await start(bot, [guest])
  t.match(await ear.events(t), [{ sender: { user_id: friend.id } }, { sender: { user_id: bot.id } }])
  await say(stranger, [friend, guest])
  await start(stranger, [friend, guest])
  t.match((await ear.events(t)).at(-1), { type: 'typing', sender: { user_id: stranger.id, email: stranger.email } })
})
