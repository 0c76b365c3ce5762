import t from 'tap'
import { limitGuests, setColumns, setOrganization } from '../../support/organization.js'
import { startServer } from '../../support/server.js'
import { checkRegister } from '../../support/wire-schemas.js'
import { createChannel } from '../users/scene.js'

type Loose = Record<string, unknown>

t.test('each user gets a complete state', async t => {
  const server = await startServer(t)
  const people = [
    await server.person({ role: 100 }),
    await server.person({ email_address_visibility: 4 }),
    await server.person({ role: 600 }),
    await server.person({ bot_type: 1 }),
  ]
  await server.person({ is_active: false })
  await createChannel(
    server.sql,
    'general',
    people.map(person => person.id),
  )
  for (const person of people) {
    const state = await person.ok('POST', '/register')
    t.same(checkRegister(state, null), [])
    t.type(state.queue_id, 'string')
    t.match(state, {
      last_event_id: -1,
      idle_queue_timeout_secs: 600,
      service_feature_level: 500,
      user_id: person.id,
      delivery_email: person.email,
      realm_uuid: /-/,
    })
    t.equal(state.realm_users.length, 4)
    t.equal(state.realm_non_active_users.length, 1)
    t.equal(state.realm_user_groups.length, 8)
    t.notOk('ignored_parameters_unsupported' in state)
  }
})

t.test('what has no effect is announced as off', async t => {
  const server = await startServer(t)
  const person = await server.person({ role: 100 })
  t.match(await person.ok('POST', '/register'), {
    max_file_upload_size_mib: 100,
    realm_inline_url_embed_preview: false,
    realm_disallow_disposable_email_addresses: false,
    realm_enable_read_receipts: false,
    realm_message_retention_days: -1,
    realm_push_notifications_enabled: false,
    realm_jitsi_server_url: null,
    server_jitsi_server_url: null,
  })
  t.notOk('jitsi_server_url' in (await person.ok('POST', '/register')), 'a string or absent')
})

t.test('the brand names what carries it', async t => {
  const server = await startServer(t, { WIRE_BRAND: 'acme' })
  const person = await server.person()
  const state = await person.ok('POST', '/register')
  t.same(checkRegister(state, null, 'acme'), [])
  t.match(state, { acme_feature_level: 500, acme_plan_is_not_limited: true })
  t.match(state, { realm_acme_update_announcements_stream_id: -1, user_settings: { notification_sound: 'acme' } })
  t.notMatch(Object.keys(state).join(), 'service')
})

t.test('the state contains only the requested types; unknown types are ignored', async t => {
  const server = await startServer(t)
  const person = await server.person()
  const asked = async (params: Loose) => {
    const { result, msg, queue_id, last_event_id, idle_queue_timeout_secs, ...state } = await person.ok(
      'POST',
      '/register',
      params,
    )
    return Object.keys(state).filter(name => !name.startsWith('service_'))
  }
  t.same(await asked({ fetch_event_types: [] }), [])
  t.same(await asked({ event_types: [] }), [], 'fetch_event_types is as event_types')
  t.same(await asked({ event_types: ['alert_words', 'no_such_type'] }), ['alert_words'])
  t.same(await asked({ event_types: ['message'], fetch_event_types: ['realm_domains'] }), ['realm_domains'])
  t.same(await asked({ fetch_event_types: ['muted_topics', 'user_topic'] }), ['user_topics'])
  t.same(await asked({ fetch_event_types: ['muted_topics'] }), ['muted_topics'])
  t.same(await asked({ fetch_event_types: ['update_message_flags'] }), [], 'unread_msgs need message too')
  t.ok((await asked({ fetch_event_types: ['update_message_flags', 'message'] })).includes('unread_msgs'))
  const all = await asked({})
  t.ok(all.includes('muted_topics') && all.includes('user_topics'))
  for (const nothing of ['null', undefined]) {
    const wide = await asked({ event_types: nothing, fetch_event_types: nothing, narrow: nothing })
    t.equal(wide.length, all.length)
  }
})

t.test('a queue lives as long as its client asks, up to a week', async t => {
  const server = await startServer(t, { QUEUE_IDLE_SECONDS: '300' })
  const person = await server.person()
  const seconds = async (idle_queue_timeout: unknown) =>
    (await person.ok('POST', '/register', { event_types: [], idle_queue_timeout })).idle_queue_timeout_secs
  t.equal(await seconds(undefined), 300)
  t.equal(await seconds(0), 300)
  t.equal(await seconds(1234), 1234)
  t.equal(await seconds(10_000_000), 604_800)
  t.equal(await seconds('mobile'), 43_200)
  t.equal(await seconds('"mobile"'), 43_200)
})

t.test('what cannot be understood is refused, and no queue stays', async t => {
  const server = await startServer(t)
  const person = await server.person()
  const guest = await server.person({ role: 600 })
  const refused: Loose[] = [
    { apply_markdown: 'yes' },
    { client_gravatar: 1 },
    { include_subscribers: 'some' },
    { presence_history_limit_days: -1 },
    { event_types: 'message' },
    { event_types: [1] },
    { fetch_event_types: { a: 1 } },
    { narrow: ['is'] },
    { narrow: [['is']] },
    { narrow: [['is', 'dm', 'x']] },
    { narrow: [{ operator: 'stream', operand: 5 }] },
    { narrow: [['topic', 'x'.repeat(1001)]] },
    { client_capabilities: [] },
    { client_capabilities: { empty_topic_name: 'yes' } },
    { idle_queue_timeout: 'desktop' },
    { idle_queue_timeout: -5 },
    { all_public_streams: 'all' },
  ]
  for (const params of refused) {
    const answer = await person.post('/register', params)
    t.match(answer, { status: 400, body: { code: 'BAD_REQUEST' } }, JSON.stringify(params))
  }
  t.match((await guest.post('/register', { all_public_streams: true })).body, { code: 'BAD_REQUEST' })
  for (const narrow of [[['is', 'followed']], [['near', '5']], Array(51).fill(['is', 'dm'])]) {
    t.match((await person.post('/register', { narrow })).body, { code: 'BAD_NARROW', desc: String })
  }
  t.equal((await server.api({ email: person.email, api_key: 'x'.repeat(32) }).post('/register')).status, 401)
  t.equal(server.ctx.realtime.stats().queues, 0)
})

t.test('what a queue keeps is bounded: of its types those that there are, of its narrow a few terms', async t => {
  const server = await startServer(t)
  const person = await server.person()
  const kept: unknown[] = []
  const { realtime } = server.ctx
  const registerQueue = realtime.register.bind(realtime)
  realtime.register = (options, read) => {
    kept.push(options.eventTypes, options.narrow?.is?.length)
    return registerQueue(options, read)
  }
  const event_types = ['user_group', ...Array.from({ length: 150 }, (_, i) => `none${i}`), 'message', 'message']
  const narrow = Array(50).fill(['is', 'dm'])
  const { queue_id } = await person.ok('POST', '/register', { event_types, narrow, fetch_event_types: [] })
  t.same(kept, [['user_group', 'message'], 50])
  await person.ok('DELETE', '/events', { queue_id })
})

t.test('a state that cannot be read leaves no queue', async t => {
  const server = await startServer(t, { LOG_LEVEL: 'silent' })
  const person = await server.person()
  await person.ok('GET', '/users/me')
  const { directory } = server.ctx
  directory.fresh = async () => {
    throw new Error('the database is away')
  }
  t.equal((await person.post('/register')).status, 500)
  t.equal(server.ctx.realtime.stats().queues, 0)
})

t.test('spectators are let in where the organization is open, with what is theirs to see', async t => {
  const server = await startServer(t)
  await server.person({ email_address_visibility: 2 })
  const spectator = server.api(null)
  t.match(await spectator.post('/register'), { status: 401, body: { code: 'UNAUTHORIZED' } })
  await setOrganization(server.sql, { enable_spectator_access: true })
  const state = await spectator.ok('POST', '/register')
  t.same(checkRegister(state, null), [])
  t.match(state, { queue_id: null, last_event_id: -1, realm_presence_disabled: true, presences: {}, is_admin: false })
  t.notOk('presence_last_update_id' in state)
  t.same(
    state.realm_users.map((user: Loose) => user.delivery_email),
    [null],
  )
  t.equal(state.realm_users[0].avatar_url.endsWith('&v=1'), true, 'spectators compute no pictures')
  for (const params of [{ client_gravatar: true }, { include_subscribers: true }, { include_subscribers: 'partial' }]) {
    t.match((await spectator.post('/register', params)).body, { code: 'BAD_REQUEST' })
  }
  t.equal((await spectator.post('/register', { client_gravatar: false, include_subscribers: 'false' })).status, 200)
  t.equal(server.ctx.realtime.stats().queues, 0)
})

t.test('users who are hidden from a guest are placeholders, or left out', async t => {
  const server = await startServer(t)
  await limitGuests(server.sql)
  const guest = await server.person({ role: 600 })
  const [peer, stranger] = [await server.person(), await server.person()]
  await createChannel(server.sql, 'shared', [guest.id, peer.id])
  const full = await guest.ok('POST', '/register')
  t.same(checkRegister(full, null), [])
  const placeholder = full.realm_users.find((user: Loose) => user.user_id === stranger.id)
  t.match(placeholder, { full_name: 'Unknown user', email: `user${stranger.id}@127.0.0.1`, delivery_email: null })
  t.notMatch(JSON.stringify(full), stranger.email)
  const short = await guest.ok('POST', '/register', { client_capabilities: { user_list_incomplete: true } })
  t.same(
    short.realm_users.map((user: Loose) => user.user_id),
    [guest.id, peer.id],
  )
})

t.test('settings show what differs from the defaults', async t => {
  const server = await startServer(t)
  const person = await server.person({ settings: { enter_sends: true }, email_address_visibility: 3 })
  await setOrganization(server.sql, { waiting_period_threshold: 3, can_create_groups: 4 })
  await setColumns(server.sql, { user_settings_defaults: { color_scheme: 2 } })
  const state = await person.ok('POST', '/register')
  t.match(state.user_settings, { enter_sends: true, email_address_visibility: 3, color_scheme: 1, timezone: '' })
  t.match(state.realm_user_settings_defaults, { enter_sends: false, color_scheme: 2 })
  t.match(state, { realm_waiting_period_threshold: 3, realm_can_create_groups: 4 })
  const groups = Object.fromEntries(state.realm_user_groups.map((group: Loose) => [group.name, group.members]))
  t.same(groups['role:members'], [person.id], 'a new account is no full member yet')
  t.same(groups['role:fullmembers'], [])
  t.equal(state.can_invite_others_to_realm, true)
})

t.test('presences come in the form that the client reads', async t => {
  const server = await startServer(t)
  const [person, other] = [await server.person(), await server.person()]
  await other.ok('POST', '/users/me/presence', { status: 'active' })
  const asked = (params: Loose) => person.ok('POST', '/register', { fetch_event_types: ['presence'], ...params })
  const legacy = await asked({})
  t.same(checkRegister(legacy, ['presence']), [])
  t.same(Object.keys(legacy.presences), [other.email])
  for (const params of [{ slim_presence: true }, { client_capabilities: { simplified_presence_events: true } }]) {
    t.same(Object.keys((await asked(params)).presences), [String(other.id)])
  }
  t.same((await asked({ presence_history_limit_days: 0 })).presences, {})
  const since = legacy.presence_last_update_id
  const polled = await person.ok('POST', '/users/me/presence', { status: 'active', last_update_id: since })
  t.same(Object.keys(polled.presences), [String(person.id)], 'polling goes on from there')
})
