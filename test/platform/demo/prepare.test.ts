import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { readConfig } from '../../../server/config.js'
import { prepareOrganization } from '../../../server/demo/prepare.js'
import { createLog } from '../../../server/log.js'
import { Api } from '../../support/http.js'
import { startServer, type TestOrganization, testOrganization } from '../../support/server.js'
import type { Teardown } from '../../support/services.js'

interface Account {
  email: string
  api_key: string
  password: string | null
  user_id: number
  role: number
  is_bot: boolean
}

const log = createLog('silent', 'test')

async function prepared(t: Teardown, organization: TestOrganization, settings: Record<string, string> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-demo-'))
  t.teardown(() => rm(dataDir, { recursive: true }))
  const config = readConfig(organization.env({ DEMO: '1', DATA_DIR: dataDir, ...settings }))
  await prepareOrganization(config, log)
  return { config, file: join(dataDir, 'demo.json') }
}

const accountsIn = async (file: string): Promise<Account[]> => JSON.parse(await readFile(file, 'utf8'))

t.test('an empty database gets people, channels and messages, once', async t => {
  const organization = await testOrganization(t)
  const { config, file } = await prepared(t, organization)
  t.equal((await stat(file)).mode & 0o777, 0o600)
  const accounts = await accountsIn(file)
  const count = (role: number, is_bot = false) =>
    accounts.filter(account => account.role === role && account.is_bot === is_bot).length
  t.same(
    [100, 200, 300, 400, 600].map(role => count(role)),
    [1, 1, 1, 8, 1],
  )
  t.equal(count(400, true), 1)

  const server = await startServer(t, {}, organization)
  for (const account of accounts) {
    const self = await new Api(server.url, account).ok('GET', '/users/me')
    t.match(self, { user_id: account.user_id, delivery_email: account.email, role: account.role })
    if (account.password === null) continue
    const signIn = { username: account.email, password: account.password }
    t.equal((await server.api(null).ok('POST', '/fetch_api_key', signIn)).api_key, account.api_key)
  }
  const owner = new Api(server.url, accounts[0] as Account)
  const state = await owner.ok('POST', '/register')
  const kinds = state.subscriptions.map((channel: { invite_only: boolean; is_web_public: boolean }) =>
    channel.is_web_public ? 'web-public' : channel.invite_only ? 'private' : 'public',
  )
  t.same([...new Set(kinds)].sort(), ['private', 'public', 'web-public'])
  t.equal(state.cross_realm_bots.length, 1)
  const nameOf = (id: number) => state.streams.find((channel: { stream_id: number }) => channel.stream_id === id)?.name
  t.equal(nameOf(state.realm_moderation_request_channel_id), 'moderation')
  t.equal(nameOf(state.realm_new_stream_announcements_stream_id), 'general')
  const spectator = await server.api(null).ok('POST', '/register')
  t.equal(spectator.queue_id, null)

  const { messages } = await owner.ok('GET', '/messages', { anchor: 'newest', num_before: 500, num_after: 0 })
  const sent: number[] = messages.map(({ timestamp }: { timestamp: number }) => timestamp)
  t.ok(Number(sent.at(-1)) * 1000 <= Date.now(), 'nothing lies in the future')
  t.same(
    sent,
    sent.toSorted((a, b) => a - b),
  )
  t.equal(new Set(sent.map(seconds => Math.floor(seconds / 86_400))).size, 7, 'a week')
  const shown = JSON.stringify(messages)
  for (const part of [
    '/user_uploads/',
    'canned,1',
    'user-mention',
    'codehilite',
    'katex',
    'spoiler-block',
    '"reactions":[{',
  ]) {
    t.ok(shown.includes(part), part)
  }
  for (const { content } of messages) t.notMatch(content, /(^|\s|<p>):[a-z_]+:/, 'each emoji exists')
  for (const { id, type } of messages.filter(({ flags }: { flags: string[] }) => !flags.includes('read'))) {
    t.ok(
      Number(sent.at(-1)) - messages.find((one: { id: number }) => one.id === id).timestamp < 86_400,
      `unread ${type}s are new`,
    )
  }
  const { members } = await owner.ok('GET', '/users')
  for (const { avatar_url, full_name } of members) t.match(avatar_url, /\/user_avatars\//, full_name)

  const tables = async () => {
    const [row] = await organization.sql`
      select (select count(*) from users)::int as users, (select count(*) from messages)::int as messages,
        (select count(*) from subscriptions)::int as subscriptions`
    return row
  }
  const before = await tables()
  t.ok(before?.messages > 10)
  await prepareOrganization(config, log)
  t.same(await tables(), before, 'a second start changes nothing')
  t.same(await accountsIn(file), accounts)
})

t.test('a start that was cut off is finished by the next', async t => {
  const organization = await testOrganization(t)
  const { config, file } = await prepared(t, organization)
  const [first] = await accountsIn(file)
  await organization.sql`
    update organization set settings = settings || '{"demo_preparing": true}', version = version + 1`
  await rm(file)
  await prepareOrganization(config, log)
  const [again] = await accountsIn(file)
  t.equal(again?.api_key, first?.api_key)
  const server = await startServer(t, {}, organization)
  const signIn = { username: again?.email, password: again?.password }
  t.equal((await server.api(null).ok('POST', '/fetch_api_key', signIn)).api_key, first?.api_key)
})

t.test('without the demonstration there is only the bot that speaks for the server', async t => {
  const organization = await testOrganization(t)
  const { file } = await prepared(t, organization, { DEMO: '0' })
  t.same(await organization.sql`select is_system_bot from users`, [{ is_system_bot: true }])
  await t.rejects(stat(file))
})

t.test('an organization that has people is left alone', async t => {
  const organization = await testOrganization(t)
  const server = await startServer(t, {}, organization)
  await server.person()
  await prepared(t, organization)
  t.equal((await organization.sql`select 1 from users where not is_system_bot`).length, 1)
})
