import t from 'tap'
import { ScimDirectory } from '../../support/directory.js'
import { Listener } from '../../support/in-step.js'
import { groupId } from '../../support/organization.js'
import { statementsOf } from '../../support/queries.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const owner = await server.person({ role: 100 })
const bot = await server.person({ bot_type: 1, bot_owner_id: owner.id })
const gone = await server.person({ is_active: false })
const people = await Promise.all([server.person(), server.person(), server.person()])
const directory = await ScimDirectory.start(server)
const ear = await Listener.start(server.ctx, owner)
const [ada, ben, cleo] = people.map(({ id }) => String(id)) as [string, string, string]
const schemas = ['urn:ietf:params:scim:schemas:core:2.0:Group']

const value = (...ids: readonly string[]) => ids.map(id => ({ value: id }))
const members = async (path: string) =>
  (await directory.call('GET', path)).body.members.map((one: { value: string }) => one.value)

let made = 0
async function add(...ids: readonly string[]) {
  const sent = { schemas, displayName: `Group ${++made}`, externalId: `external ${made}`, members: value(...ids) }
  const { status, body, headers } = await directory.call('POST', '/Groups', sent)
  t.equal(status, 201, JSON.stringify(body))
  t.equal(headers.get('location'), body.meta.location)
  return { id: body.id as string, path: `/Groups/${body.id}`, name: sent.displayName, body }
}

const inChat = async (id: string) => {
  const { user_groups } = await owner.ok('GET', '/user_groups')
  return (user_groups as { id: number; name: string; members: number[] }[]).find(one => `group-${one.id}` === id)
}

t.test('a directory adds a group, finds it and reads it', async t => {
  const { id, path, name, body } = await add(ada, ben)
  t.match(body, {
    displayName: name,
    externalId: `external ${made}`,
    members: [{ value: ada, type: 'User' }, { value: ben }],
  })
  t.match(await inChat(id), { name, members: [Number(ada), Number(ben)] })
  await ear.inStep(t)
  for (const filter of [
    `displayName eq "${name.toUpperCase()}"`,
    `externalId eq "external ${made}"`,
    `id eq "${id}" and members eq "${ada}"`,
    `members.value eq "${ben}" and displayName eq "${name}"`,
  ]) {
    t.match(await directory.find('Groups', filter), { body: { totalResults: 1, Resources: [{ id }] } }, filter)
  }
  t.match(await directory.find('Groups', `id eq "${id}" and members eq "${cleo}"`), { body: { totalResults: 0 } })
  t.match(await directory.find('Groups', 'displayName eq "role:owners"'), { body: { totalResults: 0 } })
  const { body: lean } = await directory.call('GET', `${path}?excludedAttributes=members`)
  t.same([lean.id, lean.members], [id, undefined])
  t.match(await directory.call('POST', '/Groups', { displayName: name }), {
    status: 409,
    body: { scimType: 'uniqueness' },
  })
})

t.test('the changes that Entra ID sends', async t => {
  const { id, path } = await add()
  await ear.inStep(t)
  const patch = (...operations: readonly unknown[]) => directory.patch(path, ...operations)
  await patch({
    op: 'Add',
    path: 'members',
    value: [
      { $ref: null, value: ada },
      { $ref: null, value: ben },
    ],
  })
  t.same(await members(path), [ada, ben])
  t.match(await ear.inStep(t), [{ type: 'user_group', op: 'add_members', user_ids: [Number(ada), Number(ben)] }])
  await patch({ op: 'Add', path: 'members', value: value(ada) })
  t.same(await ear.inStep(t), [], 'members that are there need no event')
  await patch({ op: 'Remove', path: 'members', value: value(ada, cleo, '999999') })
  t.same(await members(path), [ben])
  await patch(
    { op: 'Replace', path: 'displayName', value: 'Renamed' },
    { op: 'Replace', path: 'externalId', value: 'e' },
  )
  t.match(await inChat(id), { name: 'Renamed' })
  t.match(await directory.find('Groups', 'externalId eq "e"'), { body: { Resources: [{ id }] } })
  await ear.inStep(t)
})

t.test('the changes that Okta sends', async t => {
  const { id, path, name } = await add(ada)
  const patch = (...operations: readonly unknown[]) => directory.patch(path, ...operations)
  await patch({ op: 'replace', value: { id, displayName: `${name} new` } })
  await patch(
    { op: 'add', path: 'members', value: [{ value: ben, display: 'x' }] },
    { op: 'remove', path: `members[value eq "${ada}"]` },
  )
  t.same(await members(path), [ben])
  await patch({ op: 'replace', path: 'members', value: value(ada, cleo) })
  t.same(await members(path), [ada, cleo])
  await directory.call('PUT', path, { schemas, displayName: name, members: value(cleo) })
  t.same(await members(path), [cleo])
  t.match(await inChat(id), { name })
  await patch({ op: 'remove', path: 'members' })
  t.same(await members(path), [])
  await ear.inStep(t)
})

t.test('bots, subgroups and deactivated people of a group', async t => {
  const { id, path } = await add(ada)
  const inner = await add(cleo)
  const number = Number(id.slice(6))
  await owner.ok('POST', `/user_groups/${number}/members`, {
    add: [bot.id],
    add_subgroups: [Number(inner.id.slice(6))],
  })
  t.same(await members(path), [ada], 'bots are not shown')
  await directory.patch(path, {
    op: 'replace',
    path: 'members',
    value: [...value(ben), { value: inner.id, type: 'Group' }],
  })
  t.same(await members(path), [ben], 'a group as a member has no effect')
  t.match(await inChat(id), { members: [bot.id, Number(ben)], direct_subgroup_ids: [Number(inner.id.slice(6))] })
  await directory.patch(path, { op: 'remove', path: 'members', value: value(String(bot.id)) })
  t.match(await inChat(id), { members: [bot.id, Number(ben)] })
  t.match(await directory.patch(path, { op: 'add', path: 'members', value: value(String(bot.id)) }), { status: 400 })
  await ear.inStep(t)
  await directory.patch(path, { op: 'add', path: 'members', value: value(String(gone.id)) })
  t.same(await members(path), [ben])
  await ear.inStep(t)
  await directory.patch(`/Users/${gone.id}`, { op: 'replace', path: 'active', value: true })
  t.same(await members(path), [String(gone.id), ben])
  await ear.inStep(t)
})

t.test('a group that is deleted is deactivated, and returns by its name', async t => {
  const { id, path, name } = await add(ada)
  t.equal((await directory.call('DELETE', path)).status, 204)
  t.equal((await directory.call('GET', path)).status, 404)
  t.equal((await directory.call('DELETE', path)).status, 404)
  await ear.inStep(t)
  t.match(await directory.call('POST', '/Groups', { displayName: name, members: value(ben) }), {
    status: 201,
    body: { id },
  })
  t.same(await members(path), [ben])
  await ear.inStep(t)
  const { body } = await owner.call('POST', '/channels/create', {
    name: 'for the group',
    subscribers: [owner.id],
    can_send_message_group: Number(id.slice(6)),
  })
  t.equal(body.result, 'success')
  t.match(await directory.call('DELETE', path), { status: 409 }, 'a permission is given to it')
})

t.test('what is refused', async t => {
  const { path } = await add(ada)
  const system = await groupId(server.sql, 'role:members')
  for (const other of [`group-${system}`, 'group-999999', ada, path.slice(14), 'group-x', 'group-']) {
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const operation = { Operations: [{ op: 'add', path: 'members', value: value(ada) }] }
      const { status } = await directory.call(method, `/Groups/${other}`, method === 'PATCH' ? operation : undefined)
      t.equal(status, 404, `${method} ${other}`)
    }
  }
  for (const displayName of [undefined, '', 'role:x', '@x', 'a*b', 7, 'x'.repeat(500)]) {
    t.match(await directory.call('POST', '/Groups', { displayName }), {
      status: 400,
      body: { scimType: 'invalidValue' },
    })
  }
  for (const [operation, scimType] of [
    [{ op: 'add', path: 'members', value: value('999999') }, 'invalidValue'],
    [{ op: 'add', path: 'members', value: value('x') }, 'invalidValue'],
    [{ op: 'replace', path: 'members', value: [{}] }, 'invalidValue'],
    [{ op: 'replace', path: 'members', value: Array(20_001).fill({ value: ada }) }, 'tooMany'],
    [{ op: 'remove', path: 'members[display eq "x"]' }, 'invalidPath'],
    [{ op: 'replace', path: 'displayName', value: 'role:owners' }, 'invalidValue'],
  ] as const) {
    t.match(
      await directory.patch(path, operation),
      { status: 400, body: { scimType } },
      JSON.stringify(operation).slice(0, 80),
    )
  }
  t.match(
    await directory.patch(
      path,
      { op: 'add', path: 'members', value: value(ben) },
      { op: 'add', path: 'members', value: value('999999') },
    ),
    { status: 400 },
  )
  t.same(await members(path), [ada], 'all or nothing')
  const one = await statementsOf(server, () =>
    directory.patch(path, { op: 'replace', path: 'members', value: value(ben) }),
  )
  const two = await statementsOf(server, () =>
    directory.patch(path, { op: 'replace', path: 'members', value: value(ada, cleo) }),
  )
  t.equal(two.length, one.length, 'no statement for each member')
})
