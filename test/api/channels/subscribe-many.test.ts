import t from 'tap'
import { groupId, setOrganization } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { queriesOf, statementsOf } from '../../support/queries.js'
import { startServer } from '../../support/server.js'
import { freshName, kinds, Listener, type Loose } from './scene.js'

const server = await startServer(t)
const { ctx, sql } = server
const owner = await server.person({ role: 100 })

const subscribe = (who: Person, params: Loose) => who.post('/users/me/subscriptions', params)
const idOf = async (who: Person, name: string) => (await who.ok('GET', '/get_stream_id', { stream: name })).stream_id
const channelCount = async () => (await sql`select count(*)::int as n from channels`)[0]?.n

async function channel(creator: Person, subscribers: Person[], params: Loose = {}): Promise<string> {
  const name = freshName()
  const ids = subscribers.map(person => person.id)
  await creator.ok('POST', '/channels/create', { name, subscribers: ids, ...params })
  return name
}

t.test('some channels exist, some are new, some are closed: each is answered for, by person', async t => {
  const [caller, friend] = [await server.person(), await server.person()]
  const [mine, ours, open] = [
    await channel(owner, [caller]),
    await channel(owner, [caller, friend]),
    await channel(owner, []),
  ]
  const [closed, fresh, other] = [await channel(owner, [owner], { invite_only: true }), freshName(), freshName()]
  const names = [mine, ours, open, closed, fresh, other]
  const params = {
    subscriptions: names.map(name => ({ name })),
    principals: [caller.email, friend.email],
    invite_only: true,
  }
  const before = await channelCount()
  const refused = await subscribe(caller, params)
  t.match(refused, { status: 400, body: { code: 'BAD_REQUEST' } })
  t.match(refused.body.msg, closed)
  t.equal(await channelCount(), before, 'nothing is made where one is refused')
  t.same((await friend.ok('GET', '/users/me/subscriptions')).subscriptions.length, 1, 'nobody is subscribed')
  const { body } = await subscribe(caller, { ...params, authorization_errors_fatal: false })
  t.same(body, {
    result: 'success',
    msg: '',
    subscribed: { [caller.id]: [open, fresh, other], [friend.id]: [mine, open, fresh, other] },
    already_subscribed: { [caller.id]: [mine, ours], [friend.id]: [ours] },
    unauthorized: [closed],
    new_subscription_messages_sent: true,
  })
  const { stream } = await caller.ok('GET', `/streams/${await idOf(caller, fresh)}`)
  t.match(stream, { invite_only: true, history_public_to_subscribers: false, subscriber_count: 2 })
  t.match((await caller.ok('GET', `/streams/${await idOf(caller, open)}`)).stream, { invite_only: false })
})

t.test('an empty request still gets the field unauthorized', async t => {
  const { body } = await subscribe(owner, { subscriptions: [], authorization_errors_fatal: false })
  t.match(body, { subscribed: {}, already_subscribed: {}, unauthorized: [] })
})

t.test('with every setting', async t => {
  await setOrganization(sql, { enable_spectator_access: true })
  const [folder] = await sql`insert into channel_folders (name, position) values ('Every', 1) returning id`
  const names = Object.keys((await owner.ok('GET', `/streams/${await idOf(owner, await channel(owner, []))}`)).stream)
  const permissions = names.filter(name => /^can_.*_group$/.test(name))
  t.equal(permissions.length, 11)
  const members = await groupId(sql, 'role:members')
  const set = { direct_members: [owner.id], direct_subgroups: [members] }
  const plain = {
    message_retention_days: 'unlimited',
    topics_policy: 'empty_topic_only',
    folder_id: folder?.id,
  }
  const stored = { ...plain, message_retention_days: -1 }
  for (const value of [members, set]) {
    const groups = Object.fromEntries(permissions.map(name => [name, value]))
    const kinds: [Loose, Loose][] = [
      [{ is_web_public: true }, { is_web_public: true, invite_only: false, history_public_to_subscribers: true }],
      [
        { invite_only: true, history_public_to_subscribers: true },
        { invite_only: true, history_public_to_subscribers: true },
      ],
      [{ is_default_stream: true }, { invite_only: false, is_web_public: false }],
      [{ history_public_to_subscribers: false }, { history_public_to_subscribers: true }],
    ]
    for (const [params, wanted] of kinds) {
      const asked = { name: freshName(), description: 'What *for*' }
      const { status } = await subscribe(owner, { subscriptions: [asked], ...params, ...plain, ...groups })
      t.equal(status, 200)
      const path = `/streams/${await idOf(owner, asked.name)}`
      t.match((await owner.ok('GET', path)).stream, { ...asked, ...stored, ...wanted, ...groups })
    }
  }
})

t.test('none of the settings matters to a channel that is there, however wrong', async t => {
  const member = await server.person()
  const name = await channel(owner, [])
  const { stream: before } = await owner.ok('GET', `/streams/${await idOf(owner, name)}`)
  const { body } = await subscribe(member, {
    subscriptions: [{ name, description: 'Another' }],
    invite_only: true,
    is_web_public: true,
    is_default_stream: true,
    history_public_to_subscribers: false,
    message_retention_days: 5,
    topics_policy: 'empty_topic_only',
    folder_id: 123_456,
    can_send_message_group: 123_456,
    can_administer_channel_group: { direct_members: [123_456], direct_subgroups: [] },
    announce: true,
  })
  t.same(body.subscribed, { [member.id]: [name] })
  const { stream } = await owner.ok('GET', `/streams/${before.stream_id}`)
  t.same({ ...stream, subscriber_count: 0 }, before)
})

t.test('lengths are counted in code points', async t => {
  const name = `${freshName('😀')}`.padEnd(61, '😀').slice(0, 60)
  const sixty = [...name].slice(0, 30).join('') + '😀'.repeat(60 - [...name].slice(0, 30).length)
  t.equal([...sixty].length, 60)
  const { status } = await subscribe(owner, { subscriptions: [{ name: sixty, description: '😀'.repeat(1024) }] })
  t.equal(status, 200)
  for (const bad of [
    { name: `${sixty}x` },
    { name: freshName(), description: '😀'.repeat(1025) },
    { name: freshName(), description: 'a\0b' },
    { name: 'a\0b' },
    { name: 'a\ufffeb' },
  ]) {
    t.match(await subscribe(owner, { subscriptions: [bad] }), { status: 400, body: { code: 'BAD_REQUEST' } })
  }
})

t.test('into a private channel: who is in it may subscribe others, who reads it may join', async t => {
  const [inside, reader, adder, outside, friend] = [
    await server.person(),
    await server.person(),
    await server.person(),
    await server.person({ role: 200 }),
    await server.person(),
  ]
  const name = await channel(owner, [inside], {
    invite_only: true,
    can_subscribe_group: { direct_members: [reader.id], direct_subgroups: [] },
    can_add_subscribers_group: { direct_members: [adder.id], direct_subgroups: [] },
  })
  const add = (who: Person, ...people: Person[]) =>
    subscribe(who, { subscriptions: [{ name }], principals: people.map(person => person.id) })
  const refused = { status: 400, body: { code: 'BAD_REQUEST' } }
  t.match(await add(outside, friend), refused, 'an administrator from outside')
  t.match(await add(outside, outside), refused)
  await setOrganization(sql, { can_add_subscribers_group: await groupId(sql, 'role:nobody') })
  t.teardown(async () => setOrganization(sql, { can_add_subscribers_group: await groupId(sql, 'role:members') }))
  t.match(await add(inside, friend), refused, 'the organization lets nobody, nor does the channel')
  t.match(await add(reader, friend), refused)
  t.equal((await add(reader, reader)).status, 200)
  t.equal((await add(adder, friend)).status, 200, 'without being subscribed itself')
  t.equal((await add(owner, outside)).status, 400, 'nor the owner, who left it alone')
})

t.test('guests are subscribed by others only', async t => {
  const [guest, member] = [await server.person({ role: 600 }), await server.person()]
  const name = await channel(owner, [])
  t.match(await subscribe(guest, { subscriptions: [{ name }] }), { status: 400, body: { code: 'BAD_REQUEST' } })
  t.equal((await subscribe(member, { subscriptions: [{ name }], principals: [guest.id] })).status, 200)
})

t.test('an archived channel can be subscribed to; older clients get no event', async t => {
  const person = await server.person()
  const name = await channel(owner, [])
  await owner.ok('DELETE', `/streams/${await idOf(owner, name)}`)
  const [modern, old] = [
    await Listener.start(ctx, person),
    await Listener.start(ctx, person, { client_capabilities: { notification_settings_null: true } }),
  ]
  t.same((await subscribe(person, { subscriptions: [{ name }] })).body.subscribed, { [person.id]: [name] })
  t.same(kinds(await modern.inStep(t)), ['subscription/add'])
  t.same(kinds(await old.inStep(t)), [])
})

t.test('a bot subscribes itself', async t => {
  const bot = await server.person({ bot_type: 1, bot_owner_id: owner.id })
  const name = freshName()
  t.same((await subscribe(bot, { subscriptions: [{ name }] })).body.subscribed, { [bot.id]: [name] })
})

t.test('several callers create the same channels at once, and all of them are subscribed to each', async t => {
  const second = await startServer(t, {}, server.organization)
  const people = await Promise.all(Array.from({ length: 6 }, (_, i) => (i % 2 ? server : second).person()))
  const ear = await Listener.start([ctx, second.ctx], people[0] as Person)
  const names = [freshName('race'), freshName('race'), freshName('race')]
  const answers = await Promise.all(
    people.map((person, i) =>
      // In alternating order: requests that wait for each other's locks must not fail.
      subscribe(person, { subscriptions: (i % 2 ? names : [...names].reverse()).map(name => ({ name })) }),
    ),
  )
  t.ok(answers.every(answer => answer.status === 200))
  await ear.inStep(t)
  for (const name of names) {
    const { subscribers } = await owner.ok('GET', `/streams/${await idOf(owner, name)}/members`)
    t.same(
      subscribers,
      people.map(person => person.id).sort((a, b) => a - b),
    )
  }
})

t.test('many people and many channels take as many statements as few', async t => {
  const people = await Promise.all(Array.from({ length: 12 }, () => server.person()))
  const names: string[] = []
  for (let i = 0; i < 6; i++) names.push(await channel(owner, []))
  const add = (channels: string[], whom: Person[]) =>
    owner.ok('POST', '/users/me/subscriptions', {
      subscriptions: channels.map(name => ({ name })),
      principals: whom.map(person => person.id),
      send_new_subscription_messages: false,
    })
  await ctx.directory.fresh()
  const few = await statementsOf(server, () => add(names.slice(0, 1), people.slice(0, 1)))
  const many = await statementsOf(server, () => add(names, people))
  const sent = (statements: string[]) =>
    statements.filter(text => /channels|subscriptions|user_groups/.test(text)).length
  t.equal(sent(many), sent(few))
  const again = () => add(names, people)
  t.equal(await queriesOf(server, again), await queriesOf(server, () => add(names.slice(0, 1), people.slice(0, 1))))
  const make = async (count: number) => {
    await ctx.directory.fresh()
    return statementsOf(server, () =>
      add(
        Array.from({ length: count }, () => freshName()),
        people,
      ),
    )
  }
  t.equal(sent(await make(5)), sent(await make(1)), 'new channels, too')
})

t.test('many channels ask no more often than few who may know them', async t => {
  const people = await Promise.all(Array.from({ length: 30 }, () => server.person()))
  await ctx.directory.fresh()
  const { users } = ctx.directory
  const lookups = async (count: number, params: Loose) => {
    const get = users.get
    let asked = 0
    users.get = id => {
      asked++
      return get.call(users, id)
    }
    try {
      const names = Array.from({ length: count }, () => ({ name: freshName() }))
      await owner.ok('POST', '/users/me/subscriptions', { subscriptions: names, ...params })
      const left = names.map(({ name }) => name)
      await owner.ok('DELETE', '/users/me/subscriptions', { subscriptions: left })
    } finally {
      Reflect.deleteProperty(users, 'get')
    }
    return asked
  }
  const members = await groupId(sql, 'role:members')
  for (const params of [{}, { invite_only: true, can_subscribe_group: members }]) {
    await lookups(1, params)
    const [few, many] = [await lookups(1, params), await lookups(21, params)]
    // Far fewer than one per channel and user.
    t.ok(many - few < 20 * people.length, `${few} and ${many}`)
  }
})
