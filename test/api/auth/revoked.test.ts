import t from 'tap'
import { bumpVersion } from '../../../server/store/organization/organization.js'
import { presenceEvent } from '../../../shared/events/presence.js'
import { revoked } from '../../../shared/events/revoked.js'
import { Api } from '../../support/http.js'
import { startServer } from '../../support/server.js'

t.test('a replaced key fails at once, and no client sees the event that workers get', async t => {
  const server = await startServer(t)
  const person = await server.person()
  const bystander = await server.person()
  const { queue_id } = await bystander.ok('POST', '/register', { fetch_event_types: [] })
  await server.ctx.write(async (tx, emit) => {
    const version = await bumpVersion(tx)
    await tx`update users set api_key = ${'n'.repeat(32)}, version = ${version} where id = ${person.id}`
    emit(revoked, { user_id: person.id }, [person.id, bystander.id])
  })
  const payload = { user_id: 0, email: '', server_timestamp: 0, active_timestamp: 0, idle_timestamp: 0 }
  server.ctx.realtime.announce([{ def: presenceEvent, payload, audience: [bystander.id] }])
  const { events } = await bystander.ok('GET', '/events', { queue_id, last_event_id: -1 })
  t.same(
    events.map((event: { type: string }) => event.type),
    ['presence'],
  )
  const renewed = new Api(server.url, { email: person.email, api_key: 'n'.repeat(32) })
  t.equal((await renewed.ok('GET', '/users/me')).user_id, person.id)
  t.match(await person.get('/users/me'), { status: 401, body: { code: 'UNAUTHORIZED' } })
})
