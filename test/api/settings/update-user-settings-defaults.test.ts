import t from 'tap'
import { createUser } from '../../../server/actions/users/create.js'
import { updateUserSettingsDefaults } from '../../../server/api/settings/update-user-settings-defaults.js'
import { kinds, Listener } from '../../support/in-step.js'
import { startServer } from '../../support/server.js'
import { checkObject } from '../../support/wire-schemas.js'
import { defaultValues, otherValues } from './values.js'

const path = '/realm/user_settings_defaults'
const fetched = { fetch_event_types: ['realm_user_settings_defaults', 'user_settings'] }

t.test('every default can be changed; new users start with it, and the settings of other users stay', async t => {
  const server = await startServer(t)
  const admin = await server.person({ role: 200 })
  const there = await server.person()
  const before = await there.ok('POST', '/register', fetched)
  const wanted = otherValues(before.realm_user_settings_defaults)
  t.equal(Object.keys(wanted).length, 59)
  t.same(Object.keys(updateUserSettingsDefaults.params.shape).sort(), Object.keys(defaultValues).sort())
  const { result, msg, ...rest } = await admin.ok('PATCH', path, wanted)
  t.same(rest, {}, 'nothing is ignored')

  const after = await there.ok('POST', '/register', fetched)
  t.match(after.realm_user_settings_defaults, wanted)
  t.same(checkObject('realm_user_settings_defaults', after.realm_user_settings_defaults), [])
  t.same(after.user_settings, before.user_settings, 'who is there keeps what it has')
  const draft = { email: 'new@test.example', fullName: 'New one', role: 400, password: null }
  const { api_key, delivery_email: email } = await createUser(server.ctx, draft)
  const newcomer = server.api({ email, api_key })
  const { user_settings } = await newcomer.ok('POST', '/register', fetched)
  t.match(user_settings, wanted, 'who joins now has them')
  t.same(checkObject('user_settings', user_settings), [])

  await admin.ok('PATCH', path, otherValues(wanted))
  t.match(
    (await newcomer.ok('POST', '/register', fetched)).user_settings,
    wanted,
    'and keeps them when they change again',
  )
})

t.test('each allowed value is taken, each other refused', async t => {
  const server = await startServer(t)
  const admin = await server.person({ role: 100 })
  for (const [name, { good, bad }] of Object.entries(defaultValues)) {
    for (const value of good) {
      await admin.ok('PATCH', path, { [name]: value })
      const { realm_user_settings_defaults: defaults } = await admin.ok('POST', '/register', fetched)
      t.equal(defaults[name], value, `${name} ${value}`)
    }
    for (const value of bad) {
      // Valid settings in the same request are not stored either.
      const answer = await admin.patch(path, { starred_message_counts: false, [name]: value })
      t.match(answer, { status: 400, body: { code: 'BAD_REQUEST' } }, `${name} ${value}`)
    }
  }
  await admin.ok('PATCH', path, { web_home_view: '"inbox"' })
  const { realm_user_settings_defaults: defaults } = await admin.ok('POST', '/register', fetched)
  t.equal(defaults.web_home_view, 'inbox', 'text may come quoted')
})

t.test('all users are notified, once for each changed default', async t => {
  const server = await startServer(t)
  const admin = await server.person({ role: 200 })
  const people = [
    admin,
    await server.person(),
    await server.person({ role: 600 }),
    await server.person({ bot_type: 1 }),
  ]
  const listeners = await Promise.all(people.map(person => Listener.start(server.ctx, person, fetched)))
  const all = otherValues((await admin.ok('POST', '/register', fetched)).realm_user_settings_defaults)
  await admin.ok('PATCH', path, all)
  for (const listener of listeners) {
    const events = await listener.inStep(t)
    t.same(Object.fromEntries(events.map(event => [event.property, event.value])), all)
    t.ok(kinds(events).every(kind => kind === 'realm_user_settings_defaults/update'))
    t.equal(events.length, 59)
  }
  await admin.ok('PATCH', path, { ...all, enter_sends: !all.enter_sends })
  for (const listener of listeners) t.equal((await listener.inStep(t)).length, 1, 'what stays is not told')
  await admin.ok('PATCH', path, {})
  for (const listener of listeners) t.same(await listener.inStep(t), [])
})

t.test('only administrators change them, and what is no default is ignored', async t => {
  const server = await startServer(t)
  const before = await (await server.person()).ok('POST', '/register', fetched)
  for (const options of [{ role: 300 }, { role: 400 }, { role: 600 }, { bot_type: 1 }] as const) {
    const answer = await (await server.person(options)).patch(path, { enter_sends: true })
    t.match(answer, { status: 400, body: { code: 'UNAUTHORIZED_PRINCIPAL' } })
  }
  const admin = await server.person({ role: 200 })
  t.match(await server.api(null).patch(path, { enter_sends: true }), { status: 401, body: { code: 'UNAUTHORIZED' } })
  const ofUsers = {
    default_language: 'de',
    enable_login_emails: false,
    allow_private_data_export: true,
    timezone: 'UTC',
  }
  const answer = await admin.ok('PATCH', path, { ...ofUsers, dense_mode: true, full_name: 'X' })
  t.same(answer.ignored_parameters_unsupported, [...Object.keys(ofUsers), 'dense_mode', 'full_name'].sort())
  const after = await admin.ok('POST', '/register', fetched)
  t.same(after.realm_user_settings_defaults, before.realm_user_settings_defaults)
})

t.test('two administrators at once lose nothing, and other workers know', async t => {
  const server = await startServer(t)
  const other = await startServer(t, {}, server.organization)
  const admins = [await server.person({ role: 200 }), await server.person({ role: 200 })]
  const [first, second] = admins as [(typeof admins)[0], (typeof admins)[0]]
  const elsewhere = other.api(second)
  await Promise.all([
    ...[1, 2, 3].map(color_scheme => first.ok('PATCH', path, { color_scheme })),
    ...[12, 13, 14].map(web_font_size_px => elsewhere.ok('PATCH', path, { web_font_size_px })),
    first.ok('PATCH', path, { enter_sends: true }),
    elsewhere.ok('PATCH', path, { web_home_view: 'recent' }),
  ])
  const seen = await Promise.all([first, elsewhere].map(api => api.ok('POST', '/register', fetched)))
  const [here, there] = seen.map(state => state.realm_user_settings_defaults)
  t.match(here, { enter_sends: true, web_home_view: 'recent' })
  t.not(here.web_font_size_px, 16)
  t.same(here, there)
})

t.test('the sound of the brand has the name of the brand', async t => {
  const server = await startServer(t, { WIRE_BRAND: 'acme' })
  const admin = await server.person({ role: 200 })
  t.equal((await admin.patch(path, { notification_sound: 'service' })).status, 400)
  await admin.ok('PATCH', path, { notification_sound: 'ding' })
  const queue = await admin.ok('POST', '/register', fetched)
  await admin.ok('PATCH', path, { notification_sound: 'acme' })
  const { events } = await admin.ok('GET', '/events', { queue_id: queue.queue_id, last_event_id: -1 })
  t.match(events, [{ property: 'notification_sound', value: 'acme' }])
  const { realm_user_settings_defaults: defaults } = await admin.ok('POST', '/register', fetched)
  t.equal(defaults.notification_sound, 'acme')
})
