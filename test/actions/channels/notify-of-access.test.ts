import t from 'tap'
import { notifyOfChannelAccess } from '../../../server/actions/announce/channel-access.js'
import { notificationBot } from '../../../server/actions/messages/system-bots.js'
import { activeUsers } from '../../../server/policies/users.js'
import type { GroupRow } from '../../../server/store/groups/groups.js'
import { bumpVersion } from '../../../server/store/organization/organization.js'
import type { UserRow } from '../../../server/store/users/users.js'
import { realmUserUpdate } from '../../../shared/events/realm-user.js'
import { freshName, kinds, Listener, type Loose } from '../../api/channels/scene.js'
import { groupId, setChannel } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { statementsIn } from '../../support/queries.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const { ctx, sql } = server
await notificationBot(ctx)
const owner = await server.person({ role: 100 })

async function channel(params: Loose = {}, subscribers: Person[] = []): Promise<number> {
  const { id } = await owner.ok('POST', '/channels/create', {
    name: freshName(),
    subscribers: subscribers.map(person => person.id),
    ...params,
  })
  return id
}

/** Like an operation that changes a user's role. */
function setRole(person: Person, role: number): Promise<void> {
  return ctx.write(async (tx, emit) => {
    await ctx.directory.hold(tx, 'change')
    const version = await bumpVersion(tx)
    await tx`update users set role = ${role}, version = ${version} where id = ${person.id}`
    const before = ctx.directory
    const user = before.users.get(person.id)
    if (!user) throw new Error('no such user')
    const after = before.preview({ users: [{ ...user, role, version }] })
    emit(realmUserUpdate, { person: { user_id: person.id, role } }, activeUsers(before))
    await notifyOfChannelAccess(tx, emit, { before, after, userIds: [person.id] })
  })
}

const ofChannels = (events: readonly Loose[]): Loose[] => events.filter(event => event.type !== 'realm_user')

// One transaction: otherwise a worker can read the new version before the group is there.
function makeGroup(name: string): Promise<number> {
  return ctx.write(async tx => {
    const version = await bumpVersion(tx)
    const [row] = await tx`insert into user_groups (name, version) values (${name}, ${version}) returning id`
    return row?.id
  })
}

/** Like an operation that changes a group's members. */
function setMembers(id: number, members: number[], subgroups: number[] = []): Promise<void> {
  return ctx.write(async (tx, emit) => {
    await ctx.directory.hold(tx, 'change')
    const version = await bumpVersion(tx)
    await tx`delete from user_group_members where group_id = ${id}`
    await tx`delete from user_group_subgroups where group_id = ${id}`
    await tx`insert into user_group_members select ${id}, unnest(${members}::int[])`
    await tx`insert into user_group_subgroups select ${id}, unnest(${subgroups}::int[])`
    await tx`update user_groups set version = ${version} where id = ${id}`
    const before = ctx.directory
    const group = before.groups.get(id) as GroupRow
    const after = before.preview({ groups: [{ ...group, members, subgroups, version }] })
    await notifyOfChannelAccess(tx, emit, { before, after })
  })
}

t.test('a guest that becomes a member receives all public channels, with their subscribers', async t => {
  const [guest, other] = [await server.person({ role: 600 }), await server.person()]
  const own = await channel({}, [guest])
  const [first, second, empty] = [await channel({}, [other]), await channel({}, [other, owner]), await channel()]
  const secret = await channel({ invite_only: true }, [other])
  const [ear, bystander] = [await Listener.start(ctx, guest), await Listener.start(ctx, other)]
  await setRole(guest, 400)
  const events = ofChannels(await ear.inStep(t))
  const created = events.find(event => event.op === 'create')?.streams.map((one: Loose) => one.stream_id)
  t.ok([first, second, empty].every(id => created.includes(id)))
  t.notOk(created.includes(own) || created.includes(secret))
  t.same([...new Set(kinds(events))], ['stream/create', 'subscription/peer_add'])
  t.same(ofChannels(await bystander.inStep(t)), [], 'nobody else is told')
})

t.test(
  'a member that becomes a guest loses what it is not subscribed to, and its list of default channels',
  async t => {
    const member = await server.person()
    const [own, other] = [await channel({}, [member]), await channel({ is_default_stream: true })]
    const ear = await Listener.start(ctx, member)
    await setRole(member, 600)
    const events = ofChannels(await ear.inStep(t))
    t.same(kinds(events), ['stream/delete', 'default_streams'])
    t.ok(events[0]?.stream_ids.includes(other))
    t.notOk(events[0]?.stream_ids.includes(own))
    t.same(events[1]?.default_streams, [])
    await setRole(member, 400)
    t.same((await ear.inStep(t)).at(-1)?.default_streams.includes(other), true)
  },
)

t.test('what was a subscription once is none any more after the channel was out of sight', async t => {
  const member = await server.person()
  const left = await channel({}, [member])
  const [name] = (await member.ok('GET', '/users/me/subscriptions')).subscriptions.map((one: Loose) => one.name)
  await member.ok('DELETE', '/users/me/subscriptions', { subscriptions: [name] })
  const ear = await Listener.start(ctx, member)
  t.ok(ear.state.unsubscribed.some((one: Loose) => one.stream_id === left))
  await setRole(member, 600)
  await setRole(member, 400)
  await ear.inStep(t)
  t.notOk(ear.state.unsubscribed.some((one: Loose) => one.stream_id === left))
  await member.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
  await ear.inStep(t)
  await member.ok('DELETE', '/users/me/subscriptions', { subscriptions: [name] })
  await ear.inStep(t)
  t.ok(ear.state.unsubscribed.some((one: Loose) => one.stream_id === left))
})

t.test('administrators know private channels, and only as long as they are administrators', async t => {
  const person = await server.person()
  const secret = await channel({ invite_only: true }, [owner])
  const ear = await Listener.start(ctx, person)
  await setRole(person, 200)
  const gained = ofChannels(await ear.inStep(t))
  t.ok(gained[0]?.streams.some((one: Loose) => one.stream_id === secret))
  await setRole(person, 300)
  const lost = ofChannels(await ear.inStep(t))
  t.same(kinds(lost), ['stream/delete'])
  t.ok(lost[0]?.stream_ids.includes(secret))
})

t.test('members of a group with access to a private channel get its events, also through another group', async t => {
  const [direct, nested, guest, subscriber] = [
    await server.person(),
    await server.person(),
    await server.person({ role: 600 }),
    await server.person(),
  ]
  const [outer, inner] = [await makeGroup(freshName('group')), await makeGroup(freshName('group'))]
  const secret = await channel({ invite_only: true, can_subscribe_group: outer }, [subscriber])
  const people = [direct, nested, guest, subscriber]
  const ears = await Promise.all(people.map(person => Listener.start(ctx, person)))
  await setMembers(inner, [nested.id, guest.id])
  for (const ear of ears) t.same(await ear.inStep(t), [], 'the group has no part in the channel yet')
  await setMembers(outer, [direct.id, subscriber.id], [inner])
  const told = await Promise.all(ears.map(async ear => kinds(await ear.inStep(t))))
  const gains = ['stream/create', 'subscription/peer_add']
  t.same(told, [gains, gains, [], []], 'neither a guest nor who knows it already')
  await setMembers(inner, [])
  const after = await Promise.all(ears.map(ear => ear.inStep(t)))
  t.same(after.map(kinds), [[], ['stream/delete'], [], []])
  t.same(after[1]?.[0]?.stream_ids, [secret])
})

t.test('a system group inside of a group', async t => {
  const [member, guest] = [await server.person(), await server.person({ role: 600 })]
  const group = await makeGroup(freshName('group'))
  const secret = await channel({ invite_only: true, can_add_subscribers_group: group }, [owner])
  const ears = [await Listener.start(ctx, member), await Listener.start(ctx, guest)]
  await setMembers(group, [], [await groupId(sql, 'role:members')])
  const told = await Promise.all(ears.map(ear => ear.inStep(t)))
  t.same(told.map(kinds), [['stream/create', 'subscription/peer_add'], []])
  t.same(
    told[0]?.[0]?.streams.map((one: Loose) => one.stream_id),
    [secret],
  )
})

t.test('clients that support archived channels get their events', async t => {
  const person = await server.person()
  const secret = await channel({ invite_only: true }, [owner])
  await setChannel(sql, secret, { is_archived: true })
  const modern = await Listener.start(ctx, person)
  const old = await Listener.start(ctx, person, { client_capabilities: { notification_settings_null: true } })
  await setRole(person, 200)
  t.ok(ofChannels(await modern.inStep(t))[0]?.streams.some((one: Loose) => one.stream_id === secret))
  await old.inStep(t)
  t.notOk(old.state.streams.some((one: Loose) => one.stream_id === secret))
})

/** The SQL statements that announcing a change of a user's row runs; the row itself is not changed. */
async function statementsFor(person: Person, change: Partial<UserRow>): Promise<string[]> {
  let statements: string[] = []
  await ctx.write(async (tx, emit) => {
    await ctx.directory.hold(tx, 'change')
    const before = ctx.directory
    const user = before.users.get(person.id) as UserRow
    const after = before.preview({ users: [{ ...user, ...change }] })
    const tell = () => notifyOfChannelAccess(tx, emit, { before, after, userIds: [person.id] })
    statements = await statementsIn(server, tx, tell)
  })
  return statements
}

t.test('it takes as many statements for many channels as for one', async t => {
  const person = await server.person({ role: 600 })
  const before = await statementsFor(person, { role: 400 })
  for (let i = 0; i < 5; i++) await channel({}, [owner])
  t.equal((await statementsFor(person, { role: 400 })).length, before.length)
  t.equal(before.length, 5)
})

t.test('a change that concerns no channel asks the database nothing', async t => {
  const person = await server.person()
  t.same(await statementsFor(person, { full_name: 'Another' }), [])
})
