import t from 'tap'
import { kinds, Listener } from '../../support/in-step.js'
import { deactivate, groupId } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { freshName, type Loose, makeGroup, only, peopleOf, readGroup } from './scene.js'

const server = await startServer(t)
const people = peopleOf(server)
const nobody = await groupId(server.sql, 'role:nobody')
const everyone = await groupId(server.sql, 'role:everyone')
const internet = await groupId(server.sql, 'role:internet')
const owners = await groupId(server.sql, 'role:owners')
const members = await groupId(server.sql, 'role:members')
const moderators = await groupId(server.sql, 'role:moderators')
const bad = { status: 400, body: { code: 'BAD_REQUEST' } }

const change = (who: Person, group: number, params: Loose) => who.patch(`/user_groups/${group}`, params)

t.test('name, description and settings change at once, and all users get the changed fields', async t => {
  const [manager, guest] = await people('member', 'guest')
  const group = await makeGroup(manager)
  const ear = await Listener.start(server.ctx, guest)
  const name = freshName()
  const answer = await manager.ok('PATCH', `/user_groups/${group}`, {
    name,
    description: 'new',
    can_add_members_group: { new: members },
    can_join_group: { new: { direct_members: [], direct_subgroups: [moderators] }, old: nobody },
    can_leave_group: { new: everyone },
    can_manage_group: { new: { direct_members: [guest.id, manager.id], direct_subgroups: [] }, old: only(manager.id) },
    can_mention_group: { new: group },
    can_remove_members_group: { new: { direct_members: [manager.id], direct_subgroups: [group] } },
  })
  t.strictSame(answer, { result: 'success', msg: '' })
  const data = {
    name,
    description: 'new',
    can_add_members_group: members,
    can_join_group: moderators,
    can_manage_group: only(...[guest.id, manager.id].sort((a, b) => a - b)),
    can_mention_group: group,
    can_remove_members_group: { direct_members: [manager.id], direct_subgroups: [group] },
  }
  t.match(await readGroup(manager, group), data)
  t.strictSame(
    (await ear.inStep(t)).map(({ id: _, ...event }) => event),
    [{ type: 'user_group', op: 'update', group_id: group, data }],
  )
})

t.test('what stays the same is no news', async t => {
  const [manager] = await people('member')
  const name = freshName()
  const group = await makeGroup(manager, { name, description: 'same' })
  const ear = await Listener.start(server.ctx, manager)
  await manager.ok('PATCH', `/user_groups/${group}`, {
    name,
    description: 'same',
    can_manage_group: { new: only(manager.id) },
  })
  await manager.ok('PATCH', `/user_groups/${group}`, { deactivated: true })
  await manager.ok('PATCH', `/user_groups/${group}`, { deactivated: false })
  t.strictSame(await ear.inStep(t), [])
  t.equal((await readGroup(manager, group)).deactivated, false)
})

t.test('a value that is not what the caller believes is not overwritten', async t => {
  const [manager, one, gone] = await people('member', 'member', 'member')
  const group = await makeGroup(manager, {
    can_join_group: { direct_members: [one.id, gone.id], direct_subgroups: [members] },
    can_add_members_group: { direct_members: [gone.id], direct_subgroups: [members] },
  })
  await deactivate(server.sql, gone.id)
  const mismatch = { status: 400, body: { code: 'EXPECTATION_MISMATCH', field_name: 'old' } }
  const present = { direct_members: [one.id], direct_subgroups: [members] }
  for (const old of [nobody, only(one.id), { ...present, direct_members: [one.id, gone.id] }, 2_000_000_000]) {
    t.match(await change(manager, group, { name: freshName(), can_join_group: { new: nobody, old } }), mismatch)
  }
  t.match(await change(manager, group, { can_add_members_group: { new: nobody, old: members } }), { status: 200 })
  t.match((await readGroup(manager, group)).can_join_group, present)
  const old = { direct_subgroups: [members, members], direct_members: [one.id] }
  t.match(await change(manager, group, { can_join_group: { new: nobody, old } }), { status: 200 }, 'order matters not')
})

t.test('of two requests that believe the same, one is too late', async t => {
  const [manager] = await people('member')
  const group = await makeGroup(manager)
  const set = (value: number) => change(manager, group, { can_join_group: { new: value, old: nobody } })
  const answers = await Promise.all([set(members), set(moderators), set(owners)])
  t.strictSame(answers.map(answer => answer.body.code ?? 'OK').sort(), [
    'EXPECTATION_MISMATCH',
    'EXPECTATION_MISMATCH',
    'OK',
  ])
})

t.test('who may change a group', async t => {
  const [manager, other, owner, administrator, guest] = await people(
    'member',
    'member',
    'owner',
    'administrator',
    'guest',
  )
  const bot = await server.person({ bot_type: 1, bot_owner_id: manager.id })
  const group = await makeGroup(manager, { can_manage_group: only(manager.id, guest.id, bot.id), members: [other.id] })
  for (const who of [other, administrator]) t.match(await change(who, group, { description: 'x' }), bad)
  for (const who of [manager, guest, bot, owner]) {
    t.match(await change(who, group, { description: `by ${who.id}` }), { status: 200 })
  }
  t.match(await change(owner, members, { description: 'mine' }), bad, 'a system group')
  t.match(await change(owner, 2_000_000_000, { description: 'x' }), bad, 'an unknown group')
})

t.test('what is refused changes nothing', async t => {
  const [manager, gone] = await people('member', 'member')
  await deactivate(server.sql, gone.id)
  const taken = freshName()
  const deactivated = await makeGroup(manager, { name: taken })
  await manager.ok('POST', `/user_groups/${deactivated}/deactivate`)
  const group = await makeGroup(manager)
  const before = await readGroup(manager, group)
  const cases: [string, Loose][] = [
    ['nothing', {}],
    ['a blank name', { name: ' ' }],
    ['a long name', { name: 'x'.repeat(101) }],
    ['a reserved name', { name: 'role:mine' }],
    ['a name that no message can mention', { name: 'team*x' }],
    ['the name of a deactivated group', { name: taken }],
    ['a long description', { description: 'x'.repeat(1025) }],
    ['deactivated: no boolean', { deactivated: 'maybe' }],
    ['a value without new', { can_join_group: members }],
    ['an unknown group', { can_join_group: { new: 2_000_000_000 } }],
    ['a deactivated group', { can_join_group: { new: deactivated } }],
    ['a deactivated user', { can_join_group: { new: only(gone.id) } }],
    ['internet', { can_leave_group: { new: internet } }],
    ['everyone', { can_manage_group: { new: everyone } }],
    ['owners', { can_mention_group: { new: owners } }],
    ['half of it is wrong', { name: freshName(), description: 'x', can_join_group: { new: everyone } }],
  ]
  for (const [title, params] of cases) t.match(await change(manager, group, params), bad, title)
  t.strictSame(await readGroup(manager, group), before)
})

t.test('a deactivated group can be changed and comes back', async t => {
  const [manager, one] = await people('member', 'member')
  const group = await makeGroup(manager, { members: [one.id] })
  await manager.ok('POST', `/user_groups/${group}/deactivate`)
  const ear = await Listener.start(server.ctx, one)
  const old = await Listener.start(server.ctx, one, { client_capabilities: { archived_channels: true } })
  const [name, later] = [freshName(), freshName()]
  await manager.ok('PATCH', `/user_groups/${group}`, { name })
  t.strictSame(kinds(await ear.inStep(t)), ['user_group/update'])
  t.strictSame(kinds(await old.inStep(t)), [])
  await manager.ok('PATCH', `/user_groups/${group}`, { deactivated: false, name: later })
  t.strictSame(
    (await ear.inStep(t)).map(event => event.data),
    [{ name: later }, { deactivated: false }],
  )
  t.match(await old.inStep(t), [{ type: 'user_group', op: 'add', group: { name: later, members: [one.id] } }])
})

t.test('sets that no setting has any more are used again', async t => {
  const [manager, ...others] = await people('member', 'member', 'member', 'member', 'member')
  const group = await makeGroup(manager)
  const count = async () => (await server.sql`select from user_groups where name is null`).length
  const before = await count()
  for (const one of others) {
    for (const other of others) {
      const value = { new: { direct_members: [manager.id, one.id], direct_subgroups: [members] } }
      const second = { new: { direct_members: [manager.id, other.id], direct_subgroups: [moderators] } }
      await manager.ok('PATCH', `/user_groups/${group}`, { can_join_group: value, can_mention_group: second })
      t.match(await readGroup(manager, group), { can_join_group: value.new, can_mention_group: second.new })
    }
  }
  t.ok((await count()) <= before + 4, 'as many as there are values, and those of the change before')
  t.match(await readGroup(manager, group), { can_manage_group: only(manager.id) }, 'other values stay')
})
