import t from 'tap'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import {
  channelOf,
  each,
  group,
  kinds,
  Listener,
  type Loose,
  people,
  refused,
  say,
  setChannel,
  setRealm,
} from './scene.js'

const server = await startServer(t)
const { ctx } = server

const remove = (who: Person, id: number) => who.delete(`/messages/${id}`)

t.test('a message is deleted for all users, with its reactions and flags', async t => {
  const [author, reader, outsider] = await people(server, 3)
  const channel = await channelOf([author, reader])
  const id = await say(author, channel.id, `@**|${reader.id}**`, 'Gone')
  await reader.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'eyes' })
  const ears = await each([author, reader, outsider], person => Listener.start(ctx, person))
  t.equal((await remove(author, id)).status, 200)
  const [own, others, none] = await each(ears, ear => ear.inStep(t))
  const event = {
    type: 'delete_message',
    message_ids: [id],
    message_type: 'stream',
    stream_id: channel.id,
    topic: 'Gone',
  }
  t.match([own, others, none], [[event], [event], []])
  t.match(await reader.get(`/messages/${id}`), refused())
  t.match(await remove(author, id), refused(), 'once')
  t.same(await server.sql`select from message_flags where message_id = ${id}`, [])
})

t.test('older clients read one event per message', async t => {
  const [author, reader] = await people(server, 2)
  const ear = await Listener.start(ctx, reader, { client_capabilities: {} })
  const id = await say(author, [reader])
  await remove(author, id)
  const [, event] = await ear.events(t)
  t.match(event, { type: 'delete_message', message_id: id, message_type: 'private' })
})

t.test('a channel’s oldest message is another then, or none', async t => {
  const [author] = await people(server, 1)
  const channel = await channelOf([author])
  const ids = [await say(author, channel.id), await say(author, channel.id)]
  const ear = await Listener.start(ctx, author, { event_types: ['stream', 'delete_message', 'default_streams'] })
  for (const [i, value] of [
    [0, ids[1]],
    [1, null],
  ] as const) {
    await remove(author, ids[i] as number)
    const events = await ear.events(t)
    t.same(kinds(events), ['stream/update', 'delete_message'])
    t.match(events[0], { property: 'first_message_id', value })
  }
})

t.test('who may delete', async t => {
  const [author, other] = await people(server, 2)
  const admin = await server.person({ role: 200 })
  const bot = await server.person({ bot_type: 1, bot_owner_id: author.id })
  const channel = await channelOf([author, other, admin, bot])
  const send = () => say(author, channel.id)
  t.match(await remove(other, await send()), refused())
  t.equal((await remove(admin, await send())).status, 200)
  t.equal((await remove(author, await say(bot, channel.id))).status, 200, 'one’s bot’s message')
  t.match(await remove(other, await say(bot, channel.id)), refused())
  t.match(await remove(admin, await say(author, [other])), refused(), 'what one cannot see is not there')
  const old = await send()
  await server.sql`update messages set date_sent = now() - interval '11 minutes' where id = ${old}`
  t.match(await remove(author, old), refused(), 'too late')
  t.equal((await remove(admin, old)).status, 200)
  await setRealm(server, { can_delete_own_message_group: await group(server, 'role:nobody') })
  t.match(await remove(author, await send()), refused())
  const everyone = await group(server, 'role:everyone')
  await setChannel(server, channel.id, { settings: { can_delete_own_message_group: everyone } })
  t.equal((await remove(author, await send())).status, 200)
  await setChannel(server, channel.id, { settings: { can_delete_any_message_group: everyone } })
  t.equal((await remove(other, await send())).status, 200)
  await setChannel(server, channel.id, { is_archived: true })
  t.match(
    await remove(
      other,
      (await server.sql<Loose[]>`select max(id) as id from messages where channel_id = ${channel.id}`)[0]?.id,
    ),
    refused(),
  )
  await setRealm(server, { can_delete_own_message_group: everyone })
})

t.test('with protected history a deletion reaches its caller and the recipients of the message', async t => {
  const [owner, late] = await people(server, 2)
  const channel = await channelOf([owner], { invite_only: true, history_public_to_subscribers: false })
  const id = await say(owner, channel.id)
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: channel.name }], principals: [late.id] })
  const ears = await each([owner, late], person => Listener.start(ctx, person))
  await remove(owner, id)
  const [own, others] = await each(ears, ear => ear.events(t))
  t.same(kinds(own), ['delete_message'])
  t.same(others, [])
})

t.test('a user who starred a message without having received it gets the event of its deletion', async t => {
  const [author, passer] = await people(server, 2)
  const channel = await channelOf([author])
  const id = await say(author, channel.id)
  await passer.ok('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
  const ear = await Listener.start(ctx, passer)
  await author.ok('DELETE', `/messages/${id}`)
  t.match(await ear.inStep(t), [{ type: 'delete_message', message_ids: [id], stream_id: channel.id }])
  t.same(ear.state.starred_messages, [])
})
