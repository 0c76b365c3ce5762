import t from 'tap'
import { kinds, Listener } from '../../support/in-step.js'
import { groupId, setOrganization } from '../../support/organization.js'
import { startServer } from '../../support/server.js'
import { freshName, makeGroup, only, peopleOf, readGroup } from './scene.js'

const server = await startServer(t)
const people = peopleOf(server)
const members = await groupId(server.sql, 'role:members')
const bad = { status: 400, body: { code: 'BAD_REQUEST' } }
const used = 'CANNOT_DEACTIVATE_GROUP_IN_USE'

t.test('a group that nothing uses is deactivated; clients that do not know such groups lose it', async t => {
  const [manager, one, guest] = await people('member', 'member', 'guest')
  const group = await makeGroup(manager, { members: [one.id], can_mention_group: members })
  await manager.ok('PATCH', `/user_groups/${group}`, { can_join_group: { new: group } })
  const ears = await Promise.all([one, guest].map(person => Listener.start(server.ctx, person)))
  const old = await Listener.start(server.ctx, one, { client_capabilities: { archived_channels: true } })
  t.strictSame(await manager.ok('POST', `/user_groups/${group}/deactivate`), { result: 'success', msg: '' })
  for (const ear of ears) t.match(await ear.inStep(t), [{ op: 'update', group_id: group, data: { deactivated: true } }])
  t.strictSame(kinds(await old.inStep(t)), ['user_group/remove'])
  t.match(await readGroup(manager, group), { deactivated: true, members: [one.id], can_join_group: group })
  const { user_groups } = await manager.ok('GET', '/user_groups')
  t.notOk(user_groups.some((listed: { id: number }) => listed.id === group))
})

t.test('every use is an objection', async t => {
  const [manager] = await people('administrator')
  const group = await makeGroup(manager)
  const objections = async () => {
    const { status, body } = await manager.post(`/user_groups/${group}/deactivate`)
    return status === 200 ? null : [body.code, body.objections]
  }
  const outer = await makeGroup(manager, { subgroups: [group] })
  t.strictSame(await objections(), [used, [{ type: 'subgroup', supergroup_ids: [outer] }]])
  const { id: channel_id } = await manager.ok('POST', '/channels/create', {
    name: freshName('channel'),
    subscribers: [],
    can_send_message_group: group,
    can_subscribe_group: { direct_members: [manager.id], direct_subgroups: [group] },
  })
  const other = await makeGroup(manager, { can_join_group: group })
  await setOrganization(server.sql, { can_create_bots_group: group })
  t.strictSame(await objections(), [
    used,
    [
      { type: 'subgroup', supergroup_ids: [outer] },
      { type: 'channel', channel_id, settings: ['can_send_message_group', 'can_subscribe_group'] },
      { type: 'user_group', group_id: other, settings: ['can_join_group'] },
      { type: 'realm', settings: ['can_create_bots_group'] },
    ],
  ])
  await setOrganization(server.sql, { can_create_bots_group: members })
  await server.sql`update channels set settings = '{}', version = (select version from organization) where id = ${channel_id}`
  await manager.ok('PATCH', `/user_groups/${other}`, { can_join_group: { new: members } })
  await manager.ok('POST', `/user_groups/${outer}/deactivate`)
  t.strictSame(await objections(), [used, [{ type: 'subgroup', supergroup_ids: [outer] }]], 'it may come back')
  await manager.ok('POST', `/user_groups/${outer}/subgroups`, { delete: [group] })
  t.equal(await objections(), null)
})

t.test('a channel that the caller may not know stands in the way, and is not named', async t => {
  const [administrator, manager] = await people('administrator', 'member')
  const group = await makeGroup(manager)
  await administrator.ok('POST', '/channels/create', {
    name: freshName('channel'),
    subscribers: [],
    invite_only: true,
    can_send_message_group: group,
  })
  t.match(await manager.post(`/user_groups/${group}/deactivate`), { status: 400, body: { code: used, objections: [] } })
})

t.test('a set that only was the value of a setting is no use', async t => {
  const [manager] = await people('member')
  const group = await makeGroup(manager)
  const other = await makeGroup(manager, {
    can_join_group: { direct_members: [manager.id], direct_subgroups: [group] },
  })
  t.match(await manager.post(`/user_groups/${group}/deactivate`), { body: { code: used } })
  await manager.ok('PATCH', `/user_groups/${other}`, { can_join_group: { new: members } })
  t.match(await manager.post(`/user_groups/${group}/deactivate`), { status: 200 })
})

t.test('who may not, and what is not there', async t => {
  const [manager, other, guest, owner] = await people('member', 'member', 'guest', 'owner')
  const group = await makeGroup(manager, { members: [other.id] })
  for (const who of [other, guest]) t.match(await who.post(`/user_groups/${group}/deactivate`), bad)
  t.match(await owner.post(`/user_groups/${members}/deactivate`), bad, 'a system group')
  t.match(await owner.post('/user_groups/2000000000/deactivate'), bad, 'an unknown group')
  t.match(await owner.post(`/user_groups/${group}/deactivate`), { status: 200 })
  t.match(await owner.post(`/user_groups/${group}/deactivate`), bad, 'it is deactivated already')
})

t.test('a use and the deactivation at once: one of them is refused', async t => {
  const [manager] = await people('member')
  for (let round = 0; round < 5; round++) {
    const group = await makeGroup(manager)
    const outer = await makeGroup(manager, { can_join_group: only(manager.id) })
    const [use, end] = await Promise.all([
      manager.post(`/user_groups/${outer}/subgroups`, { add: [group] }),
      manager.post(`/user_groups/${group}/deactivate`),
    ])
    t.strictSame([use.status, end.status].sort(), [200, 400])
  }
})
