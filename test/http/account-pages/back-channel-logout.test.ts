import { randomBytes } from 'node:crypto'
import { generateKeyPair } from 'jose'
import t from 'tap'
import WebSocket from 'ws'
import { devicesOf } from '../../../server/store/push/devices.js'
import { SocketClient } from '../../socket/socket-client.js'
import { basic } from '../../support/http.js'
import type { Person } from '../../support/people.js'
import { Browser, publicUrl } from '../../support/providers/browser.js'
import { Company } from '../../support/providers/company.js'
import { ScriptedProvider } from '../../support/providers/scripted.js'
import { Receiver } from '../../support/push-service.js'
import { startServer } from '../../support/server.js'

const event = { 'http://schemas.openid.net/event/backchannel-logout': {} }
const login = `${publicUrl}/accounts/login/social/oidc`

async function withQueue(person: Person): Promise<SocketClient> {
  const headers = { Authorization: basic(person) }
  const socket = new WebSocket(`${person.url.replace('http', 'ws')}/api/v1/socket`, ['chat.v1.json'], { headers })
  t.teardown(() => socket.terminate())
  const client = new SocketClient(socket)
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))
  await client.send({ op: 'register', id: 1, params: { fetch_event_types: [] } }).reply(1)
  return client
}

t.test('a logout at a real provider ends sessions, and by setting keys, their devices and sockets', async t => {
  for (const logout_ends_keys of [false, true]) {
    const company = await Company.start(t)
    const settings = JSON.stringify([company.settings({ logout_ends_keys })])
    const server = await startServer(t, { OIDC_PROVIDERS: settings, PUBLIC_URL: publicUrl })
    company.serverUrl = server.url
    const [ada, ben] = [await server.person(), await server.person()]
    const session = async ({ id, email }: Person) => {
      company.people.set(`s${id}`, { email, email_verified: true, name: 'X' })
      company.present = `s${id}`
      const browser = new Browser({ [publicUrl]: server.url })
      await browser.follow(login, location => location === `${publicUrl}/`)
      return async () =>
        (await browser.open(`${publicUrl}/json/users/me`, { headers: { 'Sec-Fetch-Site': 'same-origin' } })).status
    }
    await ada.ok('POST', '/users/me/push_devices', new Receiver().device('https://push.example/ada'))
    const [ofAda, ofBen] = [await session(ada), await session(ben)]
    t.same([await ofAda(), await ofBen()], [200, 200])
    const socket = await withQueue(ada)
    await company.logOut(`s${ada.id}`)
    t.same([await ofAda(), await ofBen()], [401, 200])
    t.equal((await ada.call('GET', '/users/me')).status, logout_ends_keys ? 401 : 200)
    const devices = await devicesOf(server.sql, ada.id)
    t.equal(devices.length, logout_ends_keys ? 0 : 1, 'a device that a program added')
    if (logout_ends_keys) t.equal((await socket.closed()).code, 4001)
    else socket.socket.close()
    await t.resolves(company.logOut('a stranger'), 'who has no account here is nothing to end')
  }
})

t.test('a logout token is accepted only if everything in it is right', async t => {
  const provider = await ScriptedProvider.start(t)
  const server = await startServer(t, {
    OIDC_PROVIDERS: JSON.stringify([provider.settings()]),
    PUBLIC_URL: publicUrl,
    LOG_LEVEL: 'fatal',
  })
  const ada = await server.person()
  await server.sql`insert into identities (provider, subject, user_id) values ('oidc:company', 'ada', ${ada.id})`
  const post = async (token: string, path = '/accounts/oidc/company/logout') => {
    const body = new URLSearchParams({ logout_token: token })
    const { status, headers } = await fetch(server.url + path, { method: 'POST', body })
    return status === 200 ? `200 ${headers.get('cache-control')}` : status
  }
  const now = Math.floor(Date.now() / 1000)
  const honest = () => ({
    iss: provider.issuer,
    aud: 'chat',
    sub: 'ada',
    iat: now,
    exp: now + 60,
    jti: randomBytes(8).toString('hex'),
    events: event,
  })
  const other = await generateKeyPair('RS256', { extractable: true })
  for (const lie of [
    { iss: 'https://login.example.com' },
    { aud: 'another' },
    { iat: now - 7200, exp: now - 3600 },
    { iat: now - 3600 },
    { iat: undefined },
    { jti: undefined },
    { sub: undefined },
    { events: undefined },
    { events: {} },
    { events: 'x' },
    { nonce: 'that of an ID token' },
  ]) {
    t.equal(await post(await provider.signed({ ...honest(), ...lie })), 400, JSON.stringify(lie))
  }
  t.equal(await post(await provider.signed(honest(), other)), 400, 'signed with another key')
  t.equal(await post(''), 400)
  t.equal(await post('x'), 400)
  let asked = 0
  provider.script = { endpoints: { '/keys': response => void response.writeHead(500).end(String(asked++)) } }
  for (let i = 0; i < 3; i++) t.equal(await post(await provider.signed(honest(), other)), 400)
  t.equal(asked, 0, 'the keys are kept')
  provider.script = {}
  const token = await provider.signed(honest())
  t.equal(await post(token, '/accounts/oidc/other/logout'), 404)
  t.equal(await post(token), '200 no-store')
  t.equal(await post(token), 400, 'once')
  const { status } = await fetch(`${server.url}/accounts/oidc/company/logout`)
  t.equal(status, 405)
})
