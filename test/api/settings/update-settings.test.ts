import t from 'tap'
import { updateSettings } from '../../../server/api/settings/update-settings.js'
import { until } from '../../http/until.js'
import { Listener, type Loose } from '../../support/in-step.js'
import { setOrganization } from '../../support/organization.js'
import { startServer } from '../../support/server.js'
import { checkObject } from '../../support/wire-schemas.js'
import { otherValues, ownValues } from './values.js'

const path = '/settings'
const fetched = { fetch_event_types: ['user_settings'] }

t.test('every setting can be changed, and only its user gets one event for each', async t => {
  const server = await startServer(t)
  const [person, admin] = [await server.person(), await server.person({ role: 100 })]
  const before = (await person.ok('POST', '/register', fetched)).user_settings
  const listeners = await Promise.all([person, admin].map(one => Listener.start(server.ctx, one)))
  const [own, bystander] = listeners as [Listener, Listener]
  // Tests below cover the settings that cause events for other users.
  const { allow_private_data_export, email_address_visibility, ...wanted } = otherValues(before, ownValues)
  t.equal(Object.keys(wanted).length, 61)
  const { result, msg, ...rest } = await person.ok('PATCH', path, wanted)
  t.same(rest, {}, 'nothing is ignored')
  const isStatus = ({ type }: Loose) => type === 'user_status'
  const all = await own.inStep(t)
  // presence_enabled also says that the user is offline; that event is not stored, and comes when it comes.
  const isPresence = ({ type }: Loose) => type === 'presence'
  const events = all.filter(event => !isStatus(event) && !isPresence(event))
  t.same(Object.fromEntries(events.map(event => [event.property, event.value])), wanted)
  t.equal(events.length, 61)
  t.match(all.filter(isStatus), [{ away: true }], 'the status shows presence_enabled')
  t.match(
    events.find(event => event.property === 'default_language'),
    { value: 'de', language_name: 'Deutsch' },
  )
  t.same(
    (await bystander.inStep(t)).filter(event => !isStatus(event) && !isPresence(event)),
    [],
  )
  const after = (await person.ok('POST', '/register', fetched)).user_settings
  t.same(after, { ...before, ...wanted })
  t.same(checkObject('user_settings', after), [])
  await person.ok('PATCH', path, { ...wanted, enter_sends: !wanted.enter_sends })
  t.equal((await own.inStep(t)).length, 1, 'what stays is not told')
  const params = Object.keys(updateSettings.params.shape)
  const others = ['full_name', 'email', 'old_password', 'new_password', 'timezone', 'target_users']
  t.same([...params].sort(), [...Object.keys(ownValues), ...others].sort())
  t.equal(params.length, 69)
})

t.test('each allowed value is taken, each other refused', async t => {
  const server = await startServer(t)
  const person = await server.person({ role: 600 })
  for (const [name, { good, bad }] of Object.entries(ownValues)) {
    for (const value of good) await person.ok('PATCH', path, { [name]: value })
    const { user_settings } = await person.ok('POST', '/register', fetched)
    t.equal(user_settings[name], good.at(-1), name)
    for (const value of bad) {
      const answer = await person.patch(path, { full_name: 'Somebody else', [name]: value })
      t.match(answer, { status: 400, body: { code: 'BAD_REQUEST' } }, `${name} ${value}`)
    }
  }
  t.equal((await person.ok('GET', '/users/me')).full_name, person.full_name, 'of a refused request nothing is kept')
  await person.ok('PATCH', path, { default_language: '"PT-BR"', twenty_four_hour_time: 'null' })
  t.equal((await person.ok('POST', '/register', fetched)).user_settings.default_language, 'pt-br')
})

t.test('a time zone is an IANA name, and all who may see the user get the event', async t => {
  const server = await startServer(t)
  const [person, other] = [await server.person({ email_address_visibility: 4 }), await server.person()]
  const own = await Listener.start(server.ctx, person)
  const listener = await Listener.start(server.ctx, other)
  await person.ok('PATCH', path, { timezone: 'Asia/Kolkata' })
  const email = `user${person.id}@127.0.0.1`
  const told = { type: 'realm_user', op: 'update', person: { user_id: person.id, timezone: 'Asia/Kolkata', email } }
  t.match(await own.inStep(t), [{ type: 'user_settings', property: 'timezone', value: 'Asia/Kolkata' }, told])
  t.match(await listener.inStep(t), [told])
  for (const timezone of ['UTC', 'America/Port-au-Prince', 'Etc/GMT+1', 'America/Argentina/Buenos_Aires', '']) {
    await person.ok('PATCH', path, { timezone })
    t.equal((await person.ok('GET', '/users/me')).timezone, timezone)
  }
  for (const timezone of ['Mars/Olympus', 'europe/berlin', '+01:00', 'Europe/', 'Europe Berlin', '../etc', '"UTC"']) {
    t.match(await person.patch(path, { timezone }), { status: 400, body: { code: 'BAD_REQUEST' } }, timezone)
  }
})

t.test('one says in secret whether exports may hold private data; administrators know', async t => {
  const server = await startServer(t)
  const people = [await server.person(), await server.person({ role: 200 }), await server.person({ role: 300 })]
  const [own, admin, moderator] = (await Promise.all(people.map(one => Listener.start(server.ctx, one)))) as [
    Listener,
    Listener,
    Listener,
  ]
  await own.person.ok('PATCH', path, { allow_private_data_export: true })
  t.match(await own.inStep(t), [{ type: 'user_settings', property: 'allow_private_data_export', value: true }])
  t.match(await admin.inStep(t), [{ type: 'realm_export_consent', user_id: own.person.id, consented: true }])
  t.same(await moderator.inStep(t), [])
})

t.test('clients without null support get an event for every channel that follows the changed setting', async t => {
  const server = await startServer(t)
  const person = await server.person()
  const subscriptions = ['one', 'two', 'own'].map(name => ({ name }))
  await person.ok('POST', '/users/me/subscriptions', { subscriptions })
  const streams = (await person.ok('GET', '/users/me/subscriptions')).subscriptions
  const id = (name: string) => streams.find((one: { name: string }) => one.name === name).stream_id
  const data = [{ stream_id: id('own'), property: 'desktop_notifications', value: false }]
  await person.ok('POST', '/users/me/subscriptions/properties', { subscription_data: data })
  await person.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['two'] })
  const plain = await Listener.start(server.ctx, person, { client_capabilities: {} })
  const modern = await Listener.start(server.ctx, person)
  await person.ok('PATCH', path, { enable_stream_desktop_notifications: true, wildcard_mentions_notify: false })
  const told = (await plain.inStep(t)).filter(event => event.type === 'subscription')
  const inherited = (stream_id: number, property: string, value: boolean) => ({
    stream_id,
    property,
    value,
    op: 'update',
  })
  t.match(told, [
    inherited(id('one'), 'desktop_notifications', true),
    inherited(id('two'), 'desktop_notifications', true),
  ])
  t.equal(told.length, 2, 'wildcard_mentions_notify stays null')
  t.ok((await modern.inStep(t)).every(event => event.type === 'user_settings'))
})

t.test('bots have no settings; older names of the operation do the same', async t => {
  const server = await startServer(t)
  const [person, bot] = [await server.person(), await server.person({ bot_type: 1 })]
  let enter_sends = false
  for (const place of ['/settings', '/settings/display', '/settings/notifications']) {
    enter_sends = !enter_sends
    t.match(await bot.patch(place, { enter_sends }), { status: 400, body: { code: 'BAD_REQUEST' } })
    t.match(await server.api(null).patch(place, { enter_sends }), { status: 401, body: { code: 'UNAUTHORIZED' } })
    const answer = await person.ok('PATCH', place, { enter_sends, dense_mode: true, left: 1 })
    t.same(answer.ignored_parameters_unsupported, ['dense_mode', 'left'])
    t.equal((await person.ok('POST', '/register', fetched)).user_settings.enter_sends, enter_sends)
  }
})

t.test('concurrent changes lose nothing, and another worker uses them before its next request', async t => {
  const server = await startServer(t)
  const other = await startServer(t, {}, server.organization)
  const person = await server.person()
  const elsewhere = other.api(person)
  await elsewhere.ok('GET', '/users/me')
  const names = ['enter_sends', 'high_contrast_mode', 'fluid_layout_width', 'left_side_userlist', 'hide_ai_features']
  await Promise.all(
    names.map((name, i) => (i % 2 ? elsewhere : person).ok('PATCH', path, { [name]: true, timezone: 'UTC' })),
  )
  const { user_settings } = await person.ok('POST', '/register', fetched)
  for (const name of names) t.equal(user_settings[name], true, name)
  await person.ok('PATCH', path, { color_scheme: 2 })
  await until(() => other.ctx.directory.users.get(person.id)?.settings.color_scheme === 2)
})

t.test('the new name reaches those who may see the user; an invalid one is refused', async t => {
  const server = await startServer(t)
  const [person, other, admin] = [await server.person(), await server.person(), await server.person({ role: 200 })]
  const listener = await Listener.start(server.ctx, other)
  await person.ok('PATCH', path, { full_name: '  Ann  Example ' })
  const told = { type: 'realm_user', op: 'update', person: { user_id: person.id, full_name: 'Ann Example' } }
  t.match(await listener.inStep(t), [told])
  await person.ok('PATCH', path, { full_name: '12' })
  t.equal((await person.ok('GET', '/users/me')).full_name, '12', 'text that looks like a number is text')
  for (const full_name of ['', ' x ', 'a'.repeat(101), 'a*b', '@a', 'a\nb', '`ab`']) {
    t.match(await person.patch(path, { full_name }), { status: 400, body: { code: 'BAD_REQUEST' } }, full_name)
  }
  await person.ok('PATCH', path, { full_name: '🔑'.repeat(100) })
  await setOrganization(server.sql, { require_unique_names: true })
  const taken = await person.patch(path, { full_name: other.full_name.toUpperCase() })
  t.match(taken, { status: 400, body: { code: 'BAD_REQUEST' } })
  await person.ok('PATCH', path, { full_name: 'Only one' })
  await person.ok('PATCH', path, { full_name: 'only ONE' })
  const race = await Promise.all([person, other].map(one => one.patch(path, { full_name: 'The same' })))
  t.same(race.map(answer => answer.status).sort(), [200, 400])
  await setOrganization(server.sql, { name_changes_disabled: true })
  await person.ok('PATCH', path, { full_name: 'Passed over', enter_sends: true })
  t.not((await person.ok('GET', '/users/me')).full_name, 'Passed over')
  t.ok((await person.ok('POST', '/register', fetched)).user_settings.enter_sends)
  await admin.ok('PATCH', path, { full_name: 'Anything' })
  t.equal((await admin.ok('GET', '/users/me')).full_name, 'Anything', 'administrators may')
})
