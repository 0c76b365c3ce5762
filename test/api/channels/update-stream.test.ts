import t from 'tap'
import { notificationBot } from '../../../server/actions/messages/system-bots.js'
import { groupId, setOrganization } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { freshName, kinds, Listener, type Loose } from './scene.js'

const server = await startServer(t)
const { ctx, sql } = server
await notificationBot(ctx)
await setOrganization(sql, { send_channel_events_messages: false })
const owner = await server.person({ role: 100 })
const members = await groupId(sql, 'role:members')
const moderators = await groupId(sql, 'role:moderators')

/** Creates a channel with these subscribers. */
async function channel(creator: Person, params: Loose = {}, subscribers: Person[] = []) {
  const name = freshName()
  const ids = subscribers.map(person => person.id)
  const { id } = await creator.ok('POST', '/channels/create', { name, subscribers: ids, ...params })
  return { id: id as number, name, path: `/streams/${id}` }
}

const seen = async (person: Person, id: number) => (await person.ok('GET', `/streams/${id}`)).stream

t.test('each property makes one event, for exactly the users who may see the channel', async t => {
  const [creator, bystander, guest, subscribedGuest] = [
    await server.person(),
    await server.person(),
    await server.person({ role: 600 }),
    await server.person({ role: 600 }),
  ]
  const { id, name, path } = await channel(creator, {}, [creator, subscribedGuest])
  const [folder] = await sql`insert into channel_folders (name, position) values ('Folder', 1) returning id`
  const [own, ear, outside, inside] = [
    await Listener.start(ctx, creator),
    await Listener.start(ctx, bystander),
    await Listener.start(ctx, guest),
    await Listener.start(ctx, subscribedGuest),
  ]
  const new_name = freshName('renamed')
  const { body } = await creator.patch(path, {
    new_name,
    description: 'A **bold**\nword',
    folder_id: folder?.id,
    topics_policy: 'disable_empty_topic',
    can_send_message_group: { new: moderators },
    can_resolve_topics_group: { new: { direct_members: [creator.id], direct_subgroups: [members] } },
  })
  t.same(body, { result: 'success', msg: '' })
  const events = await ear.inStep(t)
  t.same(
    events.map(({ id: _, ...event }) => event),
    [
      { property: 'name', value: new_name, name },
      {
        property: 'description',
        value: 'A **bold** word',
        rendered_description: '<p>A <strong>bold</strong> word</p>',
        name: new_name,
      },
      { property: 'folder_id', value: folder?.id, name: new_name },
      { property: 'topics_policy', value: 'disable_empty_topic', name: new_name },
      {
        property: 'can_resolve_topics_group',
        value: { direct_members: [creator.id], direct_subgroups: [members] },
        name: new_name,
      },
      { property: 'can_send_message_group', value: moderators, name: new_name },
      { property: 'stream_post_policy', value: 4, name: new_name },
    ].map(event => ({ type: 'stream', op: 'update', stream_id: id, ...event })),
  )
  t.equal((await own.inStep(t)).length, events.length)
  t.equal((await inside.inStep(t)).length, events.length)
  t.same(await outside.inStep(t), [])
  t.match(await seen(creator, id), { name: new_name, folder_id: folder?.id, stream_post_policy: 4 })
  await creator.ok('PATCH', path, { folder_id: null, topics_policy: 'inherit' })
  t.same(
    (await ear.inStep(t)).map(event => [event.property, event.value]),
    [
      ['folder_id', null],
      ['topics_policy', 'inherit'],
    ],
  )
})

t.test('what is as it was causes nothing', async t => {
  const { id, path } = await channel(owner, { description: 'Same' })
  const ear = await Listener.start(ctx, owner)
  const { version } = ctx.directory
  const present = await seen(owner, id)
  await owner.ok('PATCH', path, {})
  await owner.ok('PATCH', path, {
    description: 'Same',
    is_private: false,
    is_web_public: false,
    history_public_to_subscribers: true,
    is_default_stream: false,
    message_retention_days: 'realm_default',
    is_archived: true,
    folder_id: null,
    topics_policy: 'inherit',
    can_send_message_group: { new: present.can_send_message_group },
    can_administer_channel_group: { new: { direct_members: [owner.id], direct_subgroups: [] } },
    can_subscribe_group: { new: { direct_members: [], direct_subgroups: [present.can_subscribe_group] } },
  })
  t.same(await ear.inStep(t), [])
  await ctx.directory.fresh()
  t.equal(ctx.directory.version, version)
})

t.test('a change of letter case is no collision', async t => {
  const { id, name, path } = await channel(owner)
  await owner.ok('PATCH', path, { new_name: name.toUpperCase() })
  t.equal((await seen(owner, id)).name, name.toUpperCase())
  t.equal((await owner.ok('GET', '/get_stream_id', { stream: name })).stream_id, id)
})

t.test('a name that was given up is free, and the channel is found by the new one', async t => {
  const first = await channel(owner)
  const second = await channel(owner)
  const other = freshName()
  await owner.ok('PATCH', first.path, { new_name: other })
  await owner.ok('PATCH', second.path, { new_name: first.name })
  t.equal((await owner.ok('GET', '/get_stream_id', { stream: other })).stream_id, first.id)
  t.equal((await owner.ok('GET', '/get_stream_id', { stream: first.name })).stream_id, second.id)
  t.equal((await owner.get('/get_stream_id', { stream: second.name })).status, 400)
})

t.test('renamed at once, by several and through two workers, a name goes to one channel', async t => {
  const second = await startServer(t, {}, server.organization)
  const channels = await Promise.all([0, 1, 2, 3, 4, 5].map(() => channel(owner)))
  const name = freshName('race')
  const answers = await Promise.all(
    channels.map(({ path }, i) => second.api(owner).patch(path, { new_name: i % 2 ? name : name.toUpperCase() })),
  )
  const won = answers.filter(answer => answer.status === 200)
  t.equal(won.length, 1)
  for (const { status, body } of answers.filter(answer => answer.status !== 200)) {
    t.match({ status, body }, { status: 409, body: { code: 'CHANNEL_ALREADY_EXISTS' } })
    t.equal(body.channel_name.toLowerCase(), name.toLowerCase())
  }
  const rows = await sql`select id from channels where lower(name) = ${name.toLowerCase()}`
  t.equal(rows.length, 1)
})

t.test('renamed while another one is made of that name: one of the two', async t => {
  const { path } = await channel(owner)
  const name = freshName('race')
  const answers = await Promise.all([
    owner.patch(path, { new_name: name }),
    owner.post('/channels/create', { name, subscribers: [] }),
  ])
  t.same(answers.map(answer => answer.status).sort(), [200, 409])
})

t.test('a channel becomes a default channel, and stops being one', async t => {
  const [admin, guest] = [await server.person({ role: 200 }), await server.person({ role: 600 })]
  const { id, path } = await channel(admin)
  const [ear, outside] = [await Listener.start(ctx, admin), await Listener.start(ctx, guest)]
  await admin.ok('PATCH', path, { is_default_stream: true })
  const [event] = await ear.inStep(t)
  t.match(event, { type: 'default_streams' })
  t.ok(event?.default_streams.includes(id))
  await admin.ok('PATCH', path, { is_default_stream: false })
  t.notOk((await ear.inStep(t))[0]?.default_streams.includes(id))
  t.same(await outside.inStep(t), [])
})

t.test('retention in all its forms, said by owners', async t => {
  const { id, path } = await channel(owner)
  for (const [given, stored] of [
    [30, 30],
    ['unlimited', -1],
    ['realm_default', null],
  ]) {
    await owner.ok('PATCH', path, { message_retention_days: given })
    t.equal((await seen(owner, id)).message_retention_days, stored)
  }
})

t.test('each permission of a channel can be a group, a set of users or the group role:nobody', async t => {
  const creator = await server.person({ role: 200 })
  const nobody = await groupId(sql, 'role:nobody')
  const { id, path } = await channel(creator)
  const names = Object.keys(await seen(creator, id)).filter(name => /^can_.*_group$/.test(name))
  t.equal(names.length, 11)
  const ear = await Listener.start(ctx, creator)
  const set = { direct_members: [creator.id, owner.id].sort((a, b) => a - b), direct_subgroups: [moderators] }
  for (const value of [members, set, nobody]) {
    await creator.ok('PATCH', path, Object.fromEntries(names.map(name => [name, { new: value }])))
    const told = (await ear.inStep(t)).filter(event => event.property.startsWith('can_'))
    t.same(told.map(event => event.property).sort(), names.sort())
    t.ok(told.every(event => JSON.stringify(event.value) === JSON.stringify(value)))
  }
  await creator.ok('PATCH', path, { can_send_message_group: { new: { direct_members: [creator.id] } } })
  t.match(await ear.inStep(t), [{ value: { direct_members: [creator.id], direct_subgroups: [] } }])
})

t.test('with old, only if that is still the value', async t => {
  const { id, path } = await channel(owner, {
    can_send_message_group: { direct_members: [owner.id], direct_subgroups: [] },
  })
  const old = { direct_members: [owner.id], direct_subgroups: [] }
  const refused = await owner.patch(path, { can_send_message_group: { new: members, old: moderators } })
  t.match(refused, { status: 400, body: { code: 'EXPECTATION_MISMATCH', field_name: 'old' } })
  const before = await owner.patch(path, { can_send_message_group: { new: 999_999, old: moderators } })
  t.match(before.body, { code: 'EXPECTATION_MISMATCH' }, 'old is compared first')
  await owner.ok('PATCH', path, { can_send_message_group: { new: members, old } })
  t.equal((await seen(owner, id)).can_send_message_group, members)
  const race = await Promise.all(
    [moderators, await groupId(sql, 'role:administrators')].map(value =>
      owner.patch(path, { can_send_message_group: { new: value, old: members } }),
    ),
  )
  t.same(race.map(answer => answer.status).sort(), [200, 400], 'of two that race one is too late')
})

t.test('the bot posts a message in the channel about the change', async t => {
  const person = await server.person()
  await setOrganization(sql, { send_channel_events_messages: true })
  t.teardown(() => setOrganization(sql, { send_channel_events_messages: false }))
  const { id, name, path } = await channel(owner, {}, [person])
  const new_name = freshName()
  await owner.ok('PATCH', path, {
    new_name,
    description: 'A @**all** new one',
    is_private: true,
    message_retention_days: 1,
    can_send_message_group: { new: members },
  })
  const { messages } = await person.ok('GET', '/messages', {
    anchor: 'newest',
    num_before: 20,
    num_after: 0,
    narrow: [{ operator: 'channel', operand: id }],
    apply_markdown: false,
  })
  t.ok(messages.every((one: Loose) => one.subject === 'channel events' && one.sender_full_name === 'Notification Bot'))
  const texts = messages.map((one: Loose) => one.content)
  t.equal(texts.length, 5)
  t.match(texts[1], `renamed channel **${name}** to **${new_name}**`)
  t.match(texts[2], '> A @**all** new one')
  t.match(texts[3], 'from **Public** to **Private, protected history**')
  t.match(texts[4], 'from **Organization default** to **1 day**')
  t.notOk(messages.some((one: Loose) => one.flags.includes('mentioned') || one.flags.includes('wildcard_mentioned')))
})

t.test('a channel for the empty topic alone: only where no message is in another one', async t => {
  const { id, name, path } = await channel(owner, {}, [owner])
  await owner.ok('POST', '/messages', { type: 'channel', to: name, topic: '', content: 'In no topic' })
  await owner.ok('PATCH', path, { topics_policy: 'empty_topic_only' })
  t.equal((await seen(owner, id)).topics_policy, 'empty_topic_only')
  await owner.ok('PATCH', path, { topics_policy: 'allow_empty_topic' })
  await owner.ok('POST', '/messages', { type: 'channel', to: name, topic: 'named', content: 'In a topic' })
  const { status, body } = await owner.patch(path, { topics_policy: 'empty_topic_only', description: 'changed' })
  t.match({ status, body }, { status: 400, body: { code: 'BAD_REQUEST', empty_topic_display_name: 'general chat' } })
  t.equal((await seen(owner, id)).description, '', 'nothing else is changed either')
})

t.test('while messages come, a channel does not become one for the empty topic', async t => {
  for (let i = 0; i < 5; i++) {
    const { id, name, path } = await channel(owner, {}, [owner])
    const [sent, changed] = await Promise.all([
      owner.post('/messages', { type: 'channel', to: name, topic: 'named', content: 'Hello' }),
      owner.patch(path, { topics_policy: 'empty_topic_only' }),
    ])
    t.equal([sent, changed].filter(answer => answer.status === 200).length, 1)
    t.equal((await seen(owner, id)).topics_policy === 'empty_topic_only', changed.status === 200)
  }
})

t.test('an archived channel can be changed, and comes back', async t => {
  const [person, old, another] = [await server.person(), await server.person(), await server.person()]
  const { id, name, path } = await channel(owner, {}, [person, old])
  await person.ok('DELETE', '/users/me/subscriptions', { subscriptions: [name] })
  await owner.ok('DELETE', path)
  const others = { client_capabilities: { notification_settings_null: true } }
  const ears = {
    modern: await Listener.start(ctx, person),
    subscriber: await Listener.start(ctx, old, others),
    former: await Listener.start(ctx, person, others),
    other: await Listener.start(ctx, another, { ...others, include_subscribers: 'false' }),
  }
  await owner.ok('PATCH', path, { description: 'Still here' })
  t.same(kinds(await ears.modern.inStep(t)), ['stream/update'])
  t.same(await ears.subscriber.inStep(t), [], 'it does not exist to older clients')
  await owner.ok('PATCH', path, { is_archived: false, can_send_message_group: { new: members } })
  const events = await ears.modern.inStep(t)
  t.same(
    events.slice(0, 1).map(event => [event.property, event.value]),
    [['is_archived', false]],
  )
  t.same(kinds(events), ['stream/update', 'stream/update'])
  t.same(kinds(await ears.subscriber.inStep(t)).slice(0, 2), ['stream/create', 'subscription/add'])
  t.same(kinds(await ears.former.inStep(t)).slice(0, 2), ['stream/create', 'subscription/peer_add'])
  t.same(kinds(await ears.other.inStep(t)).slice(0, 2), ['stream/create', 'subscription/peer_add'])
  t.equal((await seen(owner, id)).is_archived, false)
  t.equal((await old.post('/messages', { type: 'channel', to: name, topic: 'a', content: 'b' })).status, 200)
})
