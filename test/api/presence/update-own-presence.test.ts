import t from 'tap'
import { limitGuests, setOrganization, setUser } from '../../support/organization.js'
import { statementsOf } from '../../support/queries.js'
import { startServer } from '../../support/server.js'
import { checkEvent, checkObject } from '../../support/wire-schemas.js'
import { Time, Watcher } from './scene.js'

t.test('a client that passes last_update_id learns what changed since', async t => {
  const server = await startServer(t)
  const time = new Time(server.ctx)
  const [reader, other] = [await server.person(), await server.person()]
  const report = (person: typeof reader, params = {}) =>
    person.ok('POST', '/users/me/presence', { status: 'active', last_update_id: -1, ...params })

  const first = await report(reader)
  t.same(Object.keys(first.presences), [String(reader.id)], 'its own is there too')
  t.same(checkObject('presence_modern_map', first.presences), [])
  t.type(first.server_timestamp, 'number')
  const since = first.presence_last_update_id
  t.ok(since > 0)

  const nothing = await report(reader, { last_update_id: since })
  t.same(nothing.presences, {}, 'again within a minute is no news')
  t.equal(nothing.presence_last_update_id, since)

  await report(other, { status: 'idle', new_user_input: true })
  const news = await report(reader, { last_update_id: since })
  t.same(Object.keys(news.presences), [String(other.id)])
  t.ok(news.presence_last_update_id > since)
  const { active_timestamp, idle_timestamp } = news.presences[other.id]
  t.ok(active_timestamp <= idle_timestamp, 'who was never active was so on joining')

  time.pass(61)
  const later = await report(reader, { last_update_id: news.presence_last_update_id })
  t.same(Object.keys(later.presences), [String(reader.id)], 'after a minute a report counts again')
  t.ok(later.presences[reader.id].active_timestamp >= first.presences[reader.id].active_timestamp + 60)

  time.pass(61)
  await report(reader, { status: 'idle' })
  const own = (await report(reader)).presences[reader.id]
  t.ok(own.idle_timestamp >= own.active_timestamp, 'idle moves the connection alone')
})

t.test('without last_update_id the form is the legacy one, unless slim_presence is true', async t => {
  const server = await startServer(t)
  const time = new Time(server.ctx)
  const [reader, other] = [await server.person(), await server.person({ email_address_visibility: 3 })]
  await other.ok('POST', '/users/me/presence', { status: 'active', ping_only: true })
  const legacy = await reader.ok('POST', '/users/me/presence', { status: 'idle' })
  t.same(checkObject('presence_legacy_map', legacy.presences), [])
  t.same(Object.keys(legacy.presences).sort(), [reader.email, `user${other.id}@127.0.0.1`].sort(), 'by API email')
  t.equal(legacy.presences[`user${other.id}@127.0.0.1`].aggregated.status, 'active')
  t.equal(legacy.presences[reader.email].aggregated.status, 'idle')
  const slim = await reader.ok('POST', '/users/me/presence', { status: 'idle', slim_presence: true })
  t.same(checkObject('presence_modern_map', slim.presences), [])
  time.pass(61)
  await other.ok('POST', '/users/me/presence', { status: 'idle' })
  time.pass(61)
  await other.ok('POST', '/users/me/presence', { status: 'idle' })
  const idle = await reader.ok('POST', '/users/me/presence', { status: 'idle' })
  t.equal(idle.presences[`user${other.id}@127.0.0.1`].website.status, 'idle', 'active is more than 70 seconds ago')
})

t.test('ping_only says it and returns nothing', async t => {
  const server = await startServer(t)
  const [reader, other] = [await server.person(), await server.person()]
  const ping = { status: 'active', ping_only: true }
  const { result, msg, ...rest } = await other.ok('POST', '/users/me/presence', ping)
  t.same(rest, { presence_last_update_id: -1 })
  const known = await other.ok('POST', '/users/me/presence', { ...ping, last_update_id: 5 })
  t.equal(known.presence_last_update_id, 5, 'what was not returned stays to be asked for')
  const { presences } = await reader.ok('POST', '/users/me/presence', { status: 'idle', last_update_id: -1 })
  t.ok(presences[other.id])
})

t.test('history_limit_days limits everything, not what is new', async t => {
  const server = await startServer(t)
  const time = new Time(server.ctx)
  const [reader, other] = [await server.person(), await server.person()]
  await other.ok('POST', '/users/me/presence', { status: 'active', ping_only: true })
  time.pass(15 * 86_400)
  const asked = async (params: Record<string, unknown>) => {
    const { presences } = await reader.ok('POST', '/users/me/presence', { status: 'idle', ...params })
    return String(other.id) in presences
  }
  t.notOk(await asked({ last_update_id: -1 }), 'two weeks unless it is said')
  t.ok(await asked({ last_update_id: -1, history_limit_days: 20 }))
  t.ok(await asked({ last_update_id: 1, history_limit_days: 1 }))
})

t.test('who keeps its presence to itself is not shown, and still sees the others', async t => {
  const server = await startServer(t)
  const shy = await server.person({ settings: { presence_enabled: false } })
  const open = await server.person()
  await open.ok('POST', '/users/me/presence', { status: 'active', ping_only: true })
  const mine = await shy.ok('POST', '/users/me/presence', { status: 'active', last_update_id: -1 })
  t.same(Object.keys(mine.presences), [String(open.id)])
  const theirs = await open.ok('POST', '/users/me/presence', { status: 'active', last_update_id: -1 })
  t.same(Object.keys(theirs.presences), [String(open.id)])
  const { presence } = await open.ok('GET', `/users/${shy.id}/presence`)
  t.match(presence, { aggregated: { status: 'offline' }, website: { status: 'idle' } })
  t.ok(presence.website.timestamp < server.ctx.clock.now() / 1000 - 200, 'offline, whatever was reported')
  await setUser(server.sql, open.id, { settings: { presence_enabled: false } })
  const after = await shy.ok('POST', '/users/me/presence', { status: 'active', last_update_id: -1 })
  t.same(after.presences, {}, 'what was stored before is kept back too')
  t.equal(after.presence_last_update_id, -1)
})

t.test('who stops or begins to share its presence is gone or there at once', async t => {
  const server = await startServer(t)
  const time = new Time(server.ctx)
  const [reader, other] = [await server.person(), await server.person()]
  const watchers = await Promise.all(
    [{}, { simplified_presence_events: true }].map(client_capabilities =>
      Watcher.start(server.ctx, reader, { client_capabilities }),
    ),
  )
  const told = () => Promise.all(watchers.map(watcher => watcher.events()))
  const share = (presence_enabled: boolean) => other.ok('PATCH', '/settings', { presence_enabled })
  await share(false)
  for (const [event] of await told())
    t.same(checkEvent(event), [], 'each change is an event, also of who was never seen')
  await share(true)
  const asked = { status: 'active', last_update_id: -1 }
  const first = await reader.ok('POST', '/users/me/presence', asked)
  t.ok(first.presences[other.id], 'who shares it again is there')
  await told()

  time.pass(30)
  await share(false)
  const gone = await told()
  for (const events of gone) for (const event of events) t.same(checkEvent(event), [])
  const timestamp = gone[0]?.[0]?.presence.website.timestamp
  t.match(gone[0], [{ user_id: other.id, email: other.email, presence: { website: { status: 'idle' } } }])
  t.ok(timestamp < server.ctx.clock.now() / 1000 - 200, 'clients take it for away')
  t.match(gone[1], [{ presences: { [other.id]: { idle_timestamp: timestamp } } }])
  const since = { status: 'active', last_update_id: first.presence_last_update_id }
  await other.ok('POST', '/users/me/presence', { status: 'active' })
  t.same((await reader.ok('POST', '/users/me/presence', since)).presences, {}, 'nothing more is told of it')
  t.notOk((await reader.ok('POST', '/users/me/presence', asked)).presences[other.id])
  const { presence } = await reader.ok('GET', `/users/${other.id}/presence`)
  t.match(presence, { aggregated: { status: 'offline' }, website: { status: 'idle' } })
  t.ok(presence.website.timestamp < server.ctx.clock.now() / 1000 - 200, 'as the event said')

  await share(true)
  t.match((await told())[0], [{ user_id: other.id, presence: { website: { status: 'active' } } }])
  const news = await reader.ok('POST', '/users/me/presence', since)
  t.ok(news.presences[other.id].active_timestamp >= timestamp + 200)
})

t.test('an organization without presence has none', async t => {
  const server = await startServer(t)
  const [reader, other] = [await server.person(), await server.person()]
  const watcher = await Watcher.start(server.ctx, other)
  await other.ok('POST', '/users/me/presence', { status: 'active', ping_only: true })
  // An event arrives after its answer: wait for it before expecting none.
  t.equal((await watcher.events()).length, 1)
  await setOrganization(server.sql, { presence_disabled: true })
  const { presences } = await reader.ok('POST', '/users/me/presence', { status: 'active', last_update_id: -1 })
  t.same(presences, {})
  t.same(await watcher.events(), [])
})

t.test('other users are notified once when a user comes back, in the form that their clients requested', async t => {
  const server = await startServer(t)
  const time = new Time(server.ctx)
  const [reader, other] = [await server.person(), await server.person()]
  const legacy = await Watcher.start(server.ctx, reader)
  const slim = await Watcher.start(server.ctx, reader, { slim_presence: true })
  const simple = await Watcher.start(server.ctx, reader, {
    client_capabilities: { simplified_presence_events: true },
  })
  const all = [legacy, slim, simple]
  const told = async () => Promise.all(all.map(async watcher => (await watcher.events()).length))
  const report = (status: string) => other.ok('POST', '/users/me/presence', { status })
  await report('active')
  const forms = await Promise.all(all.map(watcher => watcher.events()))
  for (const events of forms) {
    t.equal(events.length, 1)
    t.same(checkEvent(events[0]), [])
  }
  t.match(forms[0]?.[0], { user_id: other.id, email: other.email, presence: { website: { status: 'active' } } })
  t.notOk('email' in (forms[1]?.[0] ?? {}))
  t.match(forms[2]?.[0], { presences: { [other.id]: { active_timestamp: Number } } })

  time.pass(61)
  await report('active')
  await report('idle')
  time.pass(150)
  await report('idle')
  t.same(await told(), [0, 0, 0], 'staying is learnt by polling')
  time.pass(201)
  await report('idle')
  t.same(await told(), [1, 1, 1], 'after 200 seconds it had been away')
})

t.test('presence makes no events in an organization of more than a hundred users', async t => {
  const server = await startServer(t)
  const [reader, other] = [await server.person(), await server.person()]
  const watcher = await Watcher.start(server.ctx, reader)
  for (let i = 0; i < 99; i++) await server.person()
  await other.ok('POST', '/users/me/presence', { status: 'active' })
  t.same(await watcher.events(), [])

  await limitGuests(server.sql)
  await server.person({ role: 600 })
  await reader.ok('GET', '/users/me')
  const report = () => reader.ok('POST', '/users/me/presence', { status: 'active', ping_only: true })
  const statements = await statementsOf(server, report)
  t.notOk(
    statements.some(text => /conversations/.test(text)),
    'nor are the guests looked for who could be',
  )
})

t.test('a guest with a limited view of users sees the presence of users that it may see', async t => {
  const server = await startServer(t)
  await limitGuests(server.sql)
  const guest = await server.person({ role: 600 })
  const stranger = await server.person()
  const watcher = await Watcher.start(server.ctx, guest)
  await stranger.ok('POST', '/users/me/presence', { status: 'active' })
  const { presences } = await guest.ok('POST', '/users/me/presence', { status: 'active', last_update_id: -1 })
  t.same(Object.keys(presences), [String(guest.id)])
  t.same(
    (await watcher.events()).map(event => event.user_id),
    [guest.id],
  )
  t.same(Object.keys((await guest.ok('GET', '/realm/presence')).presences), [guest.email])
  const hidden = await guest.get(`/users/${stranger.id}/presence`)
  t.equal(hidden.body.code, 'BAD_REQUEST')
  t.same(hidden.body, (await guest.get('/users/99999/presence')).body)
})

t.test('what is no report is refused', async t => {
  const server = await startServer(t)
  const person = await server.person()
  const bot = await server.person({ bot_type: 1 })
  const refused = async (params: Record<string, unknown>) => (await person.post('/users/me/presence', params)).body.code
  t.equal((await bot.post('/users/me/presence', { status: 'active' })).body.code, 'BAD_REQUEST')
  t.equal((await server.api(null).post('/users/me/presence', { status: 'active' })).body.code, 'UNAUTHORIZED')
  const missing = await person.post('/users/me/presence')
  t.match(missing.body, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'status' })
  t.equal(await refused({ status: 'offline' }), 'BAD_REQUEST')
  t.equal(await refused({ status: 'active', last_update_id: -2 }), 'BAD_REQUEST')
  t.equal(await refused({ status: 'active', last_update_id: 'x' }), 'BAD_REQUEST')
  t.equal(await refused({ status: 'active', history_limit_days: -1 }), 'BAD_REQUEST')
  t.equal(await refused({ status: 'active', ping_only: 'maybe' }), 'BAD_REQUEST')
  const quoted = await person.ok('POST', '/users/me/presence', { status: '"idle"', what: 1 })
  t.same(quoted.ignored_parameters_unsupported, ['what'])
})
