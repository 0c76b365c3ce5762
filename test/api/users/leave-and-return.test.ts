import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { hashPassword } from '../../../server/auth/passwords.js'
import { projectRoot } from '../../../server/config/paths.js'
import { Browser } from '../../support/browser.js'
import { upload } from '../../support/files.js'
import { kinds, Listener } from '../../support/in-step.js'
import { withPresentKey } from '../../support/people.js'
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
  const returned = await withPresentKey(sql, person)
  t.equal((await returned.get('/users/me')).status, 200)
  t.match(await (await withPresentKey(sql, bot)).get('/users/me'), { status: 401 }, 'each bot on its own')
  const told = await ear.inStep(t)
  t.match(kinds(told).slice(0, 1), ['realm_user/update'])
  t.match(
    told.filter(event => event.type === 'realm_export_consent'),
    [{ user_id: person.id, consented: false }],
  )
  await returned.ok('POST', `/users/${bot.id}/reactivate`)
  t.equal((await (await withPresentKey(sql, bot)).get('/users/me')).status, 200, 'by the owner of the bot')
})

t.test('a deactivation ends keys, sessions and sockets for good; a password fetches the new key', async t => {
  const person = await server.person()
  const bot = await server.person({ bot_type: 1, bot_owner_id: person.id })
  const password = 'seven tall wooden boats'
  await sql`update users set password_hash = ${await hashPassword(password)} where id = ${person.id}`
  const page = new Browser(server.url)
  await page.page('POST', '/login/', { form: { username: person.email, password } })
  const { cookie } = page
  t.match(cookie, /sessionid=./)
  const file = await upload(server.url, person, { name: 'a.txt', bytes: 'text' })
  const read = async () => (await fetch(server.url + file, { headers: { Cookie: cookie } })).status
  t.equal(await read(), 200)
  await owner.ok('DELETE', `/users/${person.id}`)
  await owner.ok('POST', `/users/${person.id}/reactivate`)
  await owner.ok('POST', `/users/${bot.id}/reactivate`)
  for (const former of [person, bot]) t.match(await former.get('/users/me'), { status: 401 })
  t.equal(await read(), 401)
  const signIn = { username: person.email, password }
  const { api_key } = await server.api(null).ok('POST', '/fetch_api_key', signIn)
  t.not(api_key, person.api_key)
  t.match(api_key, /^[A-Za-z0-9]{32}$/)
  t.equal((await server.api({ email: person.email, api_key }).ok('GET', '/users/me')).user_id, person.id)
})

t.test('an upgrade ends the keys of accounts that were deactivated before', async t => {
  const [gone, active] = [await server.person({ is_active: false }), await server.person()]
  const file = join(projectRoot, 'server/store/migrations/0003-keys-of-deactivated-accounts.sql')
  await sql.unsafe(await readFile(file, 'utf8'))
  const present = await withPresentKey(sql, gone)
  t.not(present.api_key, gone.api_key)
  t.match(present.api_key, /^[A-Za-z0-9]{32}$/)
  t.equal((await withPresentKey(sql, active)).api_key, active.api_key)
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
  const [former, administrator] = [
    await server.person({ role: 100, is_active: false }),
    await server.person({ role: 200 }),
  ]
  const ownersOnly = { status: 400, body: { code: 'UNAUTHORIZED_PRINCIPAL' } }
  t.match(await administrator.post(`/users/${former.id}/reactivate`), ownersOnly, 'an owner, by an administrator')
  await owner.ok('POST', `/users/${former.id}/reactivate`)
  t.match(await person.post(`/users/${person.id}/reactivate`), { status: 401 })
  t.match(await person.get('/users/me'), { status: 401 })
})
