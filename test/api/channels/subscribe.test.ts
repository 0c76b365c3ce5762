import t from 'tap'
import { setColumns } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { freshName, kinds, Listener, type Loose } from './scene.js'

const server = await startServer(t)
await subscribe(await server.person(), { subscriptions: [{ name: 'there from the start' }] })

t.test('a channel that is missing is made, and the caller subscribed', async t => {
  const [owner, other] = [await server.person({ role: 100 }), await server.person()]
  const [ear, bystander] = [await Listener.start(server.ctx, owner), await Listener.start(server.ctx, other)]
  const name = freshName()
  const { status, body } = await subscribe(owner, {
    subscriptions: [{ name: ` ${name} `, description: 'all *of*\nus' }],
  })
  t.equal(status, 200)
  t.same(body.subscribed, { [owner.id]: [name] })
  t.same(body.already_subscribed, {})
  t.equal(body.new_subscription_messages_sent, true)
  t.notOk('unauthorized' in body)
  const events = await ear.inStep(t)
  t.same(kinds(events), ['stream/create', 'subscription/add'])
  const [subscription] = events[1]?.subscriptions ?? []
  t.equal(subscription.description, 'all *of* us')
  t.match(subscription.rendered_description, '<em>of</em>')
  t.same(subscription.subscribers, [owner.id])
  t.same(subscription.can_administer_channel_group, { direct_members: [owner.id], direct_subgroups: [] })
  t.same(kinds(await bystander.inStep(t)), ['stream/create', 'subscription/peer_add'])
})

t.test('a repeated subscription is already_subscribed, in any case of the name, and makes no event', async t => {
  const person = await server.person()
  const name = freshName('Quiet')
  await subscribe(person, { subscriptions: [{ name }] })
  const ear = await Listener.start(server.ctx, person)
  const { body } = await subscribe(person, { subscriptions: [{ name: name.toUpperCase() }, { name }] })
  t.same(body.subscribed, {})
  t.same(body.already_subscribed, { [person.id]: [name] })
  t.same(await ear.events(), [])
})

t.test('settings in the request are for new channels only', async t => {
  const [owner, member] = [await server.person({ role: 100 }), await server.person()]
  const name = freshName()
  await subscribe(owner, { subscriptions: [{ name, description: 'first' }] })
  const { body } = await subscribe(member, {
    subscriptions: [{ name, description: 'second' }],
    invite_only: true,
    folder_id: 99,
    can_send_message_group: 12345,
    message_retention_days: 'unlimited',
  })
  t.same(body.subscribed, { [member.id]: [name] })
  const { subscriptions } = await member.ok('GET', '/users/me/subscriptions')
  t.match(
    subscriptions.find((one: Loose) => one.name === name),
    { description: 'first', invite_only: false, message_retention_days: null },
  )
})

t.test('others are subscribed by id or by address; the caller is not, unless listed', async t => {
  const [caller, one, two] = [await server.person(), await server.person(), await server.person()]
  const ear = await Listener.start(server.ctx, two)
  const [first, second] = [freshName(), freshName()]
  const byId = await subscribe(caller, { subscriptions: [{ name: first }], principals: [one.id, two.id, one.id] })
  t.same(byId.body.subscribed, { [one.id]: [first], [two.id]: [first] })
  const byEmail = await subscribe(caller, {
    subscriptions: [{ name: second }],
    principals: [one.email.toUpperCase(), `user${two.id}@${server.ctx.realmHost}`],
  })
  t.same(byEmail.body.subscribed, { [one.id]: [second], [two.id]: [second] })
  const events = await ear.inStep(t)
  t.same(kinds(events), ['stream/create', 'subscription/add', 'stream/create', 'subscription/add'])
})

t.test('one event lists many users of many channels, and one lists all of them for the other subscribers', async t => {
  const [caller, bystander] = [await server.person(), await server.person()]
  const people = await Promise.all(Array.from({ length: 5 }, () => server.person()))
  const names = [freshName(), freshName(), freshName()]
  await subscribe(caller, { subscriptions: names.map(name => ({ name })) })
  const [ear, other] = [
    await Listener.start(server.ctx, people[0] as (typeof people)[0]),
    await Listener.start(server.ctx, bystander),
  ]
  const { body } = await subscribe(caller, {
    subscriptions: names.map(name => ({ name })),
    principals: people.map(person => person.id),
  })
  t.equal(Object.keys(body.subscribed).length, 5)
  const own = await ear.inStep(t)
  t.same(kinds(own), ['subscription/add'])
  t.equal(own[0]?.subscriptions.length, 3)
  const told = await other.inStep(t)
  t.same(kinds(told), ['subscription/peer_add'])
  t.equal(told[0]?.stream_ids.length, 3)
  t.same(
    told[0]?.user_ids,
    people.map(person => person.id).sort((a, b) => a - b),
  )
})

t.test('only administrators outside a private channel learn of it', async t => {
  const [creator, invited, outsider, admin] = [
    await server.person(),
    await server.person(),
    await server.person(),
    await server.person({ role: 200 }),
  ]
  const ears = {
    invited: await Listener.start(server.ctx, invited),
    outsider: await Listener.start(server.ctx, outsider),
    admin: await Listener.start(server.ctx, admin),
  }
  const name = freshName('secret')
  await subscribe(creator, { subscriptions: [{ name }], invite_only: true })
  t.same(await ears.invited.events(), [])
  t.same(kinds(await ears.admin.inStep(t)), ['stream/create', 'subscription/peer_add'])
  await subscribe(creator, { subscriptions: [{ name }], principals: [invited.id] })
  t.same(kinds(await ears.invited.inStep(t)), ['stream/create', 'subscription/add'])
  t.same(await ears.outsider.events(), [])
  const refused = await subscribe(outsider, { subscriptions: [{ name }] })
  t.match(refused, { status: 400, body: { code: 'BAD_REQUEST' } })
  t.match(await subscribe(admin, { subscriptions: [{ name }] }), { status: 400, body: { code: 'BAD_REQUEST' } })
})

t.test('a guest receives a public channel when it is subscribed to it, and not before', async t => {
  const [member, guest] = [await server.person(), await server.person({ role: 600 })]
  const ear = await Listener.start(server.ctx, guest)
  const name = freshName()
  await subscribe(member, { subscriptions: [{ name }] })
  t.same(await ear.events(), [])
  await subscribe(member, { subscriptions: [{ name }], principals: [guest.id] })
  t.same(kinds(await ear.inStep(t)), ['stream/create', 'subscription/add'])
  t.match(await subscribe(guest, { subscriptions: [{ name }] }), { status: 400, body: { code: 'BAD_REQUEST' } })
})

t.test('authorization_errors_fatal false names what is closed and does the rest', async t => {
  const [creator, outsider] = [await server.person(), await server.person()]
  const [closed, open] = [freshName(), freshName()]
  await subscribe(creator, { subscriptions: [{ name: closed }], invite_only: true })
  const subscriptions = [{ name: closed }, { name: open }]
  t.match(await subscribe(outsider, { subscriptions }), { status: 400, body: { code: 'BAD_REQUEST' } })
  t.equal((await outsider.get('/get_stream_id', { stream: open })).status, 400, 'nothing was made')
  const { body } = await subscribe(outsider, { subscriptions, authorization_errors_fatal: false })
  t.same(body.unauthorized, [closed])
  t.same(body.subscribed, { [outsider.id]: [open] })
})

t.test('who may not add others is refused, also when authorization errors are not fatal', async t => {
  const [owner, member, other] = [await server.person({ role: 100 }), await server.person(), await server.person()]
  const name = freshName()
  await subscribe(owner, { subscriptions: [{ name }] })
  const nobody = (await server.sql`select id from user_groups where name = 'role:nobody'`)[0]?.id
  const set = (settings: Loose) => setColumns(server.sql, { settings })
  await set({ can_add_subscribers_group: nobody })
  t.teardown(() => set({}))
  const params = { subscriptions: [{ name }], principals: [other.id] }
  t.match(await subscribe(member, params), { status: 400, body: { code: 'BAD_REQUEST' } })
  t.equal((await subscribe(member, { ...params, authorization_errors_fatal: false })).status, 400)
  t.equal(
    (await subscribe(member, { ...params, principals: [member.email] })).status,
    400,
    'the own address counts as somebody else',
  )
  t.equal((await subscribe(member, { ...params, principals: [member.id] })).status, 200)
  t.equal((await subscribe(owner, params)).status, 200, 'who administers the channel may')
})

t.test('input that is refused', async t => {
  const [owner, member] = [await server.person({ role: 100 }), await server.person()]
  const gone = await server.person({ is_active: false })
  const groups = Object.fromEntries(
    (await server.sql`select name, id from user_groups where name is not null`).map(row => [row.name, row.id]),
  )
  const subscriptions = [{ name: freshName() }]
  const cases: [string, typeof owner, Loose, Loose][] = [
    ['no subscriptions', owner, {}, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'subscriptions' }],
    ['not a list', owner, { subscriptions: 'x' }, { code: 'BAD_REQUEST' }],
    ['no name', owner, { subscriptions: [{}] }, { code: 'BAD_REQUEST' }],
    ['a blank name', owner, { subscriptions: [{ name: '  ' }] }, { code: 'BAD_REQUEST' }],
    ['a name of 61', owner, { subscriptions: [{ name: 'x'.repeat(61) }] }, { code: 'BAD_REQUEST' }],
    ['a control character', owner, { subscriptions: [{ name: 'a\u0000b' }] }, { code: 'BAD_REQUEST' }],
    [
      'a description of 1025',
      owner,
      { subscriptions: [{ name: 'x', description: 'x'.repeat(1025) }] },
      { code: 'BAD_REQUEST' },
    ],
    ['a color of 2', owner, { subscriptions: [{ name: 'x', color: '#12' }] }, { code: 'BAD_REQUEST' }],
    ['unknown user', owner, { subscriptions, principals: [2_000_000_000] }, { code: 'BAD_REQUEST' }],
    ['deactivated user', owner, { subscriptions, principals: [gone.id] }, { code: 'BAD_REQUEST' }],
    ['deactivated address', owner, { subscriptions, principals: [gone.email] }, { code: 'BAD_REQUEST' }],
    ['ids and addresses', owner, { subscriptions, principals: [owner.id, 'a@b.example'] }, { code: 'BAD_REQUEST' }],
    ['private default', owner, { subscriptions, invite_only: true, is_default_stream: true }, { code: 'BAD_REQUEST' }],
    ['default by a member', member, { subscriptions, is_default_stream: true }, { code: 'BAD_REQUEST' }],
    ['web-public when that is off', owner, { subscriptions, is_web_public: true }, { code: 'BAD_REQUEST' }],
    [
      'web-public and private',
      owner,
      { subscriptions, is_web_public: true, invite_only: true },
      { code: 'BAD_REQUEST' },
    ],
    ['unknown folder', owner, { subscriptions, folder_id: 77 }, { code: 'BAD_REQUEST' }],
    ['unknown topics policy', owner, { subscriptions, topics_policy: 'some' }, { code: 'BAD_REQUEST' }],
    [
      'retention word',
      owner,
      { subscriptions, message_retention_days: 'never' },
      { code: 'REQUEST_VARIABLE_INVALID', var_name: 'message_retention_days', bad_value: 'never' },
    ],
    [
      'retention 0',
      owner,
      { subscriptions, message_retention_days: 0 },
      { code: 'REQUEST_VARIABLE_INVALID', bad_value: 0 },
    ],
    ['retention by a member', member, { subscriptions, message_retention_days: 5 }, { code: 'UNAUTHORIZED_PRINCIPAL' }],
    ['unknown group', owner, { subscriptions, can_send_message_group: 99_999 }, { code: 'BAD_REQUEST' }],
    [
      'unknown user in a group setting',
      owner,
      { subscriptions, can_send_message_group: { direct_members: [99_999], direct_subgroups: [] } },
      { code: 'BAD_REQUEST' },
    ],
    [
      'the internet',
      owner,
      { subscriptions, can_send_message_group: groups['role:internet'] },
      { code: 'BAD_REQUEST' },
    ],
    [
      'everyone adds',
      owner,
      { subscriptions, can_add_subscribers_group: groups['role:everyone'] },
      { code: 'BAD_REQUEST' },
    ],
    [
      'topics by some in protected history',
      owner,
      { subscriptions, invite_only: true, can_create_topic_group: groups['role:members'] },
      { code: 'BAD_REQUEST' },
    ],
    [
      'a delete policy by a member',
      member,
      { subscriptions, can_delete_own_message_group: groups['role:members'] },
      { code: 'BAD_REQUEST' },
    ],
  ]
  for (const [title, who, params, body] of cases) {
    t.match(await subscribe(who, params), { status: 400, body: { result: 'error', ...body } }, title)
  }
})

t.test('a new channel has the settings that were asked for', async t => {
  const owner = await server.person({ role: 100 })
  const members = (await server.sql`select id from user_groups where name = 'role:members'`)[0]?.id
  const name = freshName()
  await owner.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name, color: '#ABC' }],
    invite_only: true,
    history_public_to_subscribers: true,
    message_retention_days: 30,
    topics_policy: 'disable_empty_topic',
    can_send_message_group: { direct_members: [owner.id], direct_subgroups: [members] },
    can_create_topic_group: { direct_members: [], direct_subgroups: [members] },
    can_delete_any_message_group: members,
  })
  const { subscriptions } = await owner.ok('GET', '/users/me/subscriptions', { include_subscribers: 'true' })
  t.match(
    subscriptions.find((one: Loose) => one.name === name),
    {
      color: '#aabbcc',
      invite_only: true,
      history_public_to_subscribers: true,
      message_retention_days: 30,
      topics_policy: 'disable_empty_topic',
      can_send_message_group: { direct_members: [owner.id], direct_subgroups: [members] },
      can_create_topic_group: members,
      can_delete_any_message_group: members,
      subscribers: [owner.id],
    },
  )
})

t.test('a default channel is announced as one', async t => {
  const [admin, guest] = [await server.person({ role: 200 }), await server.person({ role: 600 })]
  const [ear, outside] = [await Listener.start(server.ctx, admin), await Listener.start(server.ctx, guest)]
  await admin.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: freshName() }], is_default_stream: true })
  t.same(kinds(await ear.inStep(t)), ['stream/create', 'subscription/add', 'default_streams'])
  t.same(await outside.events(), [])
})

t.test('made by several at once, through two workers, it is one channel', async t => {
  const second = await startServer(t, {}, server.organization)
  const people = await Promise.all(Array.from({ length: 8 }, (_, i) => (i % 2 ? server : second).person()))
  const ear = await Listener.start([server.ctx, second.ctx], await server.person())
  const name = freshName('race')
  const answers = await Promise.all(
    people.map((person, i) => subscribe(person, { subscriptions: [{ name: i % 3 ? name : name.toUpperCase() }] })),
  )
  t.same(
    answers.map(answer => answer.status),
    people.map(() => 200),
  )
  const rows = await server.sql`select id from channels where lower(name) = ${name.toLowerCase()}`
  t.equal(rows.length, 1)
  const events = await ear.inStep(t)
  t.equal(kinds(events).filter(kind => kind === 'stream/create').length, 1)
  t.same(events.flatMap(event => event.user_ids ?? []).length, 8)
})

t.test('who subscribes again keeps its settings, and gets what comes from then on', async t => {
  const person = await server.person()
  const name = freshName()
  await person.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name, color: '#123456' }] })
  await person.ok('DELETE', '/users/me/subscriptions', { subscriptions: [name] })
  const ear = await Listener.start(server.ctx, person)
  await person.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name, color: '#654321' }] })
  const [added] = await ear.inStep(t)
  t.equal(added?.subscriptions[0].color, '#123456')
})

t.test('clients without the capability never see a null among notification settings', async t => {
  const person = await server.person({ settings: { enable_stream_audible_notifications: true } })
  const ear = await Listener.start(server.ctx, person, { client_capabilities: {}, include_subscribers: 'false' })
  await person.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: freshName() }] })
  const events = await ear.inStep(t)
  const [subscription] = events[1]?.subscriptions ?? []
  t.match(subscription, { audible_notifications: true, email_notifications: false, wildcard_mentions_notify: null })
  t.notOk('subscribers' in subscription)
})

t.test('the organization says who may make which kind of channel, and who sets its policies', async t => {
  const [owner, member] = [await server.person({ role: 100 }), await server.person()]
  const nobody = (await server.sql`select id from user_groups where name = 'role:nobody'`)[0]?.id
  const set = (settings: Loose) => setColumns(server.sql, { settings })
  t.teardown(() => set({}))
  const make = async (who: Person, params: Loose = {}) => {
    const { status, body } = await subscribe(who, { subscriptions: [{ name: freshName() }], ...params })
    return status === 200 ? 'made' : body.code
  }
  await set({ can_create_public_channel_group: nobody })
  t.equal(await make(owner), 'BAD_REQUEST')
  t.equal(await make(member, { invite_only: true }), 'made')
  await set({ can_create_private_channel_group: nobody })
  t.equal(await make(owner, { invite_only: true }), 'BAD_REQUEST')
  t.equal(await make(member), 'made')
  await set({ can_set_topics_policy_group: nobody })
  t.equal(await make(owner, { topics_policy: 'empty_topic_only' }), 'BAD_REQUEST')
  t.equal(await make(owner, { topics_policy: 'inherit' }), 'made')
  await set({ enable_spectator_access: true })
  t.equal(
    await make(member, { is_web_public: true }),
    'BAD_REQUEST',
    'owners only, unless the organization says otherwise',
  )
  const guest = await server.person({ role: 600 })
  t.equal(await make(owner, { principals: [guest.id] }), 'made')
  const ear = await Listener.start(server.ctx, guest)
  t.equal(await make(owner, { is_web_public: true }), 'made')
  t.same(kinds(await ear.inStep(t)), ['stream/create', 'subscription/peer_add'], 'guests know it, too')
})

function subscribe(who: Person, params: Loose) {
  return who.post('/users/me/subscriptions', params)
}
