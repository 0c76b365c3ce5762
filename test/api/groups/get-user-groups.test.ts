import t from 'tap'
import { groupId } from '../../support/organization.js'
import { queriesOf } from '../../support/queries.js'
import { startServer } from '../../support/server.js'
import { checkObject } from '../../support/wire-schemas.js'
import { type Loose, makeGroup, only, peopleOf } from './scene.js'

const server = await startServer(t)
const people = peopleOf(server)

const systemGroups = [
  'role:internet',
  'role:everyone',
  'role:members',
  'role:fullmembers',
  'role:moderators',
  'role:administrators',
  'role:owners',
  'role:nobody',
]

t.test('system groups are nested, contain the active users of a role, and cannot be changed', async t => {
  const [owner, administrator, moderator, member, guest] = await people(
    'owner',
    'administrator',
    'moderator',
    'member',
    'guest',
  )
  const bot = await server.person({ bot_type: 1, bot_owner_id: member.id })
  await server.person({ is_active: false })
  const { user_groups } = await member.ok('GET', '/user_groups')
  t.strictSame(
    user_groups.map((group: Loose) => group.name),
    systemGroups,
  )
  const nobody = await groupId(server.sql, 'role:nobody')
  const holders = [[], [guest.id], [], [member.id, bot.id], [moderator.id], [administrator.id], [owner.id], []]
  for (const [i, group] of user_groups.entries()) {
    t.same(checkObject('user_group', group), [])
    const { name, members, direct_subgroup_ids } = group
    t.strictSame(members, holders[i], name)
    t.strictSame(direct_subgroup_ids, i < 6 ? [user_groups[i + 1].id] : [], name)
    t.match(group, { is_system_group: true, creator_id: null, date_created: null, deactivated: false })
    t.strictSame(
      Object.entries(group).flatMap(([key, value]) => (key.startsWith('can_') ? [value] : [])),
      Array(6).fill(nobody),
    )
  }
})

t.test('deactivated groups are listed only on request; guests get no list; bots do', async t => {
  const [manager, guest] = await people('member', 'guest')
  const bot = await server.person({ bot_type: 1, bot_owner_id: manager.id })
  const group = await makeGroup(manager)
  await manager.ok('POST', `/user_groups/${group}/deactivate`)
  const listed = async (params: Loose) => {
    const { user_groups } = await bot.ok('GET', '/user_groups', params)
    return user_groups.some((one: Loose) => one.id === group)
  }
  t.equal(await listed({}), false)
  t.equal(await listed({ include_deactivated_groups: false }), false)
  t.equal(await listed({ include_deactivated_groups: true }), true)
  t.match(await guest.get('/user_groups'), { status: 400, body: { code: 'BAD_REQUEST' } })
  t.match(await bot.get('/user_groups', { include_deactivated_groups: 'x' }), {
    status: 400,
    body: { code: 'BAD_REQUEST' },
  })
})

t.test('the register answer shows the same list', async t => {
  const [manager] = await people('member')
  await makeGroup(manager, { can_join_group: only(manager.id) })
  for (const include_deactivated_groups of [true, false]) {
    const { user_groups } = await manager.ok('GET', '/user_groups', { include_deactivated_groups })
    const state = await manager.ok('POST', '/register', {
      fetch_event_types: ['realm_user_groups'],
      client_capabilities: { include_deactivated_groups },
    })
    t.strictSame(state.realm_user_groups, user_groups)
  }
})

t.test('reading groups asks the database only whether anything changed, however many there are', async t => {
  const [manager] = await people('member')
  const group = await makeGroup(manager, { members: [manager.id], subgroups: [await makeGroup(manager)] })
  const paths = ['', `/${group}/members`, `/${group}/members/${manager.id}`, `/${group}/subgroups`]
  for (const path of paths) t.equal(await queriesOf(server, () => manager.ok('GET', `/user_groups${path}`)), 0, path)
})
