import t from 'tap'
import type { Loose } from '../../support/in-step.js'
import { deactivate, groupId, setChannel, setOrganization, setUser } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const { sql } = server
const owner = await server.person({ role: 100 })
const member = await server.person()
const hidden = await server.person({ email_address_visibility: 4 })
const guest = await server.person({ role: 600 })
const others = await Promise.all(Array.from({ length: 6 }, (_, i) => server.person({ full_name: `Other ${i}` })))
const [first, second, third, fourth] = others as [Person, Person, Person, Person]

const subscribe = (name: string, params: Loose = {}) =>
  owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], ...params })
await subscribe('open', { principals: [owner.id, guest.id, first.id, second.id] })
await subscribe('closed', {
  invite_only: true,
  principals: [owner.id, third.id],
  can_add_subscribers_group: { direct_members: [owner.id, second.id, fourth.id], direct_subgroups: [] },
})
const { stream_id: open } = await owner.ok('GET', '/get_stream_id', { stream: 'open' })
const { stream_id: closed } = await owner.ok('GET', '/get_stream_id', { stream: 'closed' })

/** Changes after which no cached part of an answer may be outdated. */
const changes: Readonly<Record<string, () => Promise<unknown>>> = {
  'a name': () => setUser(sql, first.id, { full_name: 'Renamed Person' }),
  'an address that is hidden': () => setUser(sql, second.id, { email_address_visibility: 3 }),
  'an address of one who looks': () => setUser(sql, member.id, { email_address_visibility: 4 }),
  'a role': () => setUser(sql, third.id, { role: 200 }),
  'a deactivation': () => deactivate(sql, second.id),
  'a return': () => setUser(sql, second.id, { is_active: true }),
  'a new account': () => server.person({ full_name: 'New Person' }),
  'a channel': () => setChannel(sql, open, { description: 'new', rendered_description: '<p>new</p>' }),
  'a permission': async () =>
    setChannel(sql, closed, { settings: { can_send_message_group: await groupId(sql, 'role:owners') } }),
  'a subscription': () => subscribe('open', { principals: [fourth.id] }),
  'a message': () => owner.ok('POST', '/messages', { type: 'stream', to: open, topic: 'first', content: 'hello' }),
  'guests who know only some': async () =>
    setOrganization(sql, { can_access_all_users_group: await groupId(sql, 'role:members') }),
  'a demotion': () => setUser(sql, owner.id, { role: 400 }),
}

t.test('a worker with caches answers the same as one that has just started', async t => {
  await told(server.url)
  for (const [what, change] of Object.entries(changes)) {
    await change()
    const fresh = await startServer(t, {}, server.organization)
    // Answers contain the server's URL.
    const wanted = (await told(fresh.url)).replaceAll(fresh.url, server.url)
    t.equal(await told(server.url), wanted, what)
    await fresh.stop()
  }
})

/** All register fields about users and channels, in every form, for all viewers. */
async function told(url: string): Promise<string> {
  const answers: string[] = []
  for (const person of [owner, member, hidden, guest]) {
    const api = server.api(person.who)
    Object.assign(api, { url })
    for (const include_subscribers of ['true', 'partial']) {
      for (const full of [true, false]) {
        const client_capabilities = { archived_channels: full, user_list_incomplete: full }
        const fetch_event_types = ['realm_user', 'realm_bot', 'stream', 'subscription', 'realm_user_groups']
        const asked = {
          include_subscribers,
          client_capabilities,
          fetch_event_types,
          event_types: [],
          client_gravatar: full,
        }
        const { queue_id: _, last_event_id: __, ...state } = await api.ok('POST', '/register', asked)
        answers.push(JSON.stringify(state))
      }
    }
    answers.push(JSON.stringify(await api.ok('GET', '/users')))
    answers.push(JSON.stringify(await api.ok('GET', '/streams', { include_all: true })))
  }
  return answers.join('\n')
}
