import t from 'tap'
import { Listener } from '../../support/in-step.js'
import { groupId } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { type Loose, makeGroup, only, peopleOf, readGroup } from './scene.js'

const server = await startServer(t)
const people = peopleOf(server)
const roleMembers = await groupId(server.sql, 'role:members')
const bad = { status: 400, body: { code: 'BAD_REQUEST' } }

const change = (who: Person, group: number, params: Loose) => who.post(`/user_groups/${group}/subgroups`, params)

t.test('subgroups are added and removed at once, and all users get the events', async t => {
  const [manager, guest] = await people('member', 'guest')
  const [one, two] = [await makeGroup(manager), await makeGroup(manager)]
  const group = await makeGroup(manager, { subgroups: [one] })
  const ear = await Listener.start(server.ctx, guest)
  const answer = await manager.ok('POST', `/user_groups/${group}/subgroups`, { add: [roleMembers, two], delete: [one] })
  t.strictSame(answer, { result: 'success', msg: '' })
  t.strictSame((await readGroup(manager, group)).direct_subgroup_ids, [roleMembers, two])
  const events = await ear.inStep(t)
  t.strictSame(
    events.map(({ id: _, ...event }) => event),
    [
      { type: 'user_group', op: 'add_subgroups', group_id: group, direct_subgroup_ids: [roleMembers, two] },
      { type: 'user_group', op: 'remove_subgroups', group_id: group, direct_subgroup_ids: [one] },
    ],
  )
})

t.test('no group contains itself, by whatever detour', async t => {
  const [manager] = await people('member')
  const inner = await makeGroup(manager)
  const middle = await makeGroup(manager, { subgroups: [inner] })
  const outer = await makeGroup(manager, { subgroups: [middle] })
  for (const subgroup of [inner, middle, outer]) t.match(await change(manager, inner, { add: [subgroup] }), bad)
  t.match(await change(manager, middle, { add: [outer] }), bad)
  t.match(await change(manager, outer, { add: [inner] }), { status: 200 }, 'two ways to one group are no circle')
  t.match(await manager.post(`/user_groups/${inner}/members`, { add_subgroups: [outer] }), bad)
})

t.test('two requests that would close a circle only together do not both succeed', async t => {
  const [manager] = await people('member')
  for (let round = 0; round < 5; round++) {
    const [one, two, three] = [await makeGroup(manager), await makeGroup(manager), await makeGroup(manager)]
    const answers = await Promise.all([
      change(manager, one, { add: [two] }),
      change(manager, two, { add: [three] }),
      manager.post(`/user_groups/${three}/members`, { add_subgroups: [one] }),
    ])
    t.strictSame(answers.map(answer => answer.status).sort(), [200, 200, 400])
  }
})

t.test('what is refused', async t => {
  const [manager, guest, owner] = await people('member', 'guest', 'owner')
  const inner = await makeGroup(manager)
  const group = await makeGroup(manager, { subgroups: [inner] })
  const deactivated = await makeGroup(manager)
  await manager.ok('POST', `/user_groups/${deactivated}/deactivate`)
  const cases: [string, Person, number, Loose][] = [
    ['nothing', manager, group, {}],
    ['empty lists', manager, group, { add: [], delete: [] }],
    ['no list', manager, group, { add: 5 }],
    ['an unknown group', manager, 2_000_000_000, { add: [inner] }],
    ['a system group', owner, roleMembers, { add: [inner] }],
    ['a guest', guest, group, { add: [roleMembers] }],
    ['an unknown subgroup', manager, group, { add: [2_000_000_000] }],
    ['a deactivated subgroup', manager, group, { add: [deactivated] }],
    ['a subgroup already', manager, group, { add: [roleMembers, inner] }],
    ['no subgroup', manager, group, { delete: [roleMembers] }],
    ['half of it is wrong', manager, group, { add: [roleMembers], delete: [deactivated] }],
  ]
  for (const [title, who, id, params] of cases) t.match(await change(who, id, params), bad, title)
  t.strictSame((await readGroup(manager, group)).direct_subgroup_ids, [inner])
})

t.test('who adds members may add subgroups; only who manages the group may remove them', async t => {
  const [manager, adder, bystander] = await people('member', 'member', 'member')
  const group = await makeGroup(manager, { can_add_members_group: only(adder.id) })
  t.match(await change(bystander, group, { add: [roleMembers] }), bad)
  t.match(await change(adder, group, { add: [roleMembers] }), { status: 200 })
  t.match(await change(adder, group, { delete: [roleMembers] }), bad)
  const bot = await server.person({ bot_type: 1, bot_owner_id: manager.id })
  t.match(await change(bot, group, { delete: [roleMembers] }), bad, 'a bot is not its owner')
  t.match(await change(manager, group, { delete: [roleMembers] }), { status: 200 })
  const its = await makeGroup(bot)
  t.match(await change(bot, its, { add: [group] }), { status: 200 }, 'a bot manages what it has made')
})

t.test('a deactivated group may still get subgroups', async t => {
  const [manager] = await people('member')
  const group = await makeGroup(manager)
  await manager.ok('POST', `/user_groups/${group}/deactivate`)
  t.match(await change(manager, group, { add: [roleMembers] }), { status: 200 })
  t.match(await change(manager, group, { delete: [roleMembers] }), { status: 200 })
})
