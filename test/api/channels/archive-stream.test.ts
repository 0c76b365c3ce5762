import t from 'tap'
import { notificationBot } from '../../../server/actions/messages/system-bots.js'
import { setOrganization } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { freshName, kinds, Listener, type Loose } from './scene.js'

const server = await startServer(t)
const { ctx, sql } = server
await notificationBot(ctx)
await setOrganization(sql, { send_channel_events_messages: false })
const owner = await server.person({ role: 100 })

async function channel(creator: Person, params: Loose = {}, subscribers: Person[] = []) {
  const name = freshName()
  const ids = subscribers.map(person => person.id)
  const { id } = await creator.ok('POST', '/channels/create', { name, subscribers: ids, ...params })
  return { id: id as number, name, path: `/streams/${id}` }
}

const post = (who: Person, to: string, content = 'Hello', topic = 'a') =>
  who.post('/messages', { type: 'channel', to, topic, content })

/** Waits until the person has read the message. */
async function isRead(person: Person, messageId: number): Promise<void> {
  for (;;) {
    const { message } = await person.ok('GET', `/messages/${messageId}`)
    if (message.flags.includes('read')) return
  }
}

/** All events and fields, including messages and read state. */
const everything = { fetch_event_types: null, event_types: null }

t.test('clients that know of archives keep the channel, others lose it; it is no default channel any more', async t => {
  const [subscriber, outsider, guest] = [
    await server.person(),
    await server.person(),
    await server.person({ role: 600 }),
  ]
  const { id, name, path } = await channel(owner, { is_default_stream: true }, [subscriber])
  const old = { client_capabilities: { notification_settings_null: true } }
  const [modern, legacy, apart] = [
    await Listener.start(ctx, subscriber),
    await Listener.start(ctx, outsider, old),
    await Listener.start(ctx, guest),
  ]
  t.same((await owner.delete(path)).body, { result: 'success', msg: '' })
  const events = await modern.inStep(t)
  t.same(kinds(events), ['stream/update', 'default_streams'])
  t.match(events[0], { stream_id: id, name, property: 'is_archived', value: true })
  t.notOk(events[1]?.default_streams.includes(id))
  t.same(kinds(await legacy.inStep(t)), ['stream/delete', 'default_streams'])
  t.same(await apart.inStep(t), [])
  t.match((await subscriber.ok('GET', path)).stream, { is_archived: true, subscriber_count: 1 })
  const listed = async (params: Loose) =>
    (await subscriber.ok('GET', '/streams', params)).streams.some((one: Loose) => one.stream_id === id)
  t.same([await listed({}), await listed({ exclude_archived: false })], [false, true])
  t.same((await subscriber.ok('GET', `${path}/members`)).subscribers, [subscriber.id])
})

t.test('messages stay and can be read; posts, edits and moves are refused', async t => {
  const [subscriber, other] = [await server.person(), await server.person()]
  const { id, name, path } = await channel(owner, {}, [owner, subscriber])
  const { id: message } = (await post(subscriber, name)).body
  await owner.ok('DELETE', path)
  t.equal((await subscriber.get(`/messages/${message}`)).status, 200)
  t.match(await subscriber.ok('GET', `/users/me/${id}/topics`), { topics: [{ name: 'a', max_id: message }] })
  for (const who of [owner, subscriber, other]) {
    t.match(await post(who, name), { status: 400, body: { code: 'BAD_REQUEST' } })
  }
  const bot = await server.person({ bot_type: 1, bot_owner_id: owner.id })
  t.equal((await post(bot, name)).status, 400)
  t.equal((await subscriber.patch(`/messages/${message}`, { content: 'Other' })).status, 400)
  t.equal((await owner.patch(`/messages/${message}`, { topic: 'b' })).status, 400)
})

t.test('a message that races with the archive is stored before it or refused', async t => {
  for (let i = 0; i < 5; i++) {
    const { id, name, path } = await channel(owner, {}, [owner])
    const answers = await Promise.all([post(owner, name), post(owner, name), owner.delete(path), post(owner, name)])
    const stored = answers.filter(({ body }) => body.id !== undefined).map(({ body }) => body.id)
    const { topics } = await owner.ok('GET', `/users/me/${id}/topics`)
    t.same(
      topics.map((one: Loose) => one.max_id),
      stored.length > 0 ? [Math.max(...stored)] : [],
    )
    t.equal((await post(owner, name)).status, 400)
  }
})

t.test('unread messages become read, for all subscribers and no other user', async t => {
  const [writer, reader, silent, former] = [
    await server.person(),
    await server.person(),
    await server.person(),
    await server.person(),
  ]
  const { name, path } = await channel(owner, {}, [writer, reader, silent, former])
  const other = await channel(owner, {}, [reader])
  const ids: number[] = []
  for (let i = 0; i < 3; i++) ids.push((await post(writer, name, `@**${reader.full_name}** ${i}`)).body.id)
  const elsewhere = (await post(owner, other.name)).body.id
  await reader.ok('POST', '/messages/flags', { messages: [ids[1]], op: 'add', flag: 'read' })
  await writer.ok('POST', '/messages/flags', { messages: [ids[0]], op: 'remove', flag: 'read' })
  const ears = {
    writer: await Listener.start(ctx, writer, everything),
    reader: await Listener.start(ctx, reader, everything),
    silent: await Listener.start(ctx, silent, everything),
  }
  t.equal(ears.reader.state.unread_msgs.count, 3)
  await owner.ok('DELETE', path)
  const wanted = { writer: ids, reader: [ids[0], ids[2]], silent: ids }
  for (const [who, ear] of Object.entries(ears)) {
    await isRead(ear.person, ids[2] ?? 0)
    const found = await ear.inStep(t)
    const { messages, flag, op } = found.find(event => event.type === 'update_message_flags') ?? {}
    t.same({ messages, flag, op }, { messages: wanted[who as keyof typeof wanted], flag: 'read', op: 'add' }, who)
  }
  t.match(ears.reader.state.unread_msgs, { count: 1, mentions: [], streams: [{ unread_message_ids: [elsewhere] }] })
})

t.test('the bot says so in the channel, and that is read, too', async t => {
  await setOrganization(sql, { send_channel_events_messages: true })
  t.teardown(() => setOrganization(sql, { send_channel_events_messages: false }))
  const subscriber = await server.person()
  const { id, path } = await channel(owner, {}, [subscriber])
  const ear = await Listener.start(ctx, subscriber, everything)
  await owner.ok('DELETE', path)
  const { topics } = await subscriber.ok('GET', `/users/me/${id}/topics`)
  await isRead(subscriber, topics[0].max_id)
  const found = await ear.inStep(t)
  t.same(kinds(found), ['stream/update', 'message', 'update_message_flags/add'])
  t.match(found[1]?.message, { stream_id: id, subject: 'channel events', sender_full_name: 'Notification Bot' })
  t.match(found[1]?.message.content, 'archived this channel')
  t.same(ear.state.unread_msgs.streams, [])
})

t.test('once more is without effect', async t => {
  const { path } = await channel(owner, {}, [owner])
  await owner.ok('DELETE', path)
  const ear = await Listener.start(ctx, owner)
  await owner.ok('DELETE', path)
  t.same(await ear.inStep(t), [])
})

t.test('a channel archived by several callers at once makes one event', async t => {
  const second = await startServer(t, {}, server.organization)
  const { path } = await channel(owner, {}, [owner])
  const ear = await Listener.start([ctx, second.ctx], owner)
  const answers = await Promise.all([owner.delete(path), second.api(owner).delete(path), owner.delete(path)])
  t.same(
    answers.map(answer => answer.status),
    [200, 200, 200],
  )
  t.same(kinds(await ear.inStep(t)), ['stream/update'])
})

t.test('who may', async t => {
  const [creator, member, guest, admin] = [
    await server.person(),
    await server.person(),
    await server.person({ role: 600 }),
    await server.person({ role: 200 }),
  ]
  const open = await channel(creator, {}, [member, guest])
  const secret = await channel(creator, { invite_only: true }, [creator])
  for (const who of [member, guest]) {
    t.match(await who.delete(open.path), { status: 400, body: { code: 'BAD_REQUEST' } })
  }
  const [unknown, closed] = [await member.delete('/streams/2000000000'), await member.delete(secret.path)]
  t.match(unknown, { status: 400, body: { code: 'BAD_REQUEST' } })
  t.same(closed.body, unknown.body)
  t.equal((await admin.ok('GET', open.path)).stream.is_archived, false)
  t.equal((await creator.delete(open.path)).status, 200, 'whom can_administer_channel_group holds')
  t.equal((await admin.delete(secret.path)).status, 200, 'an administrator, also from outside')
})

t.test('the name stays taken', async t => {
  const { name, path } = await channel(owner)
  await owner.ok('DELETE', path)
  t.equal((await owner.post('/channels/create', { name, subscribers: [] })).status, 409)
})
