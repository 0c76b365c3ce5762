import t from 'tap'
import { Listener, type Loose } from '../../support/in-step.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const admin = await server.person({ role: 200 })
const guest = await server.person({ role: 600, full_name: 'a guest' })
const member = await server.person({ full_name: 'a member' })
const params = {
  fetch_event_types: ['channel_folders', 'stream', 'default_streams'],
  event_types: ['channel_folder', 'stream', 'default_streams'],
}
const listen = (person: Person = guest) => Listener.start(server.ctx, person, params)

let made = 0
const freshName = () => `folder ${++made}`
const create = async (name = freshName(), description = ''): Promise<number> =>
  (await admin.ok('POST', '/channel_folders/create', { name, description })).channel_folder_id
const folders = async (include_archived = true, person = guest): Promise<Loose[]> =>
  (await person.ok('GET', '/channel_folders', { include_archived })).channel_folders

t.test('a new folder is the last one, and all users get it', async t => {
  const before = await folders()
  const ear = await listen()
  const first = await create('  Team   Red ', ' *all* of it ')
  const second = await create()
  const [one, two, ...more] = (await folders()).slice(before.length)
  t.same(more, [])
  t.match(one, {
    id: first,
    name: 'Team Red',
    description: '*all* of it',
    rendered_description: '<p><em>all</em> of it</p>',
    creator_id: admin.id,
    is_archived: false,
  })
  t.ok(Math.abs(one?.date_created - Date.now() / 1000) < 600)
  t.match(two, { id: second, description: '', rendered_description: '', order: one?.order + 1 })
  t.match(await ear.inStep(t), [
    { type: 'channel_folder', op: 'add', channel_folder: one },
    { type: 'channel_folder', op: 'add', channel_folder: two },
  ])
})

t.test('a folder changes its name and description; without a difference there is no event', async t => {
  const id = await create('old name', 'old text')
  const ear = await listen()
  const path = `/channel_folders/${id}`
  await admin.ok('PATCH', path, { name: 'Old Name' })
  await admin.ok('PATCH', path, { description: '**new**', is_archived: false })
  await admin.ok('PATCH', path, { name: 'Old Name', description: '**new**' })
  await admin.ok('PATCH', path)
  t.match(await ear.inStep(t), [
    { op: 'update', channel_folder_id: id, data: { name: 'Old Name' } },
    { data: { description: '**new**', rendered_description: '<p><strong>new</strong></p>' } },
  ])
  t.match(
    (await folders()).find(one => one.id === id),
    { name: 'Old Name', description: '**new**' },
  )
})

t.test('an archived folder takes no channels, frees its name, and comes back only under a free name', async t => {
  const name = freshName()
  const id = await create(name)
  const { id: channel } = await admin.ok('POST', '/channels/create', {
    name: 'in a folder',
    subscribers: [admin.id],
    folder_id: id,
  })
  const path = `/channel_folders/${id}`
  t.match(await admin.patch(path, { is_archived: true }), { status: 400, body: { code: 'BAD_REQUEST' } })
  await admin.ok('DELETE', `/streams/${channel}`)
  const archived = await admin.patch(path, { is_archived: true })
  t.match(archived, { status: 400, body: { code: 'BAD_REQUEST' } }, 'an archived channel is in it')
  await admin.ok('PATCH', `/streams/${channel}`, { is_archived: false })
  await admin.ok('PATCH', `/streams/${channel}`, { folder_id: null })
  const ear = await listen()
  await admin.ok('PATCH', path, { is_archived: true })
  t.match(await ear.inStep(t), [{ op: 'update', channel_folder_id: id, data: { is_archived: true } }])
  t.notOk((await folders(false)).some(folder => folder.id === id))
  t.ok((await folders()).some(folder => folder.id === id && folder.is_archived))
  t.match(await admin.patch(`/streams/${channel}`, { folder_id: id }), { status: 400, body: { code: 'BAD_REQUEST' } })
  await create(name.toUpperCase())
  t.match(await admin.patch(path, { is_archived: false }), { status: 400, body: { code: 'BAD_REQUEST' } })
  await admin.ok('PATCH', path, { is_archived: false, name: freshName() })
  await admin.ok('PATCH', `/streams/${channel}`, { folder_id: id })
})

t.test('the order has positions from 0', async t => {
  await create()
  const ids = (await folders()).map(folder => folder.id)
  const turned = ids.toReversed()
  const ear = await listen()
  await admin.ok('PATCH', '/channel_folders', { order: turned })
  await admin.ok('PATCH', '/channel_folders', { order: turned })
  t.match(await ear.inStep(t), [{ op: 'reorder', order: turned }])
  t.same(
    (await folders()).map(({ id, order }) => [id, order]),
    turned.map((id, order) => [id, order]),
  )
})

t.test('who and what is refused', async t => {
  const id = await create('Taken')
  const ids = (await folders()).map(folder => folder.id)
  const moderator = await server.person({ role: 300, full_name: 'a moderator' })
  const ear = await listen()
  const path = `/channel_folders/${id}`
  for (const person of [moderator, member, guest]) {
    const refused = { status: 400, body: { code: 'UNAUTHORIZED_PRINCIPAL' } }
    t.match(await person.post('/channel_folders/create', { name: 'x', description: '' }), refused, person.full_name)
    t.match(await person.patch(path, { name: 'x' }), refused, person.full_name)
    t.match(await person.patch('/channel_folders', { order: ids }), refused, person.full_name)
  }
  const wrongNames = ['', ' ', '\u200b', 'x'.repeat(61), 'a\0b', 'a\nb', 'tAKEN']
  const other = await create()
  for (const name of wrongNames) {
    const made = await admin.post('/channel_folders/create', { name, description: '' })
    t.match(made, { status: 400, body: { code: 'BAD_REQUEST' } }, JSON.stringify(name))
    const renamed = await admin.patch(`/channel_folders/${other}`, { name })
    t.match(renamed, { status: 400, body: { code: 'BAD_REQUEST' } }, JSON.stringify(name))
  }
  for (const description of ['x'.repeat(1025), 'a\0b']) {
    t.match(await admin.post('/channel_folders/create', { name: 'y', description }), { status: 400 })
    t.match(await admin.patch(path, { description }), { status: 400 })
  }
  t.match(await admin.post('/channel_folders/create', { name: 'y' }), {
    body: { code: 'REQUEST_VARIABLE_MISSING', var_name: 'description' },
  })
  t.match(await admin.patch(path, { is_archived: 'maybe' }), { status: 400 })
  for (const unknown of [77_777, 2_147_483_648, 99_999_999_999]) {
    t.match(await admin.patch(`/channel_folders/${unknown}`, { name: 'y' }), { status: 400 }, String(unknown))
  }
  const whole = (await folders()).map(folder => folder.id)
  const [first, ...rest] = whole
  for (const order of [rest, [...whole, first], [first, ...rest.slice(1), first], [...rest, 99_999], [], 'x', [0.5]]) {
    const answer = await admin.patch('/channel_folders', { order })
    t.match(answer, { status: 400, body: { code: 'BAD_REQUEST' } }, JSON.stringify(order))
  }
  t.match(await ear.inStep(t), [{ op: 'add', channel_folder: { id: other } }], 'only the folder that was created')
})

t.test(
  'of two with the same name at once one is created; a folder gets a channel or is archived, not both',
  async t => {
    const name = freshName()
    const draft = { name, description: '' }
    const pair = await Promise.all([1, 2].map(() => admin.post('/channel_folders/create', draft)))
    t.same(pair.map(({ status }) => status).sort(), [200, 400])
    const { id: channel } = await admin.ok('POST', '/channels/create', { name: 'moves', subscribers: [admin.id] })
    for (let round = 0; round < 5; round++) {
      const id = await create()
      const ear = await listen(admin)
      const both = await Promise.all([
        admin.patch(`/streams/${channel}`, { folder_id: id }),
        admin.patch(`/channel_folders/${id}`, { is_archived: true }),
      ])
      t.same(both.map(({ status }) => status).sort(), [200, 400])
      t.equal((await ear.inStep(t)).length, 1)
    }
  },
)

t.test('at the budget no folder is added', async t => {
  await server.sql`
    insert into channel_folders (name, position)
    select 'filler ' || n, 1000 + n from generate_series(1, 500 - (select count(*)::int from channel_folders)) as n`
  t.match(await admin.post('/channel_folders/create', { name: 'too many', description: '' }), {
    status: 400,
    body: { code: 'BAD_REQUEST' },
  })
})
