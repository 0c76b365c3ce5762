import t from 'tap'
import { resetPassword } from '../../../server/actions/users/reset-password.js'
import { hashPassword } from '../../../server/auth/passwords.js'
import { unlockSignIn } from '../../../server/limits/sign-in-attempts.js'
import { deactivate, setColumns, setOrganization } from '../../support/organization.js'
import { startServer } from '../../support/server.js'

t.test('the right password gives the key, whatever the case of the address', async t => {
  const server = await startServer(t)
  const person = await server.person({ email_address_visibility: 4 })
  await server.sql`update users set password_hash = ${await hashPassword('open sesame')} where id = ${person.id}`
  const spectator = server.api(null)
  const signIn = (username: string, password: string) => spectator.post('/fetch_api_key', { username, password })

  const { result, msg, ...answer } = (await signIn(person.email.toUpperCase(), 'open sesame')).body
  t.same(answer, { api_key: person.api_key, email: person.email, user_id: person.id })
  const ignored = await server.api({ email: 'x', api_key: 'y' }).post('/fetch_api_key', {
    username: person.email,
    password: 'open sesame',
  })
  t.equal(ignored.status, 200, 'an Authorization header is not looked at')

  for (const [username, password] of [
    [person.email, 'open sesam'],
    [person.email, ''],
    ['nobody@test.example', 'open sesame'],
    [`user${person.id}@127.0.0.1`, 'open sesame'],
  ] as const) {
    const refused = await signIn(username, password)
    t.equal(refused.status, 401, username)
    t.equal(refused.body.code, 'AUTHENTICATION_FAILED')
  }
  t.match((await signIn('no address', 'x')).body, { code: 'BAD_REQUEST' })
  const missing = await spectator.post('/fetch_api_key', { username: person.email })
  t.match(missing.body, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'password' })
  t.match((await spectator.post('/fetch_api_key')).body, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'username' })

  await deactivate(server.sql, person.id)
  t.match(await signIn(person.email, 'open sesame'), { status: 401, body: { code: 'USER_DEACTIVATED' } })
  t.match((await signIn(person.email, 'wrong')).body, { code: 'AUTHENTICATION_FAILED' }, 'told to the owner alone')
})

t.test('who has no password cannot sign in with one', async t => {
  const server = await startServer(t)
  const people = [await server.person(), await server.person({ bot_type: 1 })]
  for (const { email } of people) {
    const answer = await server.api(null).post('/fetch_api_key', { username: email, password: '' })
    t.equal(answer.body.code, 'AUTHENTICATION_FAILED')
  }
})

t.test('sign-in by password is refused where it is off, and in a deactivated organization', async t => {
  const server = await startServer(t)
  const person = await server.person()
  await server.sql`update users set password_hash = ${await hashPassword('secret')} where id = ${person.id}`
  const signIn = () => server.api(null).post('/fetch_api_key', { username: person.email, password: 'secret' })
  await setOrganization(server.sql, { authentication_methods: { Email: { enabled: false, available: true } } })
  t.match(await signIn(), { status: 401, body: { code: 'PASSWORD_AUTH_DISABLED' } })
  t.match(await server.api(null).ok('GET', '/server_settings'), { email_auth_enabled: false })
  await setColumns(server.sql, { is_active: false })
  t.match(await signIn(), { status: 401, body: { code: 'REALM_DEACTIVATED' } })
})

t.test('many clients may sign in at once', async t => {
  const server = await startServer(t)
  const person = await server.person()
  await server.sql`update users set password_hash = ${await hashPassword('open sesame')} where id = ${person.id}`
  const signIn = () => server.api(null).post('/fetch_api_key', { username: person.email, password: 'open sesame' })
  const answers = await Promise.all(Array.from({ length: 12 }, signIn))
  t.same([...new Set(answers.map(answer => answer.status))], [200])
})

t.test('five wrong passwords block a name for a while, at every worker and also without an account', async t => {
  const server = await startServer(t)
  const other = await startServer(t, {}, server.organization)
  let now = Date.now()
  server.ctx.clock.now = other.ctx.clock.now = () => now
  const person = await server.person()
  await server.sql`update users set password_hash = ${await hashPassword('open sesame')} where id = ${person.id}`
  const signIn = (username: string, password: string, at = server) =>
    at.api(null).post('/fetch_api_key', { username, password })
  const wrong = () => signIn(person.email.toUpperCase(), 'wrong')
  for (let i = 0; i < 4; i++) t.equal((await wrong()).body.code, 'AUTHENTICATION_FAILED')
  t.equal((await signIn(person.email, 'open sesame')).status, 200, 'the right one ends the count')
  now += 60_000
  // In parallel: attempts are counted before any password is checked.
  const race = await Promise.all(Array.from({ length: 8 }, wrong))
  t.same(race.map(answer => answer.status).sort(), [401, 401, 401, 401, 401, 429, 429, 429])
  const refused = await signIn(person.email, 'open sesame', other)
  t.match(refused, { status: 429, body: { code: 'RATE_LIMIT_HIT', 'retry-after': 1800 } }, 'also the right one')
  t.equal(refused.headers.get('retry-after'), '1800')
  for (let i = 0; i < 5; i++) t.equal((await signIn('nobody@test.example', 'x')).status, 401)
  t.equal((await signIn('nobody@test.example', 'x')).status, 429, 'whether there is such an account or not')
  now += 1_800_000
  t.equal((await signIn(person.email, 'open sesame')).status, 200, 'half an hour later')
})

t.test('a new password, however it was set, ends the wait of its name, at every worker', async t => {
  const server = await startServer(t)
  const other = await startServer(t, {}, server.organization)
  const person = await server.person()
  const setPassword = async (password: string) =>
    server.sql`update users set password_hash = ${await hashPassword(password)} where id = ${person.id}`
  const signIn = async (password: string, at = server) =>
    (await at.api(null).post('/fetch_api_key', { username: person.email, password })).status
  const lock = async () => {
    for (let n = 0; n < 5; n++) await signIn('wrong')
  }
  await setPassword('open sesame')
  await lock()
  t.equal(await signIn('open sesame'), 429)
  await setPassword('seven tall wooden boats')
  t.equal(await signIn('seven tall wooden boats', other), 200)
  t.equal(await signIn('open sesame'), 401, 'the former one')
  await lock()
  t.equal(await signIn('seven tall wooden boats', other), 429, 'wrong ones count again')
  const password = await resetPassword(server.ctx, person.id)
  t.equal(await signIn(password), 200)
  await lock()
  await unlockSignIn(other.ctx, person.email.toUpperCase(), person.id)
  t.equal(await signIn(password), 200, 'unlocked by an operator')
})
