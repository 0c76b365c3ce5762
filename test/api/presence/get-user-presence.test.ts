import t from 'tap'
import { startServer } from '../../support/server.js'
import { Time } from './scene.js'

t.test('the presence of one user is found by id and by address', async t => {
  const server = await startServer(t)
  const time = new Time(server.ctx)
  const [reader, other] = [await server.person(), await server.person()]
  await other.ok('POST', '/users/me/presence', { status: 'active' })
  for (const name of [other.id, other.email, `user${other.id}@127.0.0.1`]) {
    const { presence, server_timestamp } = await reader.ok('GET', `/users/${name}/presence`)
    t.type(server_timestamp, 'number')
    t.match(presence, { aggregated: { status: 'active', timestamp: Number } })
    t.same(
      presence,
      { aggregated: presence.aggregated, website: presence.aggregated },
      'objects under client names only',
    )
  }
  time.pass(201)
  const { presence } = await reader.ok('GET', `/users/${other.id}/presence`)
  t.equal(presence.aggregated.status, 'offline')
})

t.test('the presence of the organization is in the legacy form, for bots too', async t => {
  const server = await startServer(t)
  const [bot, other] = [await server.person({ bot_type: 1 }), await server.person()]
  await other.ok('POST', '/users/me/presence', { status: 'active' })
  const { presences, server_timestamp } = await bot.ok('GET', '/realm/presence')
  t.type(server_timestamp, 'number')
  t.equal(presences[other.email].aggregated.status, 'active')
})

t.test('who was never seen, has no presence or is not there is refused', async t => {
  const server = await startServer(t)
  const reader = await server.person()
  const unseen = await server.person()
  const bot = await server.person({ bot_type: 1 })
  const gone = await server.person({ is_active: false })
  const hidden = await server.person({ email_address_visibility: 4 })
  await hidden.ok('POST', '/users/me/presence', { status: 'active' })
  for (const name of [unseen.id, bot.id, gone.id, 99_999, 'nobody@test.example', hidden.email]) {
    const answer = await reader.get(`/users/${name}/presence`)
    t.equal(answer.status, 400, String(name))
    t.equal(answer.body.code, 'BAD_REQUEST')
  }
  t.equal((await server.api(null).get(`/users/${hidden.id}/presence`)).status, 401)
})
