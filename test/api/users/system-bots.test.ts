// The server creates its own bots when it first needs them, while clients are connected.
import t from 'tap'
import { emailGatewayName } from '../../../server/actions/accounts/account-details.js'
import { emailGateway } from '../../../server/actions/messages/system-bots.js'
import { kinds, Listener } from '../../support/in-step.js'
import { limitGuests } from '../../support/organization.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
await limitGuests(server.sql)

t.test('all users learn of a bot that is created while they are connected', async t => {
  const people = [await server.person({ role: 100 }), await server.person(), await server.person({ role: 600 })]
  const ears = []
  for (const person of people) ears.push(await Listener.start(server.ctx, person))
  const bots = await Promise.all([emailGateway(server.ctx), emailGateway(server.ctx)])
  for (const ear of ears) {
    t.notOk(ear.state.cross_realm_bots.some((bot: { user_id: number }) => bot.user_id === bots[0].id))
    const events = await ear.inStep(t)
    t.same(kinds(events), ['realm_user/add'], 'once')
    t.match(events[0]?.person, { user_id: bots[0].id, full_name: emailGatewayName, is_system_bot: true })
    t.ok(ear.state.cross_realm_bots.some((bot: { user_id: number }) => bot.user_id === bots[0].id))
  }
})

t.test('the audit log has no entry of it: no user made it', async t => {
  const { id } = await emailGateway(server.ctx)
  t.same(await server.sql`select event from audit_log where subject ->> 'user_id' = ${String(id)}`, [])
})
