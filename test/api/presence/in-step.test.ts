import t from 'tap'
import { presenceEvent } from '../../../shared/events/presence.js'
import { recordEvent } from '../../support/coverage.js'
import { startServer } from '../../support/server.js'
import { checkEvent } from '../../support/wire-schemas.js'
import { Watcher } from './scene.js'

const server = await startServer(t)

for (const [form, params] of [
  ['modern', { slim_presence: true, client_capabilities: { simplified_presence_events: true } }],
  ['legacy', {}],
] as const) {
  t.test(`after a user comes online, a ${form} client has the same presences as a new register answer`, async t => {
    const [reader, other] = [await server.person(), await server.person()]
    const fresh = () => reader.ok('POST', '/register', { fetch_event_types: ['presence'], ...params })
    const state = await fresh()
    const watcher = await Watcher.start(server.ctx, reader, params)
    await other.ok('POST', '/users/me/presence', { status: 'active', ping_only: true })
    const events = await watcher.events()
    t.equal(events.length, 1)
    for (const event of events) {
      t.same(checkEvent(event), [])
      presenceEvent.apply?.(state, event)
    }
    const { presences } = await fresh()
    t.ok(JSON.stringify(presences).includes('active'))
    if (t.same(state.presences, presences)) recordEvent('presence', 'replayed')
  })
}
