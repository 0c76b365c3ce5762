import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { reactivateUser } from '../../../server/actions/users/reactivate.js'
import { beginSession } from '../../../server/auth/sessions.js'
import { until } from '../../http/until.js'
import { addApp } from '../../support/authenticator.js'
import { Browser, givePassword, password } from '../../support/browser.js'
import { Api } from '../../support/http.js'
import { Listener, type Loose } from '../../support/in-step.js'
import { type Person, withPresentKey } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { EventWaiter } from './event-waiter.js'
import { runAdmin } from './run-admin.js'

const server = await startServer(t)
const owner = await server.person({ role: 100, full_name: 'Olga Ownby' })
const run = (...args: string[]) => runAdmin(server.organization, args)
const json = async (...args: string[]): Promise<Loose> => {
  const { code, stdout, stderr } = await run(...args, '--json')
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

t.test('an account is listed, shown, changed and deactivated, and connected clients get the events', async t => {
  const person = await server.person({ full_name: 'Amir Before' })
  const ear = await Listener.start(server.ctx, owner)
  const told = await EventWaiter.start(owner, ['realm_user'])
  const isActive = (wanted: boolean) => (event: Loose) => event.person?.is_active === wanted
  const changed = await json('user', 'change', person.email, '--role', 'moderator', '--email', 'amir@test.example')
  t.match(changed, { user_id: person.id, role: 'moderator', email: 'amir@test.example' })
  await told.of(event => event.person?.new_email !== undefined)
  await ear.inStep(t)
  const listed = await json('user', 'list', '--search', 'AMIR', '--role', 'moderator')
  t.match(listed, { total: 1, users: [{ user_id: person.id, full_name: 'Amir Before', is_active: true }] })
  const shown = await run('user', 'show', String(person.id))
  t.match(shown.stdout, /^email +amir@test\.example$/m)
  t.notMatch(shown.stdout, person.api_key)

  const { queue_id } = await new Api(server.url, { ...person, email: 'amir@test.example' }).ok('POST', '/register', {})
  const poll = new Api(server.url, { ...person, email: 'amir@test.example' })
    .call('GET', '/events', { queue_id, last_event_id: -1 })
    .then(answer => answer.status)
  t.equal((await run('user', 'deactivate', person.email)).code, 1, 'by its former address')
  await json('user', 'deactivate', 'amir@test.example', '--yes')
  t.equal(await poll, 401, 'its poll ends')
  await told.of(isActive(false))
  await ear.inStep(t)
  await json('user', 'reactivate', 'amir@test.example')
  await told.of(isActive(true))
  await ear.inStep(t)
})

t.test('a new password is printed once or mailed', async t => {
  const person = await server.person({ email: 'pass@test.example' })
  const { password } = await json('user', 'password', person.email, '--yes')
  const signIn = { username: person.email, password }
  t.equal((await server.api(null).ok('POST', '/fetch_api_key', signIn)).api_key, person.api_key)
  t.equal((await run('user', 'password', person.email)).code, 1, 'not without being asked')
})

t.test('a name that has to wait after wrong passwords is unlocked, by command and by a new password', async t => {
  const person = await server.person({ email: 'locked@test.example' })
  const signIn = async (password: string) =>
    (await server.api(null).post('/fetch_api_key', { username: person.email, password })).status
  const lock = async () => {
    for (let n = 0; n < 5; n++) await signIn('wrong')
  }
  const { password } = await json('user', 'password', person.email, '--yes')
  await lock()
  t.equal(await signIn(password), 429)
  t.match(await run('user', 'unlock', person.email), { code: 0, stdout: 'locked@test.example may sign in\n' })
  t.equal(await signIn(password), 200)
  await lock()
  t.equal(await signIn(password), 429)
  const next = await json('user', 'password', person.email, '--yes')
  t.equal(await signIn(next.password), 200)
  t.match(await run('user', 'unlock', 'nobody@test.example'), { code: 1, stderr: /no account/ })
})

t.test('second factors that are lost are removed with the sessions of the account', async t => {
  const person = await server.person({ email: 'lost@test.example' })
  await givePassword(server.sql, person)
  const none = await run('user', 'remove-factors', person.email, '--yes')
  t.same([none.code, none.stderr.trim()], [1, 'The account has no second factor.'])
  await addApp(server, person, password)
  t.equal((await run('user', 'remove-factors', person.email)).code, 1, 'not without being asked')
  t.equal((await run('user', 'remove-factors', 'nobody@test.example', '--yes')).code, 1)
  t.not((await person.ok('GET', '/users/me/factors')).app, null)
  const since = server.ctx.directory.version
  const begun = await beginSession(server.ctx, person, { method: 'passkey', address: '', userAgent: '', since })
  const headers = { Cookie: begun[0]?.split(';')[0] ?? '' }
  const session = async () => (await fetch(`${server.url}/json/users/me`, { headers })).status
  t.equal(await session(), 200)
  const done = await json('user', 'remove-factors', person.email, '--yes')
  t.same(done, { user_id: person.id, email: person.email })
  t.match(await person.ok('GET', '/users/me/factors'), { app: null, passkeys: [], recovery_codes: 0 })
  await until(async () => (await session()) === 401)
  const page = await new Browser(server.url).signIn(person)
  t.equal((await page.json('GET', '/users/me')).status, 200, 'the password is enough')
})

t.test('keys are rotated: the former one ends with its polls', async t => {
  const person = await server.person({ role: 300 })
  const { queue_id } = await person.ok('POST', '/register', {})
  const poll = person.call('GET', '/events', { queue_id, last_event_id: -1 }).then(answer => answer.status)
  const rotated = (await json('key', 'rotate', person.email, '--yes')) as Loose[]
  t.equal(await poll, 401)
  t.equal((await person.call('GET', '/users/me')).status, 401)
  const now = new Api(server.url, rotated[0] as never)
  t.equal((await now.ok('GET', '/users/me')).user_id, person.id)
  const all = (await json('key', 'rotate', '--role', 'moderator', '--yes')) as Loose[]
  t.ok(all.some(one => one.user_id === person.id && one.api_key !== rotated[0]?.api_key))
})

t.test('a bot is made for its owner, listed with what it keeps, and ended', async t => {
  const made = await json(
    'bot',
    'create',
    '--email',
    'echo@test.example',
    '--full-name',
    'Echo',
    '--owner',
    owner.email,
  )
  const bot = new Api(server.url, made as never)
  await bot.ok('PUT', '/bot_storage', { storage: { key: 'value' } })
  const bots = (await json('bot', 'list')) as Loose[]
  t.match(bots, [{ user_id: made.user_id, owner: owner.email, storage_keys: 1, storage_characters: 8 }])
  t.equal((await run('bot', 'deactivate', owner.email, '--yes')).code, 1, 'a person is no bot')
  await json('bot', 'deactivate', 'echo@test.example', '--yes')
  // The running server applies a command's change within about a second.
  while ((await bot.call('GET', '/users/me')).status !== 401) await sleep(50)
  t.pass('its key is not taken any more')
})

t.test('an impossible command gets one sentence', async t => {
  const guest = await server.person({ role: 600 })
  const refused: [code: number, ...args: string[]][] = [
    [1, 'user', 'show', 'nobody@test.example'],
    [1, 'user', 'change', guest.email],
    [1, 'user', 'change', guest.email, '--role', 'administrator'],
    [1, 'user', 'change', owner.email, '--role', 'member'],
    [1, 'user', 'deactivate', owner.email, '--yes'],
    [1, 'key', 'rotate'],
    [1, 'key', 'rotate', guest.email],
    [1, 'bot', 'create', '--email', 'x@test.example', '--full-name', 'Xx', '--owner', 'nobody@test.example'],
  ]
  for (const [wanted, ...args] of refused) {
    const { code, stdout, stderr } = await run(...args)
    t.equal(code, wanted, args.join(' '))
    t.equal(stdout, '')
    t.match(stderr, /^[^\n]+\n$/)
  }
})

t.test('a reactivated user is in its groups, channels and settings again, for all who may see it', async t => {
  const person = await server.person()
  const limited = await server.person({ role: 600 })
  const acquainted = await server.person({ role: 600 })
  await owner.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'shared' }],
    principals: [person.id, acquainted.id],
  })
  await owner.ok('POST', '/user_groups/create', { name: 'crew', description: '', members: [person.id] })
  const set = { new: { direct_members: [person.id, owner.id], direct_subgroups: [] } }
  const { stream_id } = await owner.ok('GET', '/get_stream_id', { stream: 'shared' })
  await owner.ok('PATCH', `/streams/${stream_id}`, { can_send_message_group: set })
  for (const isLimited of [false, true]) {
    const value = isLimited ? 'role:members' : 'role:everyone'
    await json('setting', 'set', 'can_access_all_users_group', value)
    await owner.ok('DELETE', `/users/${person.id}`)
    const watching: Person[] = [owner, limited, acquainted]
    const ears = await Promise.all(watching.map(one => Listener.start(server.ctx, one)))
    await reactivateUser(server.ctx, person.id)
    for (const ear of ears) t.ok((await ear.inStep(t)).length > 0)
  }
  const sent = await owner.ok('POST', '/messages', {
    type: 'stream',
    to: 'shared',
    topic: 'x',
    content: 'welcome back',
  })
  const { messages } = await (await withPresentKey(server.sql, person)).ok('GET', '/messages', {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
  })
  t.match(messages, [{ id: sent.id }])
  await t.rejects(reactivateUser(server.ctx, person.id), { code: 'BAD_REQUEST' })
  await t.rejects(reactivateUser(server.ctx, 99_999), { code: 'BAD_REQUEST' })
})
