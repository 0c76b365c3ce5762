import t from 'tap'
import { createUser } from '../../../server/actions/users/create.js'
import type { EventOf } from '../../../shared/client/index.js'
import { clientState } from '../../../shared/events/from-register.js'
import { applyRealmUserAdd } from '../../../shared/events/realm-user.js'
import type { Loose } from '../../support/in-step.js'
import { setColumns } from '../../support/organization.js'
import { startServer } from '../../support/server.js'

/** The server makes its own bots when it needs them, and they are in another part of the state. */
const isOfPerson = (event: Loose) => event.type !== 'heartbeat' && !event.person.is_system_bot

t.test('users who join while a client registers are in its state or in its queue, never both or neither', async t => {
  const server = await startServer(t)
  const person = await server.person()
  const joined = 40
  let made = 0
  const joining = (async () => {
    for (let i = 0; i < joined; i++) {
      const draft = { email: `joiner${i}@test.example`, fullName: `Joiner ${i}`, role: 400, password: null }
      await createUser(server.ctx, draft)
      made++
    }
  })()
  const clients: { state: Loose & { realm_users: Loose[]; queue_id: string }; events: Loose[] }[] = []
  while (made < joined) {
    const state = await person.ok('POST', '/register', { event_types: ['realm_user'] })
    clients.push({ state, events: [] })
  }
  await joining
  for (const client of clients) {
    let lastEventId = -1
    while (client.state.realm_users.length + client.events.length < joined + 1) {
      const params = { queue_id: client.state.queue_id, last_event_id: lastEventId }
      const { events } = await person.ok('GET', '/events', params)
      for (const event of events) {
        lastEventId = event.id
        if (isOfPerson(event)) client.events.push(event)
      }
    }
    const { state, events } = client
    t.equal(state.realm_users.length + events.length, joined + 1, `${state.realm_users.length} were there`)
    const known = clientState(state)
    for (const event of events) applyRealmUserAdd(known, event as EventOf<'realm_user'> & { op: 'add' })
    t.equal(Object.keys(known.realm_users ?? {}).length, joined + 1)
  }
  t.ok(clients.some(({ events }) => events.length > 0))
})

t.test('an event after registering makes of the state what a new registration shows', async t => {
  const server = await startServer(t)
  const [administrator, member] = [await server.person({ role: 200 }), await server.person()]
  await server.ctx.directory.fresh()
  await setColumns(server.sql, { user_settings_defaults: { email_address_visibility: 3, enter_sends: true } })
  for (const person of [administrator, member]) {
    const asked = { event_types: ['realm_user'], client_gravatar: false }
    const state = await person.ok('POST', '/register', asked)
    const draft = { email: `new-${person.id}@test.example`, fullName: 'New Person', role: 600, password: null }
    const user = await createUser(server.ctx, draft)
    const events: Loose[] = []
    for (let lastEventId = -1; events.length === 0; ) {
      const polled = await person.ok('GET', '/events', { queue_id: state.queue_id, last_event_id: lastEventId })
      lastEventId = polled.events.at(-1).id
      events.push(...polled.events.filter(isOfPerson))
    }
    t.equal(events.length, 1)
    const event = events[0] as EventOf<'realm_user'> & { op: 'add' }
    t.equal(event.person.delivery_email, person === administrator ? user.delivery_email : null)
    const known = clientState(state)
    applyRealmUserAdd(known, event)
    const after = await person.ok('POST', '/register', asked)
    t.same(known.realm_users, clientState(after).realm_users)
    t.match(user.settings, { enter_sends: true }, 'the defaults became its own')
  }
})
