import t from 'tap'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const path = '/realm/test_welcome_bot_custom_message'
const owner = await server.person({ role: 100 })
const administrator = await server.person({ role: 200 })

t.test('administrators alone send themselves a test of the welcome message', async t => {
  const full = await server.person({ date_joined: new Date(0) })
  for (const [caller, status] of [
    [owner, 200],
    [administrator, 200],
    [await server.person({ role: 300 }), 400],
    [full, 400],
    [await server.person(), 400],
    [await server.person({ role: 600 }), 400],
    [await server.person({ bot_type: 1, bot_owner_id: full.id }), 400],
    [await server.person({ is_active: false }), 401],
    [server.api(null), 401],
  ] as const) {
    const answer = await caller.post(path, { welcome_message_custom_text: 'Welcome *aboard*' })
    t.match(answer, { status, body: status === 400 ? { code: 'UNAUTHORIZED_PRINCIPAL' } : {} })
  }
})

t.test('it comes from the welcome bot, to the caller alone, as Markdown', async t => {
  const { message_id } = await owner.ok('POST', path, { welcome_message_custom_text: 'Welcome *aboard*' })
  const { message } = await owner.ok('GET', `/messages/${message_id}`)
  t.match(message, { content: '<p>Welcome <em>aboard</em></p>', sender_full_name: 'Welcome Bot' })
  t.match(await administrator.get(`/messages/${message_id}`), { status: 400 })
  const { realm_welcome_message_custom_text } = await owner.ok('POST', '/register', { fetch_event_types: ['realm'] })
  t.equal(realm_welcome_message_custom_text, '', 'the setting stays')
})

t.test('texts that are none or too long are refused', async t => {
  for (const params of [
    {},
    { welcome_message_custom_text: '' },
    { welcome_message_custom_text: ' \n' },
    { welcome_message_custom_text: 'x'.repeat(8001) },
  ]) {
    t.match(await owner.post(path, params), { status: 400 })
  }
  t.match(await owner.post(path, { welcome_message_custom_text: 'x'.repeat(8000) }), { status: 200 })
})
