import t from 'tap'
import { kinds, Listener } from '../../support/in-step.js'
import { deactivate, groupId, setOrganization } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { freshName, type Loose, makeGroup, only, peopleOf, readGroup } from './scene.js'

const server = await startServer(t)
const people = peopleOf(server)
const roleMembers = await groupId(server.sql, 'role:members')
const bad = { status: 400, body: { code: 'BAD_REQUEST' } }

const change = (who: Person, group: number, params: Loose) => who.post(`/user_groups/${group}/members`, params)
const isMember = async (who: Person, group: number) =>
  (await who.ok('GET', `/user_groups/${group}/members/${who.id}`)).is_user_group_member

t.test('all four parts are applied in one request, in their order, and all users get the events', async t => {
  const [manager, one, two, guest] = await people('member', 'member', 'member', 'guest')
  const [inner, other] = [await makeGroup(manager), await makeGroup(manager)]
  const group = await makeGroup(manager, { members: [one.id], subgroups: [inner] })
  const ears = await Promise.all([guest, two].map(person => Listener.start(server.ctx, person)))
  const answer = await manager.ok('POST', `/user_groups/${group}/members`, {
    add: [two.id, guest.id, two.id],
    delete: [one.id],
    add_subgroups: [other],
    delete_subgroups: [inner],
  })
  t.strictSame(answer, { result: 'success', msg: '' })
  t.match(await readGroup(two, group), { members: [two.id, guest.id], direct_subgroup_ids: [other] })
  for (const ear of ears) {
    const events = (await ear.inStep(t)).filter(event => event.type === 'user_group')
    t.strictSame(
      events.map(({ id: _, ...event }) => event),
      [
        { type: 'user_group', op: 'add_members', group_id: group, user_ids: [two.id, guest.id] },
        { type: 'user_group', op: 'remove_members', group_id: group, user_ids: [one.id] },
        { type: 'user_group', op: 'add_subgroups', group_id: group, direct_subgroup_ids: [other] },
        { type: 'user_group', op: 'remove_subgroups', group_id: group, direct_subgroup_ids: [inner] },
      ],
    )
  }
})

t.test('who is added and deleted in one request is out', async t => {
  const [manager, one] = await people('member', 'member')
  const group = await makeGroup(manager)
  const ear = await Listener.start(server.ctx, manager)
  await manager.ok('POST', `/user_groups/${group}/members`, { add: [one.id], delete: [one.id] })
  t.strictSame(kinds(await ear.inStep(t)), ['user_group/add_members', 'user_group/remove_members'])
  t.strictSame((await readGroup(manager, group)).members, [])
})

t.test('one bad entry and nothing happens', async t => {
  const [manager, one, gone] = await people('member', 'member', 'member')
  await deactivate(server.sql, gone.id)
  const inner = await makeGroup(manager)
  const group = await makeGroup(manager, { members: [manager.id], subgroups: [inner] })
  const deactivated = await makeGroup(manager)
  await manager.ok('POST', `/user_groups/${deactivated}/deactivate`)
  const ear = await Listener.start(server.ctx, one)
  const cases: [string, Loose][] = [
    ['nothing', {}],
    ['nothing but empty lists', { add: [], delete: [], add_subgroups: [], delete_subgroups: [] }],
    ['no list', { add: one.id }],
    ['an address', { add: [one.email] }],
    ['an unknown user', { add: [one.id, 2_000_000_000] }],
    ['a deactivated user', { add: [one.id, gone.id] }],
    ['a deactivated user to remove', { add: [one.id], delete: [gone.id] }],
    ['a member already', { add: [one.id, manager.id] }],
    ['no member', { delete: [one.id] }],
    ['an unknown subgroup', { add: [one.id], add_subgroups: [2_000_000_000] }],
    ['a deactivated subgroup', { add: [one.id], add_subgroups: [deactivated] }],
    ['a subgroup already', { add: [one.id], add_subgroups: [inner] }],
    ['itself', { add: [one.id], add_subgroups: [group] }],
    ['no subgroup', { add: [one.id], delete_subgroups: [roleMembers] }],
    ['an unknown subgroup to remove', { add: [one.id], delete_subgroups: [2_000_000_000] }],
  ]
  for (const [title, params] of cases) t.match(await change(manager, group, params), bad, title)
  t.match(await change(manager, 2_000_000_000, { add: [one.id] }), bad, 'an unknown group')
  t.match(await manager.post('/user_groups/x/members', { add: [one.id] }), { body: { result: 'error' } }, 'no id')
  t.match(await readGroup(manager, group), { members: [manager.id], direct_subgroup_ids: [inner] })
  t.strictSame(await ear.inStep(t), [])
})

t.test('a group whose id belongs to the value of a setting is no group', async t => {
  const [manager] = await people('member')
  await makeGroup(manager)
  const rows = await server.sql<{ id: number }[]>`select id from user_groups where name is null`
  t.ok(rows.length > 0)
  for (const { id } of rows) t.match(await change(manager, id, { add: [manager.id] }), bad)
})

t.test('system groups are read-only, for owners too', async t => {
  const [owner, member] = await people('owner', 'member')
  const rows = await server.sql<{ id: number }[]>`select id from user_groups where is_system_group`
  for (const { id } of rows) {
    t.match(await change(owner, id, { add: [member.id] }), bad)
    t.match(await change(owner, id, { delete: [owner.id] }), bad)
  }
})

t.test('who may do what follows from the settings of the group', async t => {
  const [manager, one, other] = await people('member', 'member', 'member')
  const self = (who: Person) => ({ mine: { add: [who.id] }, out: { delete: [who.id] } })
  const nothing = { can_manage_group: only(manager.id), can_add_members_group: only(), can_leave_group: only() }
  const inner = await makeGroup(manager)
  const may = async (settings: Loose, params: Loose) => {
    const group = await makeGroup(manager, { ...nothing, members: [manager.id], subgroups: [inner], ...settings })
    return (await change(one, group, params)).status === 200
  }
  const within = { members: [manager.id, one.id] }
  const cases: [string, boolean, Loose, Loose][] = [
    ['nobody joins', false, {}, self(one).mine],
    ['joins', true, { can_join_group: roleMembers }, self(one).mine],
    ['joins but does not bring others', false, { can_join_group: roleMembers }, { add: [one.id, other.id] }],
    ['brings others', true, { can_add_members_group: only(one.id) }, { add: [one.id, other.id] }],
    ['who may add may join', true, { can_add_members_group: only(one.id) }, self(one).mine],
    ['who may add may not remove', false, { can_add_members_group: only(one.id) }, { delete: [manager.id] }],
    ['does not leave', false, within, self(one).out],
    ['leaves', true, { ...within, can_leave_group: roleMembers }, self(one).out],
    ['leaves but removes nobody', false, { ...within, can_leave_group: roleMembers }, { delete: [one.id, manager.id] }],
    ['removes', true, { ...within, can_remove_members_group: only(one.id) }, { delete: [one.id, manager.id] }],
    ['who may remove may not add', false, { can_remove_members_group: only(one.id) }, { add: [other.id] }],
    ['adds subgroups', true, { can_add_members_group: only(one.id) }, { add_subgroups: [roleMembers] }],
    ['may join, but not with a group', false, { can_join_group: roleMembers }, { add_subgroups: [roleMembers] }],
    ['removes no subgroups', false, { can_remove_members_group: only(one.id) }, { delete_subgroups: [inner] }],
    [
      'who adds does not remove subgroups',
      false,
      { can_add_members_group: only(one.id) },
      { delete_subgroups: [inner] },
    ],
    [
      'one part that is not allowed spoils all',
      false,
      { can_join_group: roleMembers },
      { ...self(one).mine, delete: [manager.id] },
    ],
    [
      'manages',
      true,
      { can_manage_group: only(one.id) },
      { add: [other.id], delete: [manager.id], add_subgroups: [roleMembers], delete_subgroups: [inner] },
    ],
  ]
  for (const [title, allowed, settings, params] of cases) t.equal(await may(settings, params), allowed, title)
})

t.test('holders of can_manage_all_groups manage every group; guests none', async t => {
  const [manager, owner, administrator, guest] = await people('member', 'owner', 'administrator', 'guest')
  const group = await makeGroup(manager, {
    can_leave_group: only(guest.id),
    can_manage_group: only(guest.id),
    members: [guest.id],
  })
  t.match(await change(administrator, group, { add: [administrator.id] }), bad)
  t.match(await change(owner, group, { add: [administrator.id] }), { status: 200 })
  t.match(await change(guest, group, { delete: [guest.id] }), bad)
  await setOrganization(server.sql, { can_manage_all_groups: await groupId(server.sql, 'role:administrators') })
  t.match(await change(administrator, group, { delete: [administrator.id] }), { status: 200 })
})

t.test('bots may do what the settings say', async t => {
  const [manager] = await people('member')
  const bot = await server.person({ bot_type: 1, bot_owner_id: manager.id })
  const group = await makeGroup(manager, { can_join_group: roleMembers })
  t.match(await change(bot, group, { add: [bot.id] }), { status: 200 })
  t.ok(await isMember(bot, group))
})

t.test('a deactivated group can change; only clients that support such groups get the events', async t => {
  const [manager, one] = await people('member', 'member')
  const inner = await makeGroup(manager)
  const group = await makeGroup(manager, { members: [manager.id] })
  await manager.ok('POST', `/user_groups/${group}/deactivate`)
  const ear = await Listener.start(server.ctx, one)
  const old = await Listener.start(server.ctx, one, { client_capabilities: { archived_channels: true } })
  await manager.ok('POST', `/user_groups/${group}/members`, {
    add: [one.id],
    delete: [manager.id],
    add_subgroups: [inner],
  })
  t.strictSame(groupEvents(await ear.inStep(t)), ['add_members', 'remove_members', 'add_subgroups'])
  t.strictSame(groupEvents(await old.inStep(t)), [])
  t.match(await readGroup(one, group), { members: [one.id], direct_subgroup_ids: [inner], deactivated: true })
})

t.test('users get a message when another user adds or removes them; bots and the caller do not', async t => {
  const [manager, one] = await people('member', 'member')
  const bot = await server.person({ bot_type: 1, bot_owner_id: manager.id })
  const name = freshName()
  const group = await makeGroup(manager, { name })
  const ears = await Promise.all([one, manager, bot].map(person => Listener.start(server.ctx, person)))
  const messages = () =>
    Promise.all(ears.map(async ear => (await ear.events(t)).filter(event => event.type === 'message')))
  await manager.ok('POST', `/user_groups/${group}/members`, { add: [one.id, manager.id, bot.id] })
  const [added, own, bots] = await messages()
  t.equal(added?.length, 1)
  t.match(added?.[0], { message: { type: 'private', sender_full_name: 'Notification Bot' } })
  t.ok(added?.[0]?.message.content.includes(name) && added[0].message.content.includes(manager.full_name))
  t.strictSame([own, bots], [[], []])
  await manager.ok('POST', `/user_groups/${group}/members`, { delete: [one.id] })
  const [removed] = await messages()
  t.equal(removed?.length, 1)
  await manager.ok('POST', `/user_groups/${group}/members`, { delete: [manager.id] })
  t.strictSame(await messages(), [[], [], []])
})

t.test('membership decides who may know a private channel, through subgroups and sets too', async t => {
  const [manager, one, two, outsider] = await people('administrator', 'member', 'member', 'member')
  const [inner, outer] = [await makeGroup(manager), await makeGroup(manager)]
  const { id: channel } = await manager.ok('POST', '/channels/create', {
    name: freshName('channel'),
    subscribers: [manager.id],
    invite_only: true,
    can_subscribe_group: { direct_members: [manager.id], direct_subgroups: [outer] },
  })
  const ears = await Promise.all([one, two, outsider].map(person => Listener.start(server.ctx, person)))
  const told = () =>
    Promise.all(
      ears.map(async ear =>
        kinds(await ear.inStep(t)).filter(kind => !kind.startsWith('user_group') && kind !== 'message'),
      ),
    )
  await manager.ok('POST', `/user_groups/${inner}/members`, { add: [one.id] })
  t.strictSame(await told(), [[], [], []], 'the group is in nothing yet')
  await manager.ok('POST', `/user_groups/${outer}/members`, { add: [two.id], add_subgroups: [inner] })
  const gained = ['stream/create', 'subscription/peer_add']
  t.strictSame(
    (await told()).map(kindsOf => kindsOf.filter(kind => kind.startsWith('stream') || kind.startsWith('subscription'))),
    [gained, gained, []],
  )
  t.match(await one.get(`/streams/${channel}`), { status: 200 })
  await manager.ok('POST', `/user_groups/${inner}/members`, { delete: [one.id] })
  t.strictSame(await told(), [['stream/delete'], [], []])
  t.match(await one.get(`/streams/${channel}`), { status: 400 })
  await manager.ok('POST', `/user_groups/${outer}/subgroups`, { delete: [inner] })
  t.strictSame(await told(), [[], [], []])
})

t.test('concurrent changes of a member have one effect and one event', async t => {
  const [manager, one] = await people('member', 'member')
  const group = await makeGroup(manager)
  const add = () => change(manager, group, { add: [one.id] })
  t.strictSame((await Promise.all([add(), add(), add()])).map(answer => answer.status).sort(), [200, 400, 400])
  const remove = () => change(manager, group, { delete: [one.id] })
  t.strictSame((await Promise.all([remove(), remove(), remove()])).map(answer => answer.status).sort(), [200, 400, 400])
  t.strictSame((await readGroup(manager, group)).members, [])
})

const groupEvents = (events: Loose[]): string[] =>
  events.flatMap(event => (event.type === 'user_group' ? event.op : []))
