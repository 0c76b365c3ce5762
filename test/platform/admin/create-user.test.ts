import { execFile } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { projectRoot } from '../../../server/config/paths.js'
import { Api } from '../../support/http.js'
import { changeDirectory } from '../../support/organization.js'
import { startServer, type TestOrganization } from '../../support/server.js'

interface Outcome {
  code: number
  stdout: string
  stderr: string
}

function admin(organization: TestOrganization, args: string[], env: Record<string, string> = {}): Promise<Outcome> {
  const program = join(projectRoot, process.env.TEST_DIST ?? 'dist', 'server/admin/main.js')
  return new Promise(resolve => {
    execFile(
      process.execPath,
      [program, ...args],
      { env: { ...process.env, ...organization.env(), ...env } },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })
}

const create = (email: string, role: string, ...more: string[]) => [
  'user',
  'create',
  '--email',
  email,
  '--full-name',
  'Made Here',
  '--role',
  role,
  ...more,
]

t.test('an account that is made beside a running server can use it at once', async t => {
  const server = await startServer(t)
  const made = await admin(server.organization, create('owner@test.example', 'owner', '--json'))
  t.equal(made.code, 0, made.stderr)
  const account = JSON.parse(made.stdout)
  t.match(account, { email: 'owner@test.example', api_key: /^[A-Za-z0-9]{32}$/, password: String, user_id: Number })
  const self = await new Api(server.url, account).ok('GET', '/users/me')
  t.match(self, { user_id: account.user_id, is_owner: true, is_bot: false })
  const signIn = { username: account.email, password: account.password }
  t.equal((await server.api(null).ok('POST', '/fetch_api_key', signIn)).api_key, account.api_key)

  const bot = await admin(server.organization, create('bot@test.example', 'member', '--bot', '--json'))
  const { password, ...credentials } = JSON.parse(bot.stdout)
  t.equal(password, null)
  t.equal((await new Api(server.url, credentials).ok('GET', '/users/me')).is_bot, true)

  const plain = await admin(server.organization, create('guest@test.example', 'guest'))
  t.match(plain.stdout, /^email: guest@test\.example\napi_key: \w{32}\npassword: \S+\nuser_id: \d+\n$/)
})

t.test('connected clients are notified of a new account', async t => {
  const server = await startServer(t)
  const person = await server.person()
  const { queue_id } = await person.ok('POST', '/register', { event_types: ['realm_user'] })
  await admin(server.organization, create('new@test.example', 'moderator'))
  const { events } = await person.ok('GET', '/events', { queue_id, last_event_id: -1 })
  t.match(events, [{ type: 'realm_user', op: 'add', person: { full_name: 'Made Here', role: 300 } }])
})

t.test('an impossible command gets one sentence and exit code 1, a wrong command line exit code 2', async t => {
  const server = await startServer(t)
  await server.person({ email: 'taken@test.example' })
  const refused: Record<string, [code: number, args: string[]]> = {
    'a missing option': [2, ['user', 'create', '--email', 'a@test.example']],
    'an unknown role': [2, create('a@test.example', 'king')],
    'an unknown option': [2, create('a@test.example', 'owner', '--fast')],
    'an unknown command': [2, ['user', 'destroy']],
    'an address in use': [1, create('TAKEN@test.example', 'member')],
    'no address': [1, create('nobody', 'member')],
    'a name that is too short': [1, [...create('a@test.example', 'member'), '--full-name', 'X']],
  }
  for (const [what, [wanted, args]] of Object.entries(refused)) {
    const { code, stdout, stderr } = await admin(server.organization, args)
    t.equal(code, wanted, what)
    t.equal(stdout, '', what)
    t.match(stderr, /^[^\n]+\n$/, what)
  }
  const away = await admin(server.organization, create('a@test.example', 'owner'), {
    DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none',
  })
  t.match(away, { code: 1, stderr: /^DATABASE_URL: PostgreSQL at 127\.0\.0\.1:9 does not answer[^\n]+\n$/ })
  const embedded = await admin(server.organization, create('a@test.example', 'owner'), {
    DATABASE_URL: 'embedded',
    DATA_DIR: '/nonexistent',
  })
  t.match(embedded, { code: 1, stderr: /^No server runs on the data directory \/nonexistent[^\n]+\n$/ })
})

t.test('a newcomer joins default channels of any size, also while no Redis is at hand', async t => {
  // The command has no Redis, so it must not ask Redis for the recently active subscribers of a large channel.
  const server = await startServer(t)
  const person = await server.person()
  await person.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'large' }] })
  await server.sql`
    with made as (
      insert into users (delivery_email, full_name, role, api_key)
      select 'crowd' || n || '@test.example', 'Crowd ' || n, 400, lpad(n::text, 32, '0') from generate_series(1, 260) as n
      returning id
    )
    insert into subscriptions (user_id, channel_id, spans)
    select made.id, channels.id, '{[1,)}' from made, channels where channels.name = 'large'`
  await changeDirectory(server.sql, async (tx, version) => {
    await tx`update channels set is_default = true, version = ${version}, subscribers_version = 1000 where name = 'large'`
    await tx`update users set version = ${version}`
  })
  const made = await admin(server.organization, create('late@test.example', 'member', '--json'))
  t.equal(made.code, 0, made.stderr)
  const { subscriptions } = await new Api(server.url, JSON.parse(made.stdout)).ok('GET', '/users/me/subscriptions')
  t.match(subscriptions, [{ name: 'large' }])
})
