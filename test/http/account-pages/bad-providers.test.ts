import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import { generateKeyPair, UnsecuredJWT } from 'jose'
import t from 'tap'
import { Browser, publicUrl } from '../../support/providers/browser.js'
import { type Script, ScriptedProvider } from '../../support/providers/scripted.js'
import { startServer } from '../../support/server.js'

const provider = await ScriptedProvider.start(t)
const server = await startServer(t, {
  OIDC_PROVIDERS: JSON.stringify([provider.settings()]),
  PUBLIC_URL: publicUrl,
  LOG_LEVEL: 'fatal',
})
const ada = await server.person({ role: 100 })
const login = `${publicUrl}/accounts/login/social/oidc`

const headingOf = async (answer: Response) =>
  `${answer.status} ${/<h1[^>]*>([^<]*)/.exec(await answer.text())?.[1] ?? answer.headers.get('location') ?? ''}`

/** One sign-in, after which the provider is honest again; the heading of the last page, or where the browser is sent. */
async function attempt(script: Script, back: Record<string, string> = {}, at = server.url): Promise<string> {
  provider.script = script
  const browser = new Browser({ [publicUrl]: at })
  const begun = await browser.open(`${login}?mobile_flow_otp=${randomBytes(32).toString('hex')}`)
  const location = begun.headers.get('location')
  const heading = location === null ? begun : await browser.open(provider.back(location, back))
  provider.script = {}
  return headingOf(heading)
}

const claims = (more: Record<string, unknown>): Script => ({
  claims: honest => ({ ...honest, email: ada.email, email_verified: true, ...more }),
})
const other = await generateKeyPair('RS256', { extractable: true })
const now = Math.floor(Date.now() / 1000)

t.test('an ID token is accepted only if everything in it is right', async t => {
  t.match(await attempt(claims({})), /^302 service:\/\/login/, 'an honest one')
  const lies: Record<string, Script> = {
    'another audience': claims({ aud: 'another client' }),
    'several audiences, and another authorized party': claims({ aud: ['chat', 'other'], azp: 'other' }),
    'another issuer': claims({ iss: 'https://login.example.com' }),
    'another nonce': claims({ nonce: 'another' }),
    'no nonce': claims({ nonce: undefined }),
    expired: claims({ iat: now - 7200, exp: now - 3600 }),
    'no expiry': claims({ exp: undefined }),
    'no subject': claims({ sub: undefined }),
    'an empty subject': claims({ sub: '' }),
    'signed with another key': { ...claims({}), sign: token => provider.signed(token, other) },
    'not signed': { ...claims({}), sign: async token => new UnsecuredJWT(token).encode() },
    'no token': { ...claims({}), sign: async () => 'x' },
  }
  for (const [name, lie] of Object.entries(lies)) t.equal(await attempt(lie), '400 Sign-in failed', name)
  t.match(await attempt(claims({})), /^302 service:\/\/login/, 'honest again')
})

t.test('an address counts only if the provider says that it is verified', async t => {
  for (const email_verified of [false, undefined, null, 'false', 1, 'yes', {}]) {
    t.equal(await attempt(claims({ email_verified })), '200 Address not confirmed', String(email_verified))
  }
  t.match(await attempt(claims({ email_verified: 'true' })), /^302 service:/)
  for (const email of [undefined, '', 'x', ['a@test.example'], 'a b@test.example', `a@${'b'.repeat(300)}`]) {
    t.equal(await attempt(claims({ email })), '200 Address not confirmed', String(email).slice(0, 20))
  }
})

t.test('a setting says that the company itself gives out the addresses', async t => {
  const settings = JSON.stringify([provider.settings({ email_is_verified: true })])
  const trusting = await startServer(t, { OIDC_PROVIDERS: settings, PUBLIC_URL: publicUrl })
  const bob = await trusting.person()
  const by = (more: object) => attempt(claims({ email: bob.email, ...more }), {}, trusting.url)
  t.match(await by({ email_verified: undefined }), /^302 service:/)
  t.equal(await by({ email_verified: false }), '200 Address not confirmed')
})

t.test('what the browser brings back must be of this provider', async t => {
  t.equal(await attempt(claims({}), { iss: 'https://login.example.com' }), '400 Sign-in failed')
  t.equal(await attempt(claims({}), { error: 'server_error' }), '400 Sign-in failed')
  t.equal(await attempt(claims({}), { error: 'access_denied' }), '200 Not signed in')
})

t.test('the user-info endpoint adds what the ID token lacks, for the same person only', async t => {
  await server.person({ email: 'late@test.example' })
  const asked = { metadata: { userinfo_endpoint: `${provider.issuer}/user` } }
  const fresh = () =>
    startServer(t, { OIDC_PROVIDERS: JSON.stringify([provider.settings({ id: 'company' })]), PUBLIC_URL: publicUrl })
  const another = await fresh()
  await another.person({ email: 'late@test.example' })
  t.match(await attempt({ ...asked }, {}, another.url), /^302 service:.*late%40test\.example/)
  const sub = 'someone else'
  t.equal(await attempt({ ...asked, claims: honest => ({ ...honest, sub }) }, {}, another.url), '400 Sign-in failed')
})

t.test('answers that are no answers', async t => {
  const status =
    (code: number, body = '') =>
    (response: ServerResponse) =>
      void response.writeHead(code).end(body)
  const json = (body: string) => (response: ServerResponse) =>
    void response.writeHead(200, { 'Content-Type': 'application/json' }).end(body)
  const huge = `{"access_token":"${'x'.repeat(2_000_000)}"}`
  const answers: Record<string, (response: ServerResponse) => void> = {
    'an error': status(500),
    'a redirect': (response: ServerResponse) => void response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end(),
    'no JSON': json('no'),
    'an array': json('[]'),
    'no tokens': json('{}'),
    'too much': json(huge),
  }
  for (const [name, token] of Object.entries(answers)) {
    t.equal(await attempt({ ...claims({}), endpoints: { '/token': token } }), '400 Sign-in failed', name)
  }
  const cut = (response: ServerResponse) => void response.socket?.destroy()
  t.match(await attempt({ ...claims({}), endpoints: { '/token': cut } }), /No answer$/)
})

t.test('a provider that is away or lies about itself stops neither the start nor other requests', async t => {
  const place = createServer()
  await new Promise<void>(resolve => place.listen(0, '127.0.0.1', resolve))
  const { port } = place.address() as { port: number }
  await new Promise<void>(resolve => place.close(() => resolve()))
  const settings = {
    id: 'company',
    name: 'Company',
    issuer: `http://127.0.0.1:${port}`,
    client_id: 'chat',
    client_secret: 's',
  }
  const alone = await startServer(t, {
    OIDC_PROVIDERS: JSON.stringify([settings]),
    PUBLIC_URL: publicUrl,
    LOG_LEVEL: 'fatal',
  })
  const begin = async () => headingOf(await new Browser({ [publicUrl]: alone.url }).open(login))
  t.equal((await alone.api(null).ok('GET', '/server_settings')).external_authentication_methods.length, 1)
  t.equal(await begin(), '503 No answer')
  const found = await ScriptedProvider.start(t, port)
  found.script = { metadata: { issuer: 'https://login.example.com' } }
  t.equal(await begin(), '503 No answer', 'it names another issuer')
  found.script = {}
  t.match(await begin(), /^302 http:\/\/127\.0\.0\.1:\d+\/authorize/, 'a failure is not kept')
})

t.test('a slow provider holds nothing up but its own sign-in, which ends after a time limit', async t => {
  const never = { '/token': () => {} }
  const slow = attempt({ ...claims({}), endpoints: never })
  await server.api(null).ok('GET', '/server_settings')
  t.match(await slow, /No answer$/)
})
