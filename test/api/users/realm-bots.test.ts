import t from 'tap'
import { deactivateBot } from '../../../server/actions/users/deactivate-bot.js'
import { Listener, type Loose } from '../../support/in-step.js'
import { startServer } from '../../support/server.js'
import { checkObject } from '../../support/wire-schemas.js'

const fetch_event_types = ['realm_bot', 'realm_user']

t.test('bots that one may set up come as whole records, without their API keys, and stay in step', async t => {
  const server = await startServer(t)
  const [admin, owner, other] = [await server.person({ role: 200 }), await server.person(), await server.person()]
  const bot = await server.person({ bot_type: 1, bot_owner_id: owner.id })
  const state = await owner.ok('POST', '/register', { fetch_event_types })
  const { avatar_url } = state.realm_users.find((user: Loose) => user.user_id === bot.id)
  const record = {
    user_id: bot.id,
    default_all_public_streams: false,
    default_events_register_stream: null,
    default_sending_stream: null,
    services: [],
    bot_type: 1,
    email: bot.email,
    full_name: bot.full_name,
    is_active: true,
    owner_id: owner.id,
  }
  const [{ avatar_url: picture, ...listed }] = state.realm_bots
  t.same(listed, record)
  t.match(picture, /^https?:/, 'never null, whatever client_gravatar says')
  t.ok(avatar_url === null || avatar_url === picture)
  t.same(checkObject('realm_bot', state.realm_bots[0]), [])
  t.same((await other.ok('POST', '/register', { fetch_event_types })).realm_bots, [])

  const ears = await Promise.all([admin, owner].map(one => Listener.start(server.ctx, one)))
  await admin.ok('PATCH', `/users/${bot.id}`, { full_name: 'Another name' })
  for (const ear of ears) {
    await ear.inStep(t)
    t.match(ear.state.realm_bots, [{ full_name: 'Another name', is_active: true }])
  }
  await deactivateBot(server.ctx, bot.id)
  for (const ear of ears) {
    await ear.inStep(t)
    t.match(ear.state.realm_bots, [{ full_name: 'Another name', is_active: false }])
  }
})
