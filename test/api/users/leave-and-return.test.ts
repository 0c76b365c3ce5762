import t from 'tap'
import { kinds, Listener } from '../../support/in-step.js'
import { startServer } from '../../support/server.js'
import { createChannel } from './scene.js'

const server = await startServer(t)
const { ctx, sql } = server
const owner = await server.person({ role: 100 })
const bad = { status: 400, body: { code: 'BAD_REQUEST' } }

t.test('people leave with their bots, and an administrator lets them return', async t => {
  const person = await server.person()
  const bot = await server.person({ bot_type: 1, bot_owner_id: person.id })
  await createChannel(sql, 'common', [owner.id, person.id])
  const ear = await Listener.start(ctx, owner)
  await person.ok('DELETE', '/users/me')
  t.match(await person.get('/users/me'), { status: 401 })
  t.match(await bot.get('/users/me'), { status: 401 })
  t.match(
    (await ear.inStep(t)).filter(event => event.type === 'realm_user').map(event => event.person),
    [
      { user_id: bot.id, is_active: false },
      { user_id: person.id, is_active: false },
    ],
  )
  await owner.ok('POST', `/users/${person.id}/reactivate`)
  t.equal((await person.get('/users/me')).status, 200)
  t.match(await bot.get('/users/me'), { status: 401 }, 'each bot on its own')
  t.match(kinds(await ear.inStep(t)).slice(0, 1), ['realm_user/update'])
  await person.ok('POST', `/users/${bot.id}/reactivate`)
  t.equal((await bot.get('/users/me')).status, 200, 'the owner of a bot may reactivate it')
})

t.test('the last owner stays', async t => {
  t.match(await owner.delete('/users/me'), {
    status: 400,
    body: { code: 'CANNOT_DEACTIVATE_LAST_USER', is_last_owner: true, entity: 'the only organization owner' },
  })
  const second = await server.person({ role: 100 })
  t.equal((await second.delete('/users/me')).status, 200)
  t.equal((await server.api(null).delete('/users/me')).status, 401)
})

t.test('what cannot be reactivated', async t => {
  const [person, other] = [await server.person({ is_active: false }), await server.person()]
  const moderator = await server.person({ role: 300 })
  const bot = await server.person({ bot_type: 1, bot_owner_id: person.id, is_active: false })
  for (const who of [other, moderator]) t.match(await who.post(`/users/${person.id}/reactivate`), bad)
  t.match(await owner.post(`/users/${other.id}/reactivate`), bad, 'an active account')
  t.match(await owner.post(`/users/${bot.id}/reactivate`), bad, 'a bot whose owner is deactivated')
  t.match(await owner.post('/users/2147483647/reactivate'), bad)
  t.match(await person.post(`/users/${person.id}/reactivate`), { status: 401 })
  t.match(await person.get('/users/me'), { status: 401 })
})
