import t from 'tap'
import { deactivate, groupId } from '../../support/organization.js'
import { startServer } from '../../support/server.js'
import { makeGroup, only, peopleOf } from './scene.js'

const server = await startServer(t)
const people = peopleOf(server)
const bad = { status: 400, body: { code: 'BAD_REQUEST' } }

t.test('members and subgroups, directly or through subgroups', async t => {
  const [manager, one, two, gone, guest] = await people('moderator', 'member', 'member', 'member', 'guest')
  const moderators = await groupId(server.sql, 'role:moderators')
  const administrators = await groupId(server.sql, 'role:administrators')
  const owners = await groupId(server.sql, 'role:owners')
  const inner = await makeGroup(manager, { members: [two.id, one.id], subgroups: [moderators] })
  const outer = await makeGroup(manager, { members: [one.id, gone.id, guest.id], subgroups: [inner] })
  await deactivate(server.sql, gone.id)
  const read = async (what: string, params = {}) => (await one.ok('GET', `/user_groups/${outer}/${what}`, params))[what]
  const sorted = (...ids: number[]) => ids.sort((a, b) => a - b)
  t.strictSame(await read('members'), sorted(manager.id, one.id, two.id, guest.id))
  t.strictSame(await read('members', { direct_member_only: false }), await read('members'))
  t.strictSame(await read('members', { direct_member_only: true }), sorted(one.id, guest.id))
  t.strictSame(await read('subgroups'), sorted(inner, moderators, administrators, owners))
  t.strictSame(await read('subgroups', { direct_subgroup_only: false }), await read('subgroups'))
  t.strictSame(await read('subgroups', { direct_subgroup_only: true }), [inner])

  const isMember = async (id: number, direct_member_only?: boolean) => {
    const params = direct_member_only === undefined ? {} : { direct_member_only }
    const answer = await two.ok('GET', `/user_groups/${outer}/members/${id}`, params)
    return answer.is_user_group_member
  }
  t.equal(await isMember(two.id), true)
  t.equal(await isMember(two.id, true), false)
  t.equal(await isMember(one.id, true), true)
  t.equal(await isMember(manager.id), true, 'by its role')
  t.equal(await isMember(manager.id, true), false)
  t.equal(await isMember(gone.id), false, 'deactivated')
  t.equal(await isMember(gone.id, true), false, 'deactivated')
  t.equal(await isMember((await server.person()).id), false)
})

t.test('members of system groups', async t => {
  const [owner, member] = await people('owner', 'member')
  const bot = await server.person({ bot_type: 1, bot_owner_id: member.id })
  const everyone = await groupId(server.sql, 'role:everyone')
  const full = await groupId(server.sql, 'role:fullmembers')
  const all = (await member.ok('GET', `/user_groups/${everyone}/members`)).members
  t.ok([owner, member, bot].every(person => all.includes(person.id)))
  const direct = (await member.ok('GET', `/user_groups/${full}/members`, { direct_member_only: true })).members
  t.ok(direct.includes(member.id) && !direct.includes(owner.id))
  const ask = async (id: number, direct_member_only: boolean) =>
    (await member.ok('GET', `/user_groups/${full}/members/${id}`, { direct_member_only })).is_user_group_member
  t.strictSame([await ask(owner.id, false), await ask(owner.id, true), await ask(bot.id, true)], [true, false, true])
})

t.test('what is not there, and who may not ask', async t => {
  const [manager, guest] = await people('member', 'guest')
  const group = await makeGroup(manager, { members: [manager.id, guest.id], can_join_group: only(manager.id) })
  const gone = await makeGroup(manager, { members: [manager.id] })
  await manager.ok('POST', `/user_groups/${gone}/deactivate`)
  const [nameless] = await server.sql<{ id: number }[]>`select id from user_groups where name is null`
  for (const what of ['members', 'subgroups', `members/${manager.id}`]) {
    t.match(await guest.get(`/user_groups/${group}/${what}`), bad, `a guest: ${what}`)
    t.match(await manager.get(`/user_groups/2000000000/${what}`), bad, `unknown: ${what}`)
    t.match(await manager.get(`/user_groups/${nameless?.id}/${what}`), bad, `the value of a setting: ${what}`)
  }
  t.match(await manager.get(`/user_groups/${gone}/members`), bad)
  t.match(await manager.get(`/user_groups/${gone}/subgroups`), bad)
  t.match(await manager.get(`/user_groups/${gone}/members/${manager.id}`), { body: { is_user_group_member: true } })
  t.match(await manager.get(`/user_groups/${group}/members/2000000000`), bad)
  t.match(await manager.get(`/user_groups/${group}/members`, { direct_member_only: 5 }), bad)
  t.match(await manager.get(`/user_groups/${group}/subgroups`, { direct_subgroup_only: 'x' }), bad)
  const bot = await server.person({ bot_type: 1, bot_owner_id: manager.id })
  t.match(await bot.get(`/user_groups/${group}/members`), { status: 200 })
})
