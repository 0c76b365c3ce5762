import t from 'tap'
import { sendFiles } from '../../support/files.js'
import { Listener, type Loose } from '../../support/in-step.js'
import { setOrganization, setUser } from '../../support/organization.js'
import { startServer } from '../../support/server.js'
import { checkObject } from '../../support/wire-schemas.js'
import { canvas } from '../emoji/scene.js'

const server = await startServer(t)
const orgOwner = await server.person({ role: 100 })
const admin = await server.person({ role: 200 })
const anna = await server.person()
const ben = await server.person()
const guest = await server.person({ role: 600 })

let made = 0
const names = () => ({ full_name: `Robot number ${++made}`, short_name: `robot${made}` })
const create = (params: Loose = {}, who = anna) => who.ok('POST', '/bots', { ...names(), ...params })
const records = async (who: typeof anna): Promise<Loose[]> =>
  (await who.ok('POST', '/register', { fetch_event_types: ['realm_bot'] })).realm_bots
const recordOf = async (id: number, who = anna): Promise<Loose> =>
  (await records(who)).find(bot => bot.user_id === id) ?? {}

const withPicture = async (method: 'POST' | 'PATCH', path: string, fields: Record<string, string>) => {
  const bytes = new Uint8Array(await canvas(20, 20).png().toBuffer())
  return sendFiles(server.url, anna, path, { files: [{ name: 'face.png', bytes }], fields, method })
}

t.test('a person makes a bot, which works with its key at once and is in no channel', async t => {
  await anna.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'engine room' }] })
  const ears = await Promise.all([admin, anna, ben].map(one => Listener.start(server.ctx, one)))
  const given = names()
  const {
    user_id,
    api_key,
    result: _,
    msg: __,
    ...rest
  } = await anna.ok('POST', '/bots', {
    ...given,
    default_sending_stream: 'engine room',
    default_events_register_stream: 'Engine Room',
    default_all_public_streams: true,
  })
  t.match(api_key, /^[A-Za-z0-9]{32}$/)
  t.match(rest.avatar_url, /^https?:/)
  t.match(rest, {
    default_sending_stream: 'engine room',
    default_events_register_stream: 'engine room',
    default_all_public_streams: true,
  })
  for (const ear of ears) await ear.inStep(t)
  const [, , others] = ears
  t.same(others?.state.realm_bots, [], 'others may not configure it')
  const record = await recordOf(user_id)
  t.same(checkObject('realm_bot', record), [])
  t.match(record, { bot_type: 1, owner_id: anna.id, is_active: true, services: [], full_name: given.full_name })
  t.match(record.email, new RegExp(`^${given.short_name}-bot@`))
  const bot = server.api({ email: record.email, api_key })
  t.equal((await bot.ok('GET', '/users/me')).user_id, user_id)
  t.same((await bot.ok('GET', '/users/me/subscriptions')).subscriptions, [])
  const [listed] = (await anna.ok('GET', '/bots')).bots.filter((one: Loose) => one.user_id === user_id)
  t.match(listed, { username: record.email, full_name: given.full_name, api_key, ...rest })
  t.notOk((await ben.ok('GET', '/bots')).bots.some((one: Loose) => one.user_id === user_id))
})

t.test('an outgoing webhook has a service with a secret, which a new address and a new key leave as it is', async t => {
  const { user_id } = await create({
    bot_type: 3,
    payload_url: '"https://bots.example/hook"',
    interface_type: 2,
  })
  const { services } = await recordOf(user_id)
  t.match(services, [{ base_url: 'https://bots.example/hook', interface: 2, token: /^[A-Za-z0-9]{32}$/ }])
  const ear = await Listener.start(server.ctx, anna)
  const changed = await anna.ok('PATCH', `/bots/${user_id}`, {
    service_payload_url: 'https://bots.example/other',
    service_interface: 1,
  })
  t.match(changed, { service_interface: 1, service_payload_url: 'https://bots.example/other', config_data: null })
  await ear.inStep(t)
  await anna.ok('POST', `/bots/${user_id}/api_key/regenerate`)
  t.same((await recordOf(user_id)).services, [
    { base_url: 'https://bots.example/other', interface: 1, token: services[0].token },
  ])
  t.match((await recordOf((await create({ bot_type: 3 })).user_id)).services, [{ base_url: '', interface: 1 }])
})

t.test('a bot has the picture of the form', async t => {
  const given = names()
  const { status, body } = await withPicture('POST', '/bots', given)
  t.equal(status, 200)
  t.match(body.avatar_url, /user_avatars/)
  const before = body.avatar_url
  const ear = await Listener.start(server.ctx, ben)
  const changed = await withPicture('PATCH', `/bots/${body.user_id}`, {})
  t.match(changed, { status: 200, body: { full_name: given.full_name, avatar_url: /user_avatars/ } })
  t.not(changed.body.avatar_url, before)
  await ear.inStep(t)
  const broken = names()
  const files = [{ name: 'face.png', bytes: 'no picture' }]
  const refused = await sendFiles(server.url, anna, '/bots', { files, fields: broken })
  t.match(refused, { status: 400, body: { code: 'BAD_IMAGE' } })
  const [row] = await server.sql`select 1 from users where delivery_email like ${`${broken.short_name}-bot@%`}`
  t.equal(row, undefined, 'nothing half-done')
})

t.test('who may make which bot', async t => {
  const bot = await server.person({ bot_type: 1, bot_owner_id: anna.id })
  for (const who of [guest, bot])
    for (const [method, path] of [
      ['GET', '/bots'],
      ['POST', '/bots'],
      ['PATCH', '/bots/1'],
      ['DELETE', '/bots/1'],
      ['GET', '/bots/1/api_key'],
      ['POST', '/bots/1/api_key/regenerate'],
    ] as const) {
      const params = path === '/bots' && method === 'POST' ? names() : {}
      t.match(await who.call(method, path, params), { status: 400, body: { code: 'BAD_REQUEST' } }, `${method} ${path}`)
    }
  const nobody = { direct_members: [], direct_subgroups: [] }
  const onlyBen = { direct_members: [ben.id], direct_subgroups: [] }
  await orgOwner.ok('PATCH', '/realm', { can_create_bots_group: { new: nobody } })
  await orgOwner.ok('PATCH', '/realm', { can_create_write_only_bots_group: { new: onlyBen } })
  t.match(await ben.call('POST', '/bots', { ...names(), bot_type: 1 }), { status: 400, body: { code: 'BAD_REQUEST' } })
  t.match(await ben.call('POST', '/bots', { ...names(), bot_type: 3 }), { status: 400, body: { code: 'BAD_REQUEST' } })
  t.match(await anna.call('POST', '/bots', { ...names(), bot_type: 2 }), { status: 400, body: { code: 'BAD_REQUEST' } })
  t.ok(await create({ bot_type: 2 }, ben))
  await setOrganization(server.sql, { can_create_bots_group: null, can_create_write_only_bots_group: null })
  t.ok(await create({ bot_type: 3 }))
})

t.test('what is refused makes no bot', async t => {
  const secret = 'secret room'
  await ben.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: secret }], invite_only: true })
  const { email: taken } = await recordOf((await create()).user_id)
  const [before] = await server.sql`select count(*) from users`
  const refused: Loose[] = [
    { full_name: '' },
    { full_name: 'x'.repeat(101) },
    { full_name: 'a@b' },
    { full_name: ben.full_name },
    { full_name: admin.full_name },
    { short_name: '' },
    { short_name: ' ' },
    { short_name: 'x'.repeat(65) },
    { short_name: 'a b' },
    { short_name: 'a@b' },
    { short_name: "o'neill" },
    { short_name: taken.replace(/-bot@.*/, '').toUpperCase() },
    { bot_type: 0 },
    { bot_type: 4 },
    { bot_type: 5 },
    { bot_type: 'generic' },
    { bot_type: 3, payload_url: 'bots.example' },
    { bot_type: 3, payload_url: 'ftp://bots.example/' },
    { bot_type: 3, payload_url: 'javascript:alert(1)' },
    { bot_type: 3, payload_url: `https://bots.example/${'x'.repeat(2000)}` },
    { bot_type: 1, payload_url: 'https://bots.example/' },
    { bot_type: 3, interface_type: 0 },
    { bot_type: 3, interface_type: 3 },
    { default_sending_stream: 'no such channel' },
    { default_sending_stream: secret },
    { default_events_register_stream: 'no such channel' },
    { default_events_register_stream: secret },
    { default_all_public_streams: 'perhaps' },
  ]
  for (const params of refused)
    t.match(
      await anna.call('POST', '/bots', { ...names(), ...params }),
      { status: 400, body: { code: 'BAD_REQUEST' } },
      JSON.stringify(params).slice(0, 80),
    )
  for (const missing of ['full_name', 'short_name']) {
    const { [missing]: _, ...rest } = names() as Record<string, string>
    t.match(await anna.call('POST', '/bots', rest), { status: 400, body: { code: 'REQUEST_VARIABLE_MISSING' } })
  }
  t.same((await server.sql`select count(*) from users`)[0], before)
})

t.test('its owner and administrators change a bot, and all see it', async t => {
  const { user_id } = await create()
  await anna.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'engine room' }] })
  const ears = await Promise.all([admin, anna, ben].map(one => Listener.start(server.ctx, one)))
  const step = async () => {
    for (const ear of ears) await ear.inStep(t)
  }
  const answer = await anna.ok('PATCH', `/bots/${user_id}`, {
    full_name: 'Quite another name',
    short_name: 'another-one',
    default_sending_stream: 'engine room',
    default_events_register_stream: 'engine room',
    default_all_public_streams: true,
  })
  await step()
  t.match(answer, {
    full_name: 'Quite another name',
    service_interface: 1,
    service_payload_url: null,
    default_sending_stream: 'engine room',
    default_events_register_stream: 'engine room',
    default_all_public_streams: true,
  })
  t.notOk('bot_owner' in answer)
  t.match(await recordOf(user_id), { full_name: 'Quite another name', email: /^another-one-bot@/ })
  const cleared = await admin.ok('PATCH', `/bots/${user_id}`, {
    role: 300,
    default_sending_stream: '',
    default_events_register_stream: '',
  })
  await step()
  t.match(cleared, { default_sending_stream: null, default_events_register_stream: null })
  const given = await anna.ok('PATCH', `/bots/${user_id}`, { bot_owner_id: ben.id })
  await step()
  t.equal(given.bot_owner, ben.email)
  t.same(await recordOf(user_id, anna), {})
  t.match(await recordOf(user_id, ben), { owner_id: ben.id })
  const quiet = await Listener.start(server.ctx, ben)
  await ben.ok('PATCH', `/bots/${user_id}`, { full_name: 'Quite another name', bot_owner_id: ben.id, role: 300 })
  t.same(await quiet.inStep(t), [], 'equal values send nothing')
})

t.test('what a change of a bot refuses, it refuses as a whole', async t => {
  const { user_id } = await create()
  const other = await create({}, ben)
  const before = await recordOf(user_id)
  const away = await server.person()
  await admin.ok('DELETE', `/users/${away.id}`)
  const refused: [typeof anna, Loose, string?][] = [
    [ben, { full_name: 'Mine now' }],
    [anna, { full_name: '' }],
    [anna, { full_name: ben.full_name }],
    [anna, { short_name: '' }],
    [anna, { short_name: 'a b' }],
    [anna, { short_name: `robot${made}` }],
    [anna, { role: 300 }, 'UNAUTHORIZED_PRINCIPAL'],
    [admin, { role: 100 }, 'UNAUTHORIZED_PRINCIPAL'],
    [admin, { role: 5 }],
    [anna, { bot_owner_id: away.id }],
    [anna, { bot_owner_id: other.user_id }],
    [anna, { bot_owner_id: 999_999 }],
    [anna, { bot_owner_id: 'ben' }],
    [anna, { service_payload_url: 'https://bots.example/' }],
    [anna, { service_payload_url: 'nowhere' }],
    [anna, { service_interface: 7 }],
    [anna, { default_sending_stream: 'no such channel' }],
    [anna, { default_events_register_stream: 'no such channel' }],
    [anna, { default_all_public_streams: 'perhaps' }],
  ]
  for (const [who, params, code = 'BAD_REQUEST'] of refused)
    t.match(
      await who.call('PATCH', `/bots/${user_id}`, {
        ...params,
        ...('full_name' in params ? {} : { full_name: 'New name' }),
      }),
      { status: 400, body: { code } },
      JSON.stringify(params),
    )
  for (const id of [anna.id, 999_999])
    t.match(await admin.call('PATCH', `/bots/${id}`, { full_name: 'New name' }), {
      status: 400,
      body: { code: 'BAD_REQUEST' },
    })
  t.same(await recordOf(user_id), before)
})

t.test('the key of a bot: who gets it, and that a new one ends it', async t => {
  const { user_id, api_key } = await create()
  const { email } = await recordOf(user_id)
  for (const who of [anna, admin]) t.same((await who.ok('GET', `/bots/${user_id}/api_key`)).api_key, api_key)
  const keyed = (key: string) => server.api({ email, api_key: key }).call('GET', '/users/me')
  t.equal((await keyed(api_key)).status, 200)
  const { api_key: renewed } = await anna.ok('POST', `/bots/${user_id}/api_key/regenerate`)
  t.equal((await keyed(api_key)).status, 401)
  t.equal((await keyed(renewed)).status, 200)
  const refuses = async (who: typeof anna, id: number | string) => {
    for (const [method, path] of [
      ['GET', 'api_key'],
      ['POST', 'api_key/regenerate'],
    ] as const)
      t.match(await who.call(method, `/bots/${id}/${path}`), { status: 400, body: { code: 'BAD_REQUEST' } })
  }
  await refuses(ben, user_id)
  await refuses(admin, anna.id)
  await refuses(admin, 999_999)
  await setUser(server.sql, user_id, { role: 100 })
  await refuses(admin, user_id)
  t.match(await admin.call('PATCH', `/bots/${user_id}`, { bot_owner_id: admin.id }), {
    status: 400,
    body: { code: 'BAD_REQUEST' },
  })
  t.same((await anna.ok('GET', `/bots/${user_id}/api_key`)).api_key, renewed)
  t.same((await orgOwner.ok('GET', `/bots/${user_id}/api_key`)).api_key, renewed)
})

t.test('its owner deactivates a bot, again without effect, and brings it back', async t => {
  const { user_id, api_key } = await create()
  const { email } = await recordOf(user_id)
  t.match(await ben.call('DELETE', `/bots/${user_id}`), { status: 400, body: { code: 'BAD_REQUEST' } })
  t.match(await admin.call('DELETE', `/bots/${anna.id}`), { status: 400, body: { code: 'BAD_REQUEST' } })
  await anna.ok('DELETE', `/bots/${user_id}`)
  t.equal((await server.api({ email, api_key }).call('GET', '/users/me')).status, 401)
  const ear = await Listener.start(server.ctx, anna)
  await anna.ok('DELETE', `/bots/${user_id}`)
  t.same(await ear.inStep(t), [])
  t.notOk((await anna.ok('GET', '/bots')).bots.some((one: Loose) => one.user_id === user_id))
  await anna.ok('POST', `/users/${user_id}/reactivate`)
  t.match(await recordOf(user_id), { is_active: true })
})

t.test('making and changing a bot is in the audit log', async t => {
  const { user_id } = await create()
  await anna.ok('PATCH', `/bots/${user_id}`, { bot_owner_id: ben.id })
  const { entries } = await orgOwner.ok('GET', '/realm/audit_log')
  const own = entries.filter((entry: Loose) => entry.subject?.user_id === user_id)
  t.ok(own.some((entry: Loose) => entry.operation === 'create_bot'))
  t.ok(own.some((entry: Loose) => entry.operation === 'update_bot'))
})
