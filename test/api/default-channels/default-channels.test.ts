import t from 'tap'
import { Listener, type Loose } from '../../support/in-step.js'
import { setUser } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const admin = await server.person({ role: 200 })
await setUser(server.sql, admin.id, { can_create_users: true })
const member = await server.person({ full_name: 'a member' })
const guest = await server.person({ role: 600, full_name: 'a guest' })
const types = ['default_streams', 'default_stream_groups']
const listen = (person: Person = member) =>
  Listener.start(server.ctx, person, { fetch_event_types: types, event_types: types })
const bad = { status: 400, body: { code: 'BAD_REQUEST' } }

let made = 0
async function channel(params: Loose = {}): Promise<{ id: number; name: string }> {
  const name = `channel ${++made}`
  const { id } = await admin.ok('POST', '/channels/create', { name, subscribers: [admin.id], ...params })
  return { id, name }
}
const groups = async (person = member): Promise<Loose[]> =>
  (await person.ok('POST', '/register', { fetch_event_types: types })).realm_default_stream_groups
const names = (...channels: { name: string }[]) => ({ stream_names: channels.map(one => one.name) })

/** The channels to which a new account is subscribed. */
async function channelsOfNewcomer(): Promise<number[]> {
  const email = `new${++made}@test.example`
  const { user_id } = await admin.ok('POST', '/users', {
    email,
    full_name: 'New Person',
    password: 'correct horse battery',
  })
  const rows = await server.sql<{ channel_id: number }[]>`
    select channel_id from subscriptions where user_id = ${user_id} and is_active`
  return rows.map(row => row.channel_id)
}

/** A group of these channels. */
async function create(...channels: { name: string }[]): Promise<{ id: number; path: string; name: string }> {
  const name = `group ${++made}`
  const draft = { group_name: name, description: '', ...names(...channels) }
  await admin.ok('POST', '/default_stream_groups/create', draft)
  const { id } = (await groups()).find(group => group.name === name) as { id: number }
  return { id, path: `/default_stream_groups/${id}`, name }
}

t.test('new members are subscribed to a default channel until it is none', async t => {
  const { id } = await channel()
  const [ear, guestEar] = [await listen(), await listen(guest)]
  await admin.ok('POST', '/default_streams', { stream_id: id })
  await admin.ok('POST', '/default_streams', { stream_id: id })
  t.same(
    (await ear.inStep(t)).map(event => event.default_streams),
    [[id]],
    'once: the second time nothing changed',
  )
  t.same(await channelsOfNewcomer(), [id])
  await admin.ok('DELETE', '/default_streams', { stream_id: id })
  await admin.ok('DELETE', '/default_streams', { stream_id: id })
  t.same(
    (await ear.inStep(t)).map(event => event.default_streams),
    [[]],
  )
  t.same(await channelsOfNewcomer(), [])
  t.same(await guestEar.inStep(t), [], 'guests have no default channels')
})

t.test('an archived or private channel is no default one, and cannot become one', async t => {
  const [first, second, archived, secret] = [
    await channel(),
    await channel(),
    await channel(),
    await channel({ invite_only: true }),
  ]
  await admin.ok('DELETE', `/streams/${archived.id}`)
  await admin.ok('POST', '/default_streams', { stream_id: first.id })
  await admin.ok('POST', '/default_streams', { stream_id: second.id })
  const ear = await listen()
  for (const { id } of [archived, secret]) t.match(await admin.post('/default_streams', { stream_id: id }), bad)
  t.match(await admin.patch(`/streams/${first.id}`, { is_private: true }), bad, 'default channels stay public')
  await admin.ok('DELETE', `/streams/${second.id}`)
  t.same(
    (await ear.inStep(t)).map(event => event.default_streams),
    [[first.id]],
  )
  await admin.ok('DELETE', '/default_streams', { stream_id: first.id })
})

t.test('a group of default channels: it is created, renamed, filled, emptied and removed', async t => {
  const [a, b, c] = [await channel(), await channel(), await channel()]
  const [ear, guestEar] = [await listen(), await listen(guest)]
  const { id, path, name } = await create(b, a)
  const group = { id, name, description: '', streams: [a.id, b.id] }
  t.same(await groups(), [group])
  t.same(await groups(guest), [])
  await admin.ok('PATCH', path, { new_group_name: name.toUpperCase(), new_description: 'all' })
  await admin.ok('PATCH', path, { new_group_name: name.toUpperCase() })
  await admin.ok('PATCH', `${path}/streams`, { op: 'add', ...names(c) })
  await admin.ok('PATCH', `${path}/streams`, { op: 'remove', ...names(a, b) })
  await admin.ok('DELETE', path)
  const renamed = { ...group, name: name.toUpperCase(), description: 'all' }
  t.same(
    (await ear.inStep(t)).map(event => event.default_stream_groups),
    [[group], [renamed], [{ ...renamed, streams: [a.id, b.id, c.id] }], [{ ...renamed, streams: [c.id] }], []],
  )
  t.same(await guestEar.inStep(t), [])
})

t.test('a channel leaves its groups when it becomes private or is archived', async t => {
  const [a, b, c] = [await channel(), await channel(), await channel()]
  const { path } = await create(a, b, c)
  const ear = await listen()
  await admin.ok('PATCH', `/streams/${a.id}`, { is_private: true })
  await admin.ok('DELETE', `/streams/${b.id}`)
  t.match(await ear.inStep(t), [
    { default_stream_groups: [{ streams: [b.id, c.id] }] },
    { default_stream_groups: [{ streams: [c.id] }] },
  ])
  await admin.ok('DELETE', path)
})

t.test('a member who becomes a guest loses both lists, and gets them back', async t => {
  const [a, b] = [await channel(), await channel()]
  const { path } = await create(a)
  await admin.ok('POST', '/default_streams', { stream_id: b.id })
  const person = await server.person()
  const ear = await listen(person)
  for (const role of [600, 400]) {
    await admin.ok('PATCH', `/users/${person.id}`, { role })
    t.equal((await ear.inStep(t)).length, 2)
  }
  await admin.ok('DELETE', path)
  await admin.ok('DELETE', '/default_streams', { stream_id: b.id })
})

t.test('who is refused', async t => {
  const { id, name } = await channel()
  const { path } = await create()
  const moderator = await server.person({ role: 300, full_name: 'a moderator' })
  const ear = await listen()
  for (const person of [moderator, member, guest]) {
    const answers = [
      await person.post('/default_streams', { stream_id: id }),
      await person.delete('/default_streams', { stream_id: id }),
      await person.post('/default_stream_groups/create', { group_name: 'x', description: '', stream_names: [] }),
      await person.patch(path, { new_group_name: 'x' }),
      await person.patch(`${path}/streams`, { op: 'add', stream_names: [name] }),
      await person.delete(path),
    ]
    for (const answer of answers) {
      t.match(answer, { status: 400, body: { code: 'UNAUTHORIZED_PRINCIPAL' } }, person.full_name)
    }
  }
  t.same(await ear.inStep(t), [])
  await admin.ok('DELETE', path)
})

t.test('what is refused', async t => {
  const [inside, outside, standard, secret, archived] = [
    await channel(),
    await channel(),
    await channel({ is_default_stream: true }),
    await channel({ invite_only: true }),
    await channel(),
  ]
  await admin.ok('DELETE', `/streams/${archived.id}`)
  const { path, name } = await create(inside)
  const other = await create()
  const ear = await listen()
  for (const stream_id of [77_777, -1, 'x', 2_147_483_648]) {
    t.match(await admin.post('/default_streams', { stream_id }), bad, String(stream_id))
    t.match(await admin.delete('/default_streams', { stream_id }), bad, String(stream_id))
  }
  for (const group_name of ['', ' ', 'x'.repeat(61), 'a\0', name.toUpperCase()]) {
    const draft = { group_name, description: '', stream_names: [] }
    t.match(await admin.post('/default_stream_groups/create', draft), bad, JSON.stringify(group_name))
    t.match(await admin.patch(other.path, { new_group_name: group_name }), bad, JSON.stringify(group_name))
  }
  for (const description of ['x'.repeat(1025), 'a\0']) {
    const draft = { group_name: 'free', description, stream_names: [] }
    t.match(await admin.post('/default_stream_groups/create', draft), bad)
    t.match(await admin.patch(path, { new_description: description }), bad)
  }
  for (const one of [standard, secret, archived, { name: 'there is none' }]) {
    const draft = { group_name: 'free', description: '', ...names(outside, one) }
    t.match(await admin.post('/default_stream_groups/create', draft), bad, one.name)
    t.match(await admin.patch(`${path}/streams`, { op: 'add', ...names(outside, one) }), bad, one.name)
    t.match(await admin.patch(`${path}/streams`, { op: 'remove', ...names(inside, one) }), bad, one.name)
  }
  t.match(await admin.patch(`${path}/streams`, { op: 'add', ...names(inside) }), bad, 'it is in the group')
  t.match(await admin.patch(`${path}/streams`, { op: 'remove', ...names(outside) }), bad, 'it is not in the group')
  t.match(await admin.patch(`${path}/streams`, { op: 'move', ...names(inside) }), bad)
  t.match(await admin.patch(path), bad, 'neither a name nor a description')
  for (const unknown of ['/default_stream_groups/77777', '/default_stream_groups/99999999999']) {
    t.match(await admin.patch(unknown, { new_group_name: 'free' }), bad)
    t.match(await admin.patch(`${unknown}/streams`, { op: 'add', ...names(outside) }), bad)
    t.match(await admin.delete(unknown), bad)
  }
  t.same(await ear.inStep(t), [])
  await server.sql`insert into default_channel_groups (name) select 'filler ' || n from generate_series(1, 98) as n`
  const draft = { group_name: 'too many', description: '', stream_names: [] }
  t.match(await admin.post('/default_stream_groups/create', draft), bad, 'the budget')
})
