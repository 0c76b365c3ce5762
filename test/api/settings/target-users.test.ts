import t from 'tap'
import { Listener } from '../../support/in-step.js'
import { deactivate } from '../../support/organization.js'
import { statementsOf } from '../../support/queries.js'
import { startServer } from '../../support/server.js'

const path = '/settings'
const settingsOf = async (person: { ok: Listener['person']['ok'] }) =>
  (await person.ok('POST', '/register', { fetch_event_types: ['user_settings'] })).user_settings

t.test('an administrator changes settings of others, who get the event', async t => {
  const server = await startServer(t)
  const admin = await server.person({ role: 200 })
  const [a, b, c, bot, gone] = await Promise.all([
    ...[1, 2, 3].map(() => server.person()),
    server.person({ bot_type: 1 }),
    server.person(),
  ])
  const people = [admin, a, b, c] as [typeof admin, typeof admin, typeof admin, typeof admin]
  await deactivate(server.sql, gone?.id ?? 0)
  const { group_id } = await admin.ok('POST', '/user_groups/create', {
    name: 'some',
    description: '',
    members: [b?.id, bot?.id],
  })
  const listeners = await Promise.all(people.map(person => Listener.start(server.ctx, person)))
  const target_users = { user_ids: [a?.id, gone?.id, bot?.id], group_ids: [group_id], skip_if_already_edited: false }
  await admin.ok('PATCH', path, { target_users, color_scheme: 2, notification_sound: 'ding', default_language: 'fr' })
  const told = await Promise.all(listeners.map(async one => (await one.inStep(t)).map(event => event.property)))
  const all = ['color_scheme', 'notification_sound', 'default_language']
  t.same(told, [[], all, all, []], 'not the caller, and nobody else')
  t.match(await settingsOf(people[1]), { color_scheme: 2, notification_sound: 'ding', default_language: 'fr' })
  t.match(await settingsOf(people[3]), { color_scheme: 1 })
  const [row] = await server.sql`select settings from users where id = ${gone?.id ?? 0}`
  t.match(row, { settings: { color_scheme: 2 } }, 'who is deactivated may come back')
})

t.test('values that users chose can be kept', async t => {
  const server = await startServer(t)
  const admin = await server.person({ role: 100 })
  const [chose, told, free] = [await server.person(), await server.person(), await server.person()]
  const user_ids = [chose.id, told.id, free.id]
  await chose.ok('PATCH', path, { color_scheme: 3, enter_sends: false })
  await admin.ok('PATCH', path, { target_users: { user_ids: [told.id] }, color_scheme: 3 })
  const target_users = { user_ids, skip_if_already_edited: true }
  await admin.ok('PATCH', path, { target_users, color_scheme: 2, enter_sends: true })
  const found = await Promise.all([chose, told, free].map(settingsOf))
  t.same(
    found.map(settings => [settings.color_scheme, settings.enter_sends]),
    [
      [3, true],
      [2, true],
      [2, true],
    ],
    'chosen is what one has changed oneself',
  )
  await admin.ok('PATCH', path, { target_users: { user_ids }, color_scheme: 1 })
  t.equal((await settingsOf(chose)).color_scheme, 1)
})

t.test('only administrators, only for an existing user, and no private settings', async t => {
  const server = await startServer(t)
  const [admin, person] = [await server.person({ role: 200 }), await server.person()]
  const target_users = { user_ids: [person.id] }
  for (const role of [300, 400, 600] as const) {
    const answer = await (await server.person({ role })).patch(path, { target_users, enter_sends: true })
    t.match(answer, { status: 400, body: { code: 'UNAUTHORIZED_PRINCIPAL' } })
  }
  const refused = async (params: Record<string, unknown>) =>
    t.match(await admin.patch(path, { target_users, ...params }), badRequest, JSON.stringify(params))
  for (const wrong of [{}, { user_ids: [] }, { user_ids: [], group_ids: [] }, { user_ids: ['x'] }, [], 'x', 5]) {
    await refused({ target_users: wrong, enter_sends: true })
  }
  await refused({ target_users: { user_ids: [99_999] }, enter_sends: true })
  await refused({ target_users: { user_ids: [person.id], group_ids: [99_999] }, enter_sends: true })
  const ofOneself = { full_name: 'X Y', email: 'x@test.example', old_password: 'a', new_password: 'b', timezone: 'UTC' }
  const kept = {
    allow_private_data_export: true,
    email_address_visibility: 4,
    enable_digest_emails: false,
    enable_login_emails: false,
    enable_marketing_emails: false,
    presence_enabled: false,
    send_private_typing_notifications: false,
    send_read_receipts: false,
    send_stream_typing_notifications: false,
  }
  for (const [name, value] of Object.entries({ ...ofOneself, ...kept }))
    await refused({ [name]: value, enter_sends: true })
  t.notOk((await settingsOf(person)).enter_sends)
})

t.test('the number of statements does not grow with the users', async t => {
  const server = await startServer(t)
  const admin = await server.person({ role: 200 })
  const people = await Promise.all(Array.from({ length: 20 }, () => server.person()))
  let color_scheme = 1
  const count = async (ids: number[]) => {
    color_scheme = color_scheme === 1 ? 2 : 1
    const params = {
      target_users: { user_ids: ids },
      color_scheme,
      enable_stream_audible_notifications: color_scheme === 2,
    }
    const statements = await statementsOf(server, () => admin.ok('PATCH', path, params))
    return statements.filter(text => /\b(users|subscriptions)\b/.test(text) && !/from users where version/.test(text))
      .length
  }
  const ids = people.map(person => person.id)
  const one = await count(ids.slice(0, 1))
  await count(ids.slice(0, 1))
  t.equal(await count(ids), one)
})

const badRequest = { status: 400, body: { code: 'BAD_REQUEST' } }
