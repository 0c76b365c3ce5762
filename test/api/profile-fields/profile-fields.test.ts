import t from 'tap'
import { Listener, type Loose } from '../../support/in-step.js'
import { limitGuests } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const admin = await server.person({ role: 200 })
const member = await server.person({ full_name: 'a member' })
const guest = await server.person({ role: 600, full_name: 'a guest' })
const bad = { status: 400, body: { code: 'BAD_REQUEST' } }
const types = ['custom_profile_fields', 'realm_user', 'default_streams']
const listen = (person: Person = guest) =>
  Listener.start(server.ctx, person, { fetch_event_types: types, event_types: types })

const fields = async (): Promise<Loose[]> => (await guest.ok('GET', '/realm/profile_fields')).custom_fields
const profileOf = async (person: Person): Promise<Loose> => (await person.ok('GET', '/users/me')).profile_data

let made = 0
const create = async (field_type: number, more: Loose = {}): Promise<{ id: number; path: string }> => {
  const { id } = await admin.ok('POST', '/realm/profile_fields', { field_type, name: `field ${++made}`, ...more })
  return { id, path: `/realm/profile_fields/${id}` }
}
const colors = { red: { text: 'Red', order: '1' }, blue: { text: 'Blue', order: '2' } }
const account = { subtype: 'custom', url_pattern: 'https://code.example/%(username)s' }

t.test('fields of all types are created after the others, and all users get the list', async t => {
  const ear = await listen()
  const data: Loose = { 3: colors, 7: account }
  for (const type of [1, 2, 3, 4, 5, 6, 7, 8])
    await create(type, { field_data: data[type] ?? {}, hint: ` hint ${type} `, required: type === 2 })
  const list = await fields()
  t.same(
    list.map(({ type, hint }) => [type, hint]),
    [1, 2, 3, 4, 5, 6, 7, 8].map(type => [type, `hint ${type}`]),
  )
  t.match(list[0], { field_data: '', required: false, editable_by_user: true, display_in_profile_summary: false })
  t.equal(list[1]?.required, true)
  t.same(JSON.parse(list[2]?.field_data), colors)
  t.same(JSON.parse(list[6]?.field_data), account)
  const orders = list.map(field => field.order)
  t.same(
    orders,
    orders.toSorted((a, b) => a - b),
  )
  const events = await ear.inStep(t)
  t.equal(events.length, 8)
  t.same(events.at(-1)?.fields, list)
})

t.test('a built-in external account brings its name, and only its place in the summary changes', async t => {
  const { realm_default_external_accounts: known } = await member.ok('POST', '/register', {
    fetch_event_types: ['realm'],
  })
  t.same(Object.keys(known).sort(), ['github', 'twitter'])
  const ear = await listen()
  const field_data = { subtype: 'github' }
  // The name would be refused for any other field.
  const { id } = await admin.ok('POST', '/realm/profile_fields', { field_type: 7, field_data, hint: 'x'.repeat(99) })
  const path = `/realm/profile_fields/${id}`
  const { name, hint } = known.github
  const here = async () => (await fields()).find(one => one.id === id)
  t.match(await here(), { type: 7, name, hint, field_data: JSON.stringify(field_data) })
  await admin.ok('PATCH', path, { display_in_profile_summary: true, name, field_data })
  t.equal((await here())?.display_in_profile_summary, true)
  for (const change of [
    { name: 'Other' },
    { hint: 'x' },
    { required: true },
    { editable_by_user: false },
    { field_data: account },
  ])
    t.match(await admin.patch(path, change), {
      status: 400,
      body: { code: 'BAD_REQUEST', msg: 'Default custom field cannot be updated.' },
    })
  const again = { status: 400, body: { code: 'BAD_REQUEST', msg: 'A field with that label already exists.' } }
  t.match(await admin.post('/realm/profile_fields', { field_type: 7, field_data }), again)
  for (const subtype of ['gitlab', 'toString', 'GitHub', 7])
    t.match(await admin.post('/realm/profile_fields', { field_type: 7, name: 'Other', field_data: { subtype } }), {
      ...bad,
      body: { code: 'BAD_REQUEST', msg: 'Invalid external account type' },
    })
  t.match(
    await admin.post('/realm/profile_fields', { field_type: 7, field_data: { subtype: 'twitter', url_pattern: 'x' } }),
    bad,
  )
  await member.ok('PATCH', '/users/me/profile_data', { data: [{ id, value: 'octocat' }] })
  t.match(await profileOf(member), { [id]: { value: 'octocat' } })
  await admin.ok('DELETE', path)
  t.ok((await ear.inStep(t)).length > 0)
})

t.test('a field changes; without a difference there is no event', async t => {
  const { id, path } = await create(1, { hint: 'old' })
  const ear = await listen()
  const change = {
    name: 'Renamed',
    hint: '',
    required: true,
    editable_by_user: false,
    display_in_profile_summary: true,
  }
  await admin.ok('PATCH', path, change)
  await admin.ok('PATCH', path, change)
  await admin.ok('PATCH', path, { display_in_profile_summary: false, field_data: {} })
  await admin.ok('PATCH', path)
  t.match(
    (await fields()).find(field => field.id === id),
    { ...change, display_in_profile_summary: false },
  )
  t.equal((await ear.inStep(t)).length, 2)
})

t.test('users lose an option that is removed, and keep the others', async t => {
  const { id, path } = await create(3, { field_data: colors })
  const [reds, blue] = [[await server.person(), await server.person()], await server.person()]
  for (const person of reds) await person.ok('PATCH', '/users/me/profile_data', { data: [{ id, value: 'red' }] })
  await blue.ok('PATCH', '/users/me/profile_data', { data: [{ id, value: 'blue' }] })
  const ear = await listen()
  const left = { blue: { text: 'Sky', order: '1' }, green: { text: 'Green', order: '2' } }
  await admin.ok('PATCH', path, { field_data: left })
  t.same(await profileOf(blue), { [id]: { value: 'blue' } })
  for (const person of reds) t.same(await profileOf(person), {})
  const [list, ...people] = await ear.inStep(t)
  t.equal(list?.type, 'custom_profile_fields')
  t.same(
    people.map(event => event.person),
    reds.map(person => ({ user_id: person.id, custom_profile_field: { id, value: null } })),
  )
  await limitGuests(server.sql)
  const limited = await listen()
  await admin.ok('PATCH', path, { field_data: { green: left.green } })
  t.same(
    (await limited.inStep(t)).map(event => event.type),
    ['custom_profile_fields'],
    'the guest does not know the user',
  )
  t.same(await profileOf(blue), {})
})

t.test('a removed field takes its values with it', async t => {
  const { id, path } = await create(8)
  await member.ok('PATCH', '/users/me/profile_data', { data: [{ id, value: 'they' }] })
  const ear = await listen(member)
  await admin.ok('DELETE', path)
  t.equal((await ear.inStep(t)).length, 1)
  t.notOk(id in (await profileOf(member)))
  t.match(await admin.delete(path), bad, 'it is gone')
})

t.test('the order changes', async t => {
  const ids = (await fields()).map(field => field.id)
  const ear = await listen()
  await admin.ok('PATCH', '/realm/profile_fields', { order: ids.toReversed() })
  await admin.ok('PATCH', '/realm/profile_fields', { order: ids.toReversed() })
  t.same(
    (await fields()).map(field => field.id),
    ids.toReversed(),
  )
  t.equal((await ear.inStep(t)).length, 1)
})

t.test('people set and delete their own values, which others see', async t => {
  const [text, date] = [await create(1), await create(4)]
  const ear = await listen(admin)
  const data = [
    { id: text.id, value: '*me*' },
    { id: date.id, value: '2000-02-29' },
  ]
  await member.ok('PATCH', '/users/me/profile_data', { data })
  await member.ok('PATCH', '/users/me/profile_data', { data })
  t.same(await profileOf(member), {
    [text.id]: { value: '*me*', rendered_value: '<p><em>me</em></p>' },
    [date.id]: { value: '2000-02-29' },
  })
  await member.ok('DELETE', '/users/me/profile_data', { data: [text.id] })
  await member.ok('PATCH', '/users/me/profile_data', { data: [{ id: date.id, value: '' }] })
  t.same(await profileOf(member), {})
  const changes = (await ear.inStep(t)).map(event => event.person.custom_profile_field)
  t.same(changes, [
    { id: text.id, value: '*me*', rendered_value: '<p><em>me</em></p>' },
    { id: date.id, value: '2000-02-29' },
    { id: text.id, value: null },
    { id: date.id, value: null },
  ])
})

t.test('a field that is not editable is for administrators, their own included', async t => {
  const { id } = await create(1, { editable_by_user: false })
  const data = [{ id, value: 'x' }]
  t.match(await member.patch('/users/me/profile_data', { data }), bad)
  await admin.ok('PATCH', '/users/me/profile_data', { data })
  await admin.ok('PATCH', `/users/${member.id}`, { profile_data: data })
  t.match(await member.delete('/users/me/profile_data', { data: [id] }), bad)
  t.match((await profileOf(member))[id], { value: 'x' })
  await admin.ok('DELETE', '/users/me/profile_data', { data: [id] })
  t.notOk(id in (await profileOf(admin)))
})

t.test('what of one’s own values is refused', async t => {
  const [date, select] = [await create(4), await create(3, { field_data: colors })]
  const bot = await server.person({ bot_type: 1, bot_owner_id: admin.id })
  const ear = await listen(admin)
  t.match(await bot.patch('/users/me/profile_data', { data: [] }), bad)
  t.match(await bot.delete('/users/me/profile_data', { data: [] }), bad)
  const good = { id: date.id, value: '2000-01-01' }
  for (const wrong of [
    { id: date.id, value: '2001-02-29' },
    { id: select.id, value: 'Red' },
    { id: 77_777, value: 'x' },
    { id: date.id },
    { value: 'x' },
    'x',
  ]) {
    t.match(await member.patch('/users/me/profile_data', { data: [good, wrong] }), bad, JSON.stringify(wrong))
  }
  for (const data of [[77_777], ['x'], 'x', date.id]) {
    t.match(await member.delete('/users/me/profile_data', { data }), bad, JSON.stringify(data))
  }
  t.match(await member.patch('/users/me/profile_data'), { status: 400, body: { code: 'REQUEST_VARIABLE_MISSING' } })
  t.same(await ear.inStep(t), [])
})

t.test('who is refused', async t => {
  const { path } = await create(1)
  const moderator = await server.person({ role: 300, full_name: 'a moderator' })
  const order = (await fields()).map(field => field.id)
  for (const person of [moderator, member, guest]) {
    const answers = [
      await person.post('/realm/profile_fields', { field_type: 1, name: 'x' }),
      await person.patch(path, { name: 'x' }),
      await person.patch('/realm/profile_fields', { order }),
      await person.delete(path),
    ]
    for (const answer of answers) {
      t.match(answer, { status: 400, body: { code: 'UNAUTHORIZED_PRINCIPAL' } }, person.full_name)
    }
  }
})

t.test('which fields are refused', async t => {
  const { path } = await create(1, { name: 'Taken' })
  const [select, external, long] = [
    await create(3, { field_data: colors }),
    await create(7, { field_data: account }),
    await create(2),
  ]
  const before = await fields()
  const ear = await listen()
  const refuse = async (params: Loose, title: string) =>
    t.match(await admin.post('/realm/profile_fields', { field_type: 1, name: 'free', ...params }), bad, title)
  for (const field_type of [0, 9, 'x', 1.5]) await refuse({ field_type }, `type ${field_type}`)
  for (const name of ['', ' ', 'x'.repeat(41), 'a\nb', 'tAKEN']) {
    await refuse({ name }, `name ${JSON.stringify(name)}`)
    if (name !== 'tAKEN') t.match(await admin.patch(path, { name }), bad)
    t.match(await admin.patch(long.path, { name }), bad)
  }
  await refuse({ hint: 'x'.repeat(81) }, 'a long hint')
  await refuse({ field_data: colors }, 'options of a text')
  for (const field_type of [2, 6])
    await refuse({ field_type, display_in_profile_summary: true }, 'no type for a summary')
  t.match(await admin.patch(long.path, { display_in_profile_summary: true }), bad)
  const choice = { text: 'x', order: '1' }
  const choices: unknown[] = [
    {},
    'x',
    [],
    { a: 'x' },
    { a: null },
    { a: { text: 'x' } },
    { a: { ...choice, order: 1 } },
    { a: { ...choice, order: 'x' } },
    { a: { ...choice, text: ' ' } },
    { a: { ...choice, text: 'x'.repeat(51) } },
    { a: { ...choice, more: 1 } },
    { a: choice, b: choice },
    { '': choice },
    { 'a b': choice },
    { ['k'.repeat(51)]: choice },
    Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`k${i}`, { text: `${i}`, order: `${i}` }])),
  ]
  for (const field_data of choices) {
    await refuse({ field_type: 3, field_data }, JSON.stringify(field_data).slice(0, 60))
    t.match(await admin.patch(select.path, { field_data }), bad)
  }
  const accounts: unknown[] = [
    {},
    { subtype: 'nowhere' },
    { subtype: 'custom' },
    { ...account, more: 1 },
    { ...account, url_pattern: 'https://code.example/' },
    { ...account, url_pattern: 'https://%(username)s.example/%(username)s' },
    { ...account, url_pattern: 'javascript:%(username)s' },
    { ...account, url_pattern: 'https://a b/%(username)s' },
    { ...account, url_pattern: `https://code.example/%(username)s/${'x'.repeat(1000)}` },
  ]
  for (const field_data of accounts) {
    await refuse({ field_type: 7, field_data }, JSON.stringify(field_data).slice(0, 60))
    t.match(await admin.patch(external.path, { field_data }), bad)
  }
  for (const id of [77_777, 99_999_999_999]) {
    t.match(await admin.patch(`/realm/profile_fields/${id}`, { name: 'free' }), bad)
    t.match(await admin.delete(`/realm/profile_fields/${id}`), bad)
  }
  const [first, ...rest] = before.map(field => field.id)
  for (const order of [rest, [first, first, ...rest.slice(1)], [...rest, 77_777], [], 'x']) {
    t.match(await admin.patch('/realm/profile_fields', { order }), bad, JSON.stringify(order))
  }
  t.same(await fields(), before)
  t.same(await ear.inStep(t), [])
})

t.test('a summary has room for two; at the budget no field is added', async t => {
  for (const type of [1, 4]) await create(type, { display_in_profile_summary: true })
  const third = await create(8)
  t.match(await admin.patch(third.path, { display_in_profile_summary: true }), bad)
  await server.sql`
    insert into custom_profile_fields (type, name, position)
    select 1, 'filler ' || n, 1000 + n
    from generate_series(1, 100 - (select count(*)::int from custom_profile_fields)) as n`
  t.match(await admin.post('/realm/profile_fields', { field_type: 1, name: 'one more' }), bad)
})
