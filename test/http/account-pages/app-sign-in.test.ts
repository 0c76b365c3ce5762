import { randomBytes } from 'node:crypto'
import t from 'tap'
import { hashPassword } from '../../../server/auth/passwords.js'
import { beginSession } from '../../../server/auth/sessions.js'
import { loginToken } from '../../support/desktop-app.js'
import { deactivate } from '../../support/organization.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const ada = await server.person({ role: 100 })
await server.sql`update users set password_hash = ${await hashPassword('open sesame')} where id = ${ada.id}`
const pad = () => randomBytes(32).toString('hex')
const open = (query: string, headers = {}) =>
  fetch(`${server.url}/login/?${query}`, { headers: { Accept: 'text/html', ...headers }, redirect: 'manual' })
const send = (fields: Record<string, string>) =>
  fetch(`${server.url}/login/`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Accept: 'text/html', Origin: server.url, 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams({ username: ada.email, password: 'open sesame', ...fields }),
  })

t.test('a password on the page ends in the app that waits for it', async t => {
  const mobile_flow_otp = pad()
  const page = await (await open(`mobile_flow_otp=${mobile_flow_otp}&next=/status`)).text()
  t.match(page, `name="mobile_flow_otp" value="${mobile_flow_otp}"`)
  const refused = await send({ mobile_flow_otp, password: 'wrong' })
  t.equal(refused.status, 200)
  t.match(await refused.text(), `name="mobile_flow_otp" value="${mobile_flow_otp}"`, 'the pad stays')
  const answer = await send({ mobile_flow_otp })
  t.equal(answer.status, 302)
  t.match(
    answer.headers.get('location'),
    /^service:\/\/login\?otp_encrypted_api_key=[0-9a-f]{64}&email=.*&user_id=\d+&realm=/,
  )
  t.equal(answer.headers.get('set-cookie'), null, 'no session')
  t.equal((await send({ mobile_flow_otp })).status, 400, 'a pad works once')
  const desktop = await send({ desktop_flow_otp: pad() })
  t.equal(desktop.status, 200)
  t.match(await desktop.text(), /name="desktop_data" value="[0-9a-f]{120}"/)
})

/** The token that a desktop app is given, decrypted by its pad. */
async function desktopToken(): Promise<string> {
  const key = pad()
  const page = await (await send({ desktop_flow_otp: key })).text()
  return loginToken(page, key)
}
const use = (token: string, { method = 'GET', site = 'none' } = {}) =>
  fetch(`${server.url}/accounts/login/subdomain/${token}`, {
    method,
    redirect: 'manual',
    headers: { 'Sec-Fetch-Site': site },
  })

t.test('the token of a desktop app begins a session once, for the app alone', async t => {
  const token = await desktopToken()
  for (const site of ['cross-site', 'same-site']) t.equal((await use(token, { site })).status, 403, site)
  t.equal((await use(token, { method: 'HEAD' })).status, 400, 'a look at the address')
  t.equal((await fetch(`${server.url}/json/users/me`, { headers: { Cookie: `sessionid=${token}` } })).status, 401)
  const answer = await use(token)
  t.match(answer.headers.getSetCookie()[0], /^sessionid=/)
  t.equal((await use(token)).status, 400, 'once')
})

t.test('a token works no longer when it is too old, or the sessions of the account have ended', async t => {
  const [first, second] = [await desktopToken(), await desktopToken()]
  const now = server.ctx.clock.now()
  server.ctx.clock.now = () => now + 16_000
  t.equal((await use(first)).status, 400)
  server.ctx.clock.now = () => Date.now()
  await server.sql`delete from sessions where user_id = ${ada.id}`
  t.equal((await use(second)).status, 400)
})

t.test('no session begins for an account that is deactivated meanwhile', async t => {
  const gone = await server.person()
  await deactivate(server.sql, gone.id)
  const about = { method: 'password', address: '::1', userAgent: '', since: Number.MAX_SAFE_INTEGER }
  await t.rejects(beginSession(server.ctx, gone, about), { code: 'AUTHENTICATION_FAILED' })
  t.same(await server.sql`select id from sessions where user_id = ${gone.id}`, [])
})

t.test('malformed pads are refused before anything else', async t => {
  for (const wrong of ['x', 'a'.repeat(63), 'g'.repeat(64)]) {
    t.equal((await open(`mobile_flow_otp=${wrong}`)).status, 400)
    t.equal((await send({ desktop_flow_otp: wrong })).status, 400)
  }
  t.equal((await send({ mobile_flow_otp: pad(), desktop_flow_otp: pad() })).status, 400)
})

t.test('a session alone gives an app no key', async t => {
  const signedIn = await send({})
  t.equal(signedIn.status, 302)
  const Cookie = signedIn.headers
    .getSetCookie()
    .map(one => one.split(';')[0])
    .join('; ')
  t.equal((await open('', { Cookie })).status, 302, 'the page leads on')
  t.equal((await open(`mobile_flow_otp=${pad()}`, { Cookie })).status, 200, 'for an app it asks for the password')
})
