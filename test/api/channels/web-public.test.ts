import t from 'tap'
import { groupId, setOrganization } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { freshName } from './scene.js'

const server = await startServer(t)
const { sql } = server
const closedServer = await startServer(t, { WEB_PUBLIC_CHANNELS: '0' }, server.organization)
const [owner, admin, member] = [
  await server.person({ role: 100 }),
  await server.person({ role: 200 }),
  await server.person(),
]

/** Whether the user may create a web-public channel, with both operations, and convert another one. */
async function may(who: Person, url = server.url): Promise<(number | string)[]> {
  const api = url === server.url ? who : closedServer.api(who)
  const { id } = await who.ok('POST', '/channels/create', { name: freshName(), subscribers: [] })
  const answers = [
    await api.post('/users/me/subscriptions', { subscriptions: [{ name: freshName() }], is_web_public: true }),
    await api.post('/channels/create', { name: freshName(), subscribers: [], is_web_public: true }),
    await api.patch(`/streams/${id}`, { is_web_public: true }),
  ]
  return [...new Set(answers.map(({ status, body }) => body.code ?? status))]
}

t.test('a web-public channel needs the server, the organization and a permission', async t => {
  t.same(await may(owner), ['BAD_REQUEST'], 'the organization does not want it')
  await setOrganization(sql, { enable_spectator_access: true })
  t.same(await may(owner), [200])
  t.same(await may(admin), ['BAD_REQUEST'], 'owners only, by default')
  await setOrganization(sql, { can_create_web_public_channel_group: await groupId(sql, 'role:administrators') })
  t.same(await may(admin), [200])
  t.same(await may(member), ['BAD_REQUEST'])
  t.same(await may(owner, closedServer.url), ['BAD_REQUEST'], 'the server does not allow it')
})

t.test('a server that allows none lets no spectator in', async t => {
  await setOrganization(sql, { enable_spectator_access: true })
  const { id } = await owner.ok('POST', '/channels/create', { name: freshName(), subscribers: [], is_web_public: true })
  const [open, closed] = [server.api(null), closedServer.api(null)]
  t.equal((await open.get(`/users/me/${id}/topics`)).status, 200)
  t.match(await closed.get(`/users/me/${id}/topics`), { status: 401, body: { code: 'UNAUTHORIZED' } })
  t.equal((await open.post('/register', {})).status, 200)
  t.equal((await closed.post('/register', {})).status, 401)
  const enabled = async (api: typeof open) => (await api.ok('GET', '/server_settings')).realm_web_public_access_enabled
  t.same([await enabled(open), await enabled(closed)], [true, false])
  const state = await closedServer.api(member).ok('POST', '/register', { fetch_event_types: ['realm'] })
  t.equal(state.server_web_public_streams_enabled, false)
  const there = await server.api(member).ok('POST', '/register', { fetch_event_types: ['realm'] })
  t.equal(there.server_web_public_streams_enabled, true)
})
