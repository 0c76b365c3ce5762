import t from 'tap'
import { groupId, setOrganization } from '../../support/organization.js'
import { startServer } from '../../support/server.js'
import { freshName, kinds, Listener, type Loose } from './scene.js'

const server = await startServer(t)
await (await server.person()).ok('POST', '/channels/create', { name: 'there from the start', subscribers: [] })

t.test('a channel is made and those who are listed are subscribed', async t => {
  const [creator, subscriber] = [await server.person(), await server.person()]
  const [ear, own] = [await Listener.start(server.ctx, subscriber), await Listener.start(server.ctx, creator)]
  const name = freshName()
  const { id } = await creator.ok('POST', '/channels/create', { name, subscribers: [subscriber.id], description: 'x' })
  t.same(kinds(await ear.inStep(t)), ['stream/create', 'subscription/add'])
  t.same(kinds(await own.inStep(t)), ['stream/create', 'subscription/peer_add'], 'the creator is not listed')
  t.match((await creator.ok('GET', `/streams/${id}`)).stream, { name, description: 'x', subscriber_count: 1 })
})

t.test('a channel may have no subscribers; the creator of a private one gets its event nevertheless', async t => {
  const [creator, outsider] = [await server.person(), await server.person()]
  const [ear, other] = [await Listener.start(server.ctx, creator), await Listener.start(server.ctx, outsider)]
  await creator.ok('POST', '/channels/create', { name: freshName(), subscribers: [], invite_only: true })
  t.same(kinds(await ear.inStep(t)), ['stream/create'])
  t.same(await other.events(), [])
})

t.test('a name that is taken, in whatever case, is refused with its own code', async t => {
  const [creator, other] = [await server.person(), await server.person()]
  const name = freshName('Taken')
  await creator.ok('POST', '/channels/create', { name, subscribers: [], invite_only: true })
  const answer = await other.post('/channels/create', { name: name.toLowerCase(), subscribers: [] })
  t.match(answer, { status: 409, body: { code: 'CHANNEL_ALREADY_EXISTS', channel_name: name.toLowerCase() } })
})

t.test('input and people that are refused', async t => {
  const [member, guest] = [await server.person(), await server.person({ role: 600 })]
  const gone = await server.person({ is_active: false })
  const good = () => ({ name: freshName(), subscribers: [member.id] })
  const cases: [string, typeof member, Loose, Loose][] = [
    ['a guest', guest, good(), { code: 'BAD_REQUEST' }],
    ['no name', member, { subscribers: [] }, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'name' }],
    ['no subscribers', member, { name: 'x' }, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'subscribers' }],
    ['addresses', member, { ...good(), subscribers: [member.email] }, { code: 'BAD_REQUEST' }],
    ['unknown user', member, { ...good(), subscribers: [2_000_000_000] }, { code: 'BAD_REQUEST' }],
    ['deactivated user', member, { ...good(), subscribers: [gone.id] }, { code: 'BAD_REQUEST' }],
    ['blank name', member, { ...good(), name: ' ' }, { code: 'BAD_REQUEST' }],
    ['long name', member, { ...good(), name: 'x'.repeat(61) }, { code: 'BAD_REQUEST' }],
    ['retention', member, { ...good(), message_retention_days: 1 }, { code: 'UNAUTHORIZED_PRINCIPAL' }],
    ['default', member, { ...good(), is_default_stream: true }, { code: 'BAD_REQUEST' }],
  ]
  for (const [title, who, params, body] of cases) {
    t.match(await who.post('/channels/create', params), { status: 400, body }, title)
  }
})

t.test('with every setting, and announced', async t => {
  const owner = await server.person({ role: 100 })
  const news = await owner.ok('POST', '/channels/create', { name: freshName(), subscribers: [owner.id] })
  await setOrganization(server.sql, {
    new_stream_announcements_stream_id: news.id,
    send_channel_events_messages: false,
  })
  t.teardown(() => setOrganization(server.sql, { new_stream_announcements_stream_id: -1 }))
  const members = await groupId(server.sql, 'role:members')
  const set = { direct_members: [owner.id], direct_subgroups: [members] }
  const names = Object.keys((await owner.ok('GET', `/streams/${news.id}`)).stream)
  const permissions = Object.fromEntries(names.filter(name => /^can_.*_group$/.test(name)).map(name => [name, set]))
  const [folder] = await server.sql`insert into channel_folders (name, position) values ('Here', 1) returning id`
  const plain = {
    name: freshName(),
    description: 'All of it',
    is_web_public: false,
    topics_policy: 'allow_empty_topic',
    folder_id: folder?.id,
  }
  const ear = await Listener.start(server.ctx, owner, { event_types: ['message', 'default_streams'] })
  const { id } = await owner.ok('POST', '/channels/create', {
    ...plain,
    subscribers: [],
    announce: true,
    is_default_stream: true,
    message_retention_days: 7,
    history_public_to_subscribers: true,
    ...permissions,
  })
  t.match((await owner.ok('GET', `/streams/${id}`)).stream, { ...plain, ...permissions, message_retention_days: 7 })
  const { streams } = await owner.ok('GET', '/streams', { include_default: true })
  t.equal(streams.find((one: Loose) => one.stream_id === id).is_default, true)
  const events = await ear.events(t)
  t.match(events.map(event => event.message?.content).filter(Boolean), [new RegExp(plain.name)])
})

t.test('a parameter above the announced feature level is not known', async t => {
  const [owner, name] = [await server.person({ role: 100 }), freshName()]
  const newer = { default_push_notifications: true }
  const unknown = { ignored_parameters_unsupported: ['default_push_notifications'] }
  const made = await owner.ok('POST', '/channels/create', { name, subscribers: [owner.id], ...newer })
  t.match(made, unknown)
  t.match(await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], ...newer }), unknown)
  t.match(await owner.ok('PATCH', `/streams/${made.id}`, newer), unknown)
  t.notOk('default_push_notifications' in (await owner.ok('GET', `/streams/${made.id}`)).stream)
})

t.test('settings that are refused make nothing', async t => {
  const [owner, member] = [await server.person({ role: 100 }), await server.person()]
  const everyone = await groupId(server.sql, 'role:everyone')
  const cases: [string, typeof member, Loose, string][] = [
    ['private and open to the web', owner, { invite_only: true, is_web_public: true }, 'BAD_REQUEST'],
    ['private and default', owner, { invite_only: true, is_default_stream: true }, 'BAD_REQUEST'],
    ['unknown folder', owner, { folder_id: 987_654 }, 'BAD_REQUEST'],
    ['unknown policy', owner, { topics_policy: 'any' }, 'BAD_REQUEST'],
    ['retention in words', owner, { message_retention_days: 'long' }, 'REQUEST_VARIABLE_INVALID'],
    ['everyone subscribes others', owner, { can_add_subscribers_group: everyone }, 'BAD_REQUEST'],
    ['unknown group', owner, { can_send_message_group: 987_654 }, 'BAD_REQUEST'],
    ['who deletes, by a member', member, { can_delete_any_message_group: everyone }, 'BAD_REQUEST'],
  ]
  for (const [title, who, params, code] of cases) {
    const name = freshName()
    t.match(
      await who.post('/channels/create', { name, subscribers: [], ...params }),
      { status: 400, body: { code } },
      title,
    )
    t.equal((await owner.get('/get_stream_id', { stream: name })).status, 400, title)
  }
})

t.test(
  'made by several at once, through two workers, it is one channel; all others hear that the name is taken',
  async t => {
    const second = await startServer(t, {}, server.organization)
    const creator = await server.person()
    const name = freshName('Race')
    const answers = await Promise.all(
      [server, second, server, second].map((one, i) =>
        one.api(creator).post('/channels/create', { name: i % 2 ? name : name.toUpperCase(), subscribers: [] }),
      ),
    )
    t.same(answers.map(answer => answer.status).sort(), [200, 409, 409, 409])
  },
)
