// What the apps of the stores ask for: the server has no relay for them, and says so.
import t from 'tap'
import { PushService } from '../../support/push-service.js'
import { startServer } from '../../support/server.js'

const service = await PushService.start(t)
const server = await startServer(t, { PUSH_PRIVATE_ORIGINS: service.origin })
const [person, bot] = [await server.person(), await server.person({ bot_type: 1 })]
const badRequest = { status: 400, body: { code: 'BAD_REQUEST' } }

t.test('a registration at the relay is refused, and the server announces that it has none', async t => {
  const { device_id } = await person.ok('POST', '/register_client_device')
  const all = {
    device_id,
    push_key_id: 4_294_967_295,
    push_key: 'MQ==',
    token_kind: 'fcm',
    token_id: 'dG9rZW4=',
    bouncer_public_key: 'a2V5',
    encrypted_push_registration: 'Ym94',
  }
  const refused = { status: 400, body: { code: 'PUSH_SERVICE_NOT_CONFIGURED' } }
  t.match(await person.post('/mobile_push/register', all), refused)
  for (const [name, value] of Object.entries(all)) {
    t.match(await person.post('/mobile_push/register', { device_id, [name]: value }), refused, name)
  }
  const long = 'x'.repeat(4_097)
  for (const [name, value] of Object.entries({
    device_id: 'x',
    push_key_id: -1,
    token_kind: 'sms',
    push_key: long,
    token_id: long,
    bouncer_public_key: long,
    encrypted_push_registration: long,
  })) {
    t.match(await person.post('/mobile_push/register', { ...all, [name]: value }), badRequest, name)
  }
  t.match(await person.post('/mobile_push/register', {}), {
    body: { code: 'REQUEST_VARIABLE_MISSING', var_name: 'device_id' },
  })
  t.match(await server.api(null).get('/server_settings'), { body: { push_notifications_enabled: false } })
  const { devices, ...others } = await person.ok('POST', '/register', { fetch_event_types: ['device', 'realm'] })
  t.match(devices[device_id], { push_key_id: null, push_token_id: null })
  t.match(others, { realm_push_notifications_enabled: false, realm_push_notifications_enabled_end_timestamp: null })
})

t.test('tokens change nothing: they are taken, and unknown afterwards', async t => {
  await person.ok('POST', '/users/me/apns_device_token', { token: 'dG9rZW4=', appid: 'com.example.chat-app' })
  await person.ok('POST', '/users/me/android_gcm_reg_id', { token: 'a:b_c' })
  for (const token of ['', 'x'.repeat(4_097), 'a:b', 'abc']) {
    t.match(await person.post('/users/me/apns_device_token', { token, appid: 'com.example.chat' }), badRequest, token)
  }
  for (const appid of ['', 'com/example', 'x'.repeat(201)]) {
    t.match(await person.post('/users/me/apns_device_token', { token: 'dG9rZW4=', appid }), badRequest, appid)
  }
  for (const token of ['', 'x'.repeat(4_097)]) {
    t.match(await person.post('/users/me/android_gcm_reg_id', { token }), badRequest, token)
  }
  for (const token of ['dG9rZW4=', '']) {
    t.match(await person.delete('/users/me/apns_device_token', { token }), badRequest, token)
    t.match(await person.delete('/users/me/android_gcm_reg_id', { token }), badRequest, token)
  }
})

t.test('a test reaches the devices of Web Push', async t => {
  t.match(await person.post('/mobile_push/e2ee/test_notification'), {
    status: 400,
    body: { code: 'NO_ACTIVE_PUSH_DEVICE' },
  })
  await person.ok('POST', '/mobile_push/test_notification')
  const unknown = { status: 400, body: { code: 'INVALID_PUSH_DEVICE_TOKEN' } }
  t.match(await person.post('/mobile_push/test_notification', { token: 'x' }), unknown)
  await person.ok('POST', '/users/me/push_devices', service.device('/own'))
  for (const path of ['/mobile_push/e2ee/test_notification', '/mobile_push/test_notification']) {
    await person.ok('POST', path)
    t.match((await service.next('/own')).json, { type: 'test' }, path)
  }
  const none = await person.post('/mobile_push/e2ee/test_notification', { device_id: 1 })
  t.match(none, { status: 400, body: { code: 'NO_ACTIVE_PUSH_DEVICE' } })
})

t.test('bots and callers without an account are refused', async t => {
  const requests = [
    ['POST', '/mobile_push/register', { device_id: 1 }],
    ['POST', '/mobile_push/test_notification', {}],
    ['POST', '/mobile_push/e2ee/test_notification', {}],
    ['POST', '/users/me/apns_device_token', { token: 'dG9rZW4=', appid: 'x' }],
    ['DELETE', '/users/me/apns_device_token', { token: 'dG9rZW4=' }],
    ['POST', '/users/me/android_gcm_reg_id', { token: 'x' }],
    ['DELETE', '/users/me/android_gcm_reg_id', { token: 'x' }],
  ] as const
  for (const [method, path, params] of requests) {
    t.match(await bot.call(method, path, params), badRequest, path)
    t.match(await server.api(null).call(method, path, params), { status: 401 }, path)
  }
})
