import { randomBytes } from 'node:crypto'
import t from 'tap'
import { hashPassword } from '../../../server/auth/passwords.js'
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
