import t from 'tap'
import { bumpVersion } from '../../../server/store/organization/organization.js'
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

t.test('subscribers, the sender among them, get a message to a channel; others do not', async t => {
  const [sender, reader, outsider] = await people(server, 3)
  const channel = await channelOf([sender, reader])
  const ears = await each([sender, reader, outsider], person => Listener.start(ctx, person))
  const answer = await sender.post('/messages', {
    type: 'stream',
    to: channel.name.toUpperCase(),
    topic: ' plans ',
    content: '\n\n**hi** @**all**\n',
    read_by_sender: true,
  })
  t.equal(answer.status, 200)
  const [[own], [event], none] = await each(ears, ear => ear.inStep(t))
  t.same(none, [])
  t.match(event, {
    message: {
      id: answer.body.id,
      type: 'stream',
      stream_id: channel.id,
      display_recipient: channel.name,
      subject: 'plans',
      content: '**hi** @**all**',
      content_type: 'text/x-markdown',
      sender_id: sender.id,
      client: 'ParleyTest',
      reactions: [],
    },
    flags: ['stream_wildcard_mentioned', 'wildcard_mentioned'],
  })
  t.same(own?.flags, ['read', 'stream_wildcard_mentioned', 'wildcard_mentioned'])
})

t.test('a direct message goes to its participants, and one to oneself to oneself', async t => {
  const [sender, one, other, outsider] = await people(server, 4)
  const ears = await each([sender, one, outsider], person => Listener.start(ctx, person, { apply_markdown: true }))
  const together = [one, other, sender, one].map(person => person.id)
  await sender.ok('POST', '/messages', { type: 'direct', to: together, content: 'all *three*' })
  await sender.ok('POST', '/messages', { type: 'private', to: `${one.email}, ${sender.email}`, content: 'two' })
  await sender.ok('POST', '/messages', { type: 'direct', to: sender.id, content: 'alone' })
  const [own, events, none] = await each(ears, ear => ear.inStep(t))
  t.same(none, [])
  t.same(
    own.map(event => event.message.display_recipient.map((person: Loose) => person.id)),
    [[sender.id, one.id, other.id], [sender.id, one.id], [sender.id]],
  )
  t.match(events[0], {
    message: { content: '<p>all <em>three</em></p>', content_type: 'text/html', subject: '' },
    flags: [],
  })
  t.equal(events.length, 2)
  const again = await say(one, [sender])
  const { message } = await sender.ok('GET', `/messages/${again}`)
  t.equal(message.recipient_id, own[1]?.message.recipient_id, 'the same conversation whoever writes')
})

t.test('only the queue that is named gets the local id', async t => {
  const [sender] = await people(server, 1)
  const ears = await each([sender, sender], person => Listener.start(ctx, person))
  const local = { queue_id: ears[0].state.queue_id, local_id: '17.05' }
  await sender.ok('POST', '/messages', { type: 'direct', to: [sender.id], content: 'x', ...local })
  const [[named], [other]] = await each(ears, ear => ear.events(t))
  t.equal(named?.local_message_id, '17.05')
  t.notOk(other && 'local_message_id' in other)
})

t.test('the queue of another user gets no local id', async t => {
  const [sender, reader] = await people(server, 2)
  const ear = await Listener.start(ctx, reader)
  const local = { queue_id: ear.state.queue_id, local_id: '17.05' }
  await sender.ok('POST', '/messages', { type: 'direct', to: [reader.id], content: 'x', ...local })
  const [event] = await ear.events(t)
  t.equal(event?.type, 'message')
  t.notOk(event && 'local_message_id' in event)
})

t.test('what a program sends in which one reads is read', async t => {
  const [sender] = await people(server, 1)
  const website = server.api(sender)
  const from = async (userAgent: string) => {
    const api = new (Object.getPrototypeOf(website).constructor)(server.url, sender, userAgent)
    const { id } = await api.ok('POST', '/messages', { type: 'direct', to: [sender.id], content: 'x' })
    return (await sender.ok('GET', `/messages/${id}`)).message
  }
  t.match(await from('website/1.0'), { client: 'website', flags: ['read'] })
  t.match(await from('ServiceMobile/27 (Android)'), { client: 'ServiceMobile', flags: ['read'] })
  t.same((await from('my-script/1.0')).flags, [])
})

t.test('mentions reach only those who receive the message', async t => {
  const [sender, named, outsider] = await people(server, 3)
  const channel = await channelOf([sender, named])
  const ears = await each([named, outsider], person => Listener.start(ctx, person))
  await say(sender, channel.id, `@**|${named.id}** @**|${outsider.id}** @_**|${sender.id}**`)
  const [[event], none] = await each(ears, ear => ear.inStep(t))
  t.same(event?.flags, ['mentioned'])
  t.same(none, [])
  t.same(await server.sql`select user_id from message_flags where message_id = ${event?.message.id}`, [
    { user_id: named.id },
  ])
})

t.test('@topic means those who wrote in it or reacted', async t => {
  const [sender, writer, reacting, silent] = await people(server, 4)
  const channel = await channelOf([sender, writer, reacting, silent])
  const first = await say(writer, channel.id, 'first', 'Topic')
  await reacting.ok('POST', `/messages/${first}/reactions`, { emoji_name: 'eyes' })
  const ears = await each([writer, reacting, silent], person => Listener.start(ctx, person))
  await say(sender, channel.id, '@**topic**', 'topic')
  const flags = (await each(ears, ear => ear.inStep(t))).map(([event]) => event?.flags)
  const told = ['topic_wildcard_mentioned', 'wildcard_mentioned']
  t.same(flags, [told, told, []])
})

t.test('content and topic that are too long are cut', async t => {
  const [sender] = await people(server, 1)
  const channel = await channelOf([sender])
  const id = await say(sender, channel.id, 'é'.repeat(10_001), 'ü'.repeat(61))
  const { message } = await sender.ok('GET', `/messages/${id}`, { apply_markdown: false })
  t.equal([...message.content].length, 10_000)
  t.ok(message.content.endsWith('\n[message truncated]'))
  t.equal(message.subject, `${'ü'.repeat(57)}...`)
})

t.test('the empty topic goes by its display name where a client does not know it', async t => {
  const [sender] = await people(server, 1)
  const channel = await channelOf([sender])
  const older = await Listener.start(ctx, sender, { client_capabilities: {} })
  const newer = await Listener.start(ctx, sender)
  for (const topic of ['', '(no topic)', 'general chat']) await say(sender, channel.id, 'x', topic)
  t.same(
    (await older.inStep(t)).map(event => event.message.subject),
    Array(3).fill('general chat'),
  )
  t.same(
    (await newer.inStep(t)).map(event => event.message.subject),
    ['', '', ''],
  )
})

t.test('a queue with all_public_streams gets what is public', async t => {
  const [sender, bystander, guest] = [await server.person(), await server.person(), await server.person({ role: 600 })]
  const [open, closed] = [await channelOf([sender]), await channelOf([sender], { invite_only: true })]
  const ear = await Listener.start(ctx, bystander, { all_public_streams: true })
  const guestEar = await Listener.start(ctx, guest)
  await say(sender, closed.id)
  await say(sender, open.id, 'public')
  t.match(await ear.events(t), [{ message: { content: 'public' }, flags: [] }])
  t.same(await guestEar.events(t), [])
})

t.test('who is not subscribed may post to a public channel, and is not subscribed by it', async t => {
  const [creator, sender] = await people(server, 2)
  const channel = await channelOf([creator])
  const ear = await Listener.start(ctx, sender)
  const id = await say(sender, channel.id)
  t.match(await ear.inStep(t), [{ type: 'message', message: { id }, flags: ['read', 'historical'] }])
  const { message } = await sender.ok('GET', `/messages/${id}`)
  t.same(message.flags, ['read', 'historical'])
})

t.test('a new subscriber gets the next message and a former one does not, from any worker', async t => {
  const [sender, coming, going] = await people(server, 3)
  const channel = await channelOf([sender, going])
  await say(sender, channel.id, 'the list of subscribers is remembered now')
  const ears = await each([coming, going], person => Listener.start(ctx, person))
  await coming.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: channel.name }] })
  await going.ok('DELETE', '/users/me/subscriptions', { subscriptions: [channel.name] })
  await say(sender, channel.id, 'now')
  const [came, gone] = await each(ears, ear => ear.events(t))
  t.same(
    came?.filter(event => event.type === 'message').map(event => event.message.content),
    ['now'],
  )
  t.same(
    gone?.filter(event => event.type === 'message'),
    [],
  )
})

t.test('a guest who may not know the sender reads a placeholder', async t => {
  const [sender, member] = await people(server, 2)
  const guest = await server.person({ role: 600 })
  const channel = await channelOf([member, guest])
  await setRealm(server, { can_access_all_users_group: await group(server, 'role:members') })
  const ears = await each([guest, member], person => Listener.start(ctx, person))
  const id = await say(sender, channel.id, 'from afar')
  const [[event], [known]] = await each(ears, ear => ear.events(t))
  const unknown = { sender_id: sender.id, sender_full_name: 'Unknown user', content: 'from afar' }
  t.match(event?.message, { id, ...unknown })
  t.notMatch(JSON.stringify(event), sender.email)
  t.match(known?.message, { id, sender_full_name: sender.full_name })
  const { message } = await guest.ok('GET', `/messages/${id}`)
  t.match(message, { ...unknown, content: '<p>from afar</p>' })
  // Neither to a user deactivated long ago; and each refusal equals that for an unknown user.
  const gone = await server.person({ is_active: false })
  const write = async (to: unknown) =>
    (await guest.post('/messages', { type: 'direct', to: [to], content: 'who?' })).body
  for (const { id, email } of [sender, gone]) {
    t.same(await write(id), { ...(await write(999_999)), msg: `Invalid user ID ${id}` }, 'nor may it write to one')
    t.same(await write(email), { ...(await write('no@test.example')), msg: `Invalid email '${email}'` })
  }
  const own = await say(
    guest,
    channel.id,
    `@**${sender.full_name}** and @**${member.full_name}** and @**x|${sender.id}**`,
  )
  const { message: named } = await guest.ok('GET', `/messages/${own}`)
  t.same(named.content.match(/data-user-id="\d+"/g), [`data-user-id="${member.id}"`], 'nor call one')
  await setRealm(server, { can_access_all_users_group: await group(server, 'role:everyone') })
})

t.test('a channel is refused', async t => {
  const [sender, owner] = await people(server, 2)
  const closed = await channelOf([owner], { invite_only: true })
  const open = await channelOf([owner])
  const post = (params: Loose) => sender.post('/messages', { type: 'channel', topic: 't', content: 'c', ...params })
  t.match(await post({ to: 'no such' }), refused('STREAM_DOES_NOT_EXIST', { stream: 'no such' }))
  t.match(await post({ to: 987_654 }), refused('STREAM_DOES_NOT_EXIST', { stream_id: 987_654 }))
  const refusal = await post({ to: closed.id })
  t.match(refusal, refused(), 'a private channel')
  t.notMatch(refusal.body.msg, closed.name, 'whose name stays unknown')
  t.match(await post({ to: [open.id, closed.id] }), refused(), 'two of them')
  t.match(await post({ to: {} }), refused())
  t.match(await sender.post('/messages', { type: 'stream', to: open.id, content: 'c' }), refused(), 'no topic')
  t.match(await post({ to: open.id, topic: 'a\u0007b' }), refused(), 'a topic that cannot be shown')
  t.match(await post({ to: open.id, subject: 'also' }), refused('REQUEST_CONFUSING_VAR', { var_name1: 'topic' }))
  t.match(
    await (await server.person({ role: 600 })).post('/messages', {
      type: 'stream',
      to: open.id,
      topic: 't',
      content: 'c',
    }),
    refused(),
  )
  await setChannel(server, open.id, { is_archived: true })
  t.match(await post({ to: open.id }), refused(), 'an archived one')
})

t.test('a channel says who posts, who begins topics, and whether they need names', async t => {
  const [owner, sender] = await people(server, 2)
  const channel = await channelOf([owner, sender])
  const post = (topic: string) => sender.post('/messages', { type: 'channel', to: channel.id, topic, content: 'c' })
  await say(owner, channel.id, 'x', 'Known')
  const nobody = await group(server, 'role:nobody')
  await setChannel(server, channel.id, { settings: { can_create_topic_group: nobody } })
  t.match(await post('new'), refused())
  t.equal((await post('KNOWN')).status, 200)
  await setChannel(server, channel.id, { settings: { can_send_message_group: nobody } })
  t.match(await post('known'), refused())
  await setChannel(server, channel.id, { settings: {}, topics_policy: 'disable_empty_topic' })
  t.match(await post(''), refused('BAD_REQUEST', { empty_topic_display_name: 'general chat' }))
  await setChannel(server, channel.id, { topics_policy: 'empty_topic_only' })
  t.match(await post('named'), refused('BAD_REQUEST', { empty_topic_display_name: 'general chat' }))
  t.equal((await post('')).status, 200)
})

t.test('direct messages are refused', async t => {
  const [sender, other] = await people(server, 2)
  const gone = await server.person({ is_active: false })
  const post = (to: unknown) => sender.post('/messages', { type: 'direct', to, content: 'c' })
  t.match(await post([]), refused(), 'nobody')
  t.match(await post([987_654]), refused())
  t.match(await post(['nobody@test.example']), refused())
  t.match(await post([other.id, other.email]), refused(), 'ids and emails')
  t.match(await post([gone.id]), refused(), 'deactivated')
  const crowd = await server.sql.begin(async tx => {
    const version = await bumpVersion(tx)
    return tx<{ id: number }[]>`
      insert into users (delivery_email, full_name, role, is_bot, email_address_visibility, api_key, version)
      select 'crowd' || n || '@test.example', 'Crowd ' || n, 400, false, 1, md5(n::text), ${version}
      from generate_series(1, 700) as n returning id`
  })
  t.match(await post(crowd.map(one => one.id)), refused(), 'more than a conversation can have')
  t.equal((await post(crowd.slice(0, 499).map(one => one.id))).status, 200)
  await setRealm(server, { direct_message_permission_group: await group(server, 'role:nobody') })
  t.match(await post([other.id]), refused())
  t.equal((await post([sender.id])).status, 200, 'to oneself always')
  await setRealm(server, {
    direct_message_permission_group: await group(server, 'role:everyone'),
    direct_message_initiator_group: await group(server, 'role:administrators'),
  })
  t.match(await post([other.id]), refused())
  await say(await server.person({ role: 200 }), [sender, other])
  await setRealm(server, { direct_message_initiator_group: await group(server, 'role:everyone') })
})

t.test('content is refused', async t => {
  const [sender] = await people(server, 1)
  const post = (params: Loose) => sender.post('/messages', { type: 'direct', to: [sender.id], ...params })
  t.match(await post({ content: ' \n ' }), refused())
  t.match(await post({ content: 'a\0b' }), refused())
  t.match(await post({}), refused('REQUEST_VARIABLE_MISSING', { var_name: 'content' }))
  t.match(
    await sender.post('/messages', { to: [1], content: 'c' }),
    refused('REQUEST_VARIABLE_MISSING', { var_name: 'type' }),
  )
  t.match(await sender.post('/messages', { type: 'pigeon', to: [1], content: 'c' }), refused())
})

t.test('mentioning many, or a group that one may not mention, is refused', async t => {
  const many = await people(server, 16)
  const [sender] = many
  const channel = await channelOf(many)
  const post = (content: string) => sender.post('/messages', { type: 'channel', to: channel.id, topic: 't', content })
  t.match(await post('@**all**'), refused('STREAM_WILDCARD_MENTION_NOT_ALLOWED'))
  t.equal((await post('@**topic**'))?.status, 200, 'there are few in it')
  for (const person of many) await say(person, channel.id, 'me too', 't')
  t.match(await post('@**topic**'), refused('TOPIC_WILDCARD_MENTION_NOT_ALLOWED'))
  t.match(await post('@*role:members*'), refused(), 'system groups are nobody’s to mention')
  t.equal((await post('> @**all**\n\nsaid somebody'))?.status, 200, 'a quotation mentions nobody')
})

t.test('a bot posts where its owner may', async t => {
  const [owner] = await people(server, 1)
  const channel = await channelOf([owner], { invite_only: true })
  const bot = await server.person({ bot_type: 1, bot_owner_id: owner.id })
  const stray = await server.person({ bot_type: 1 })
  const ear = await Listener.start(ctx, owner)
  await say(bot, channel.id, 'beep')
  t.same(kinds(await ear.events(t)), ['message'])
  t.match(await stray.post('/messages', { type: 'channel', to: channel.id, topic: 't', content: 'c' }), refused())
})
