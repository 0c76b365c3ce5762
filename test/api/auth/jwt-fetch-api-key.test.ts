import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { base64url, exportJWK, SignJWT } from 'jose'
import t from 'tap'
import { deactivate, setColumns } from '../../support/organization.js'
import { startServer } from '../../support/server.js'
import { checkObject } from '../../support/wire-schemas.js'

const secret = 'a secret of thirty-two characters'
const bytes = (text: string) => new TextEncoder().encode(text)
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
const keys = JSON.stringify([
  { alg: 'HS256', key: secret },
  { alg: 'RS256', public_key: pem },
])

const signed = (claims: Record<string, unknown>, alg = 'HS256', key: Uint8Array | KeyObject = bytes(secret)) =>
  new SignJWT(claims).setProtectedHeader({ alg }).sign(key)
const unsigned = (header: unknown, claims: unknown) =>
  [header, claims].map(part => base64url.encode(JSON.stringify(part))).join('.')

t.test('a signed token returns the API key of the user in it', async t => {
  const server = await startServer(t, { JWT_SECRETS: keys })
  const person = await server.person({ email_address_visibility: 4 })
  const fetchKey = (params: Record<string, unknown>) => server.api(null).ok('POST', '/jwt/fetch_api_key', params)
  const later = Math.floor(Date.now() / 1000) + 60
  for (const token of [
    await signed({ email: person.email }),
    await signed({ email: person.email.toUpperCase(), exp: later }),
    await signed({ email: person.email }, 'RS256', privateKey),
  ]) {
    const { result, msg, ...answer } = await fetchKey({ token })
    t.same(answer, { api_key: person.api_key, email: person.email })
  }
  await server.person({ email: 'kelvin@test.example' })
  // The sign of Kelvin, whose lower case is the letter k.
  const misleading = { token: await signed({ email: '\u212Aelvin@test.example' }) }
  t.match(await server.api(null).post('/jwt/fetch_api_key', misleading), { body: { code: 'AUTHENTICATION_FAILED' } })
  const { user } = await fetchKey({ token: await signed({ email: person.email }), include_profile: true })
  t.match(user, { user_id: person.id, delivery_email: person.email, is_active: true })
  t.notOk('profile_data' in user)
  t.same(checkObject('human', user), [])
})

t.test('a token that was not signed with a key of the server is refused', async t => {
  const server = await startServer(t, { JWT_SECRETS: keys })
  const { email } = await server.person()
  const now = Math.floor(Date.now() / 1000)
  const good = await signed({ email })
  const [header, claims] = good.split('.')
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const tokens: Record<string, string> = {
    'no token': '',
    'no JSON web token': 'abc',
    'another secret': await signed({ email }, 'HS256', bytes('another secret of enough characters')),
    'another key': await signed({ email }, 'RS256', other),
    'another algorithm with the right secret': await signed({ email }, 'HS384', bytes(`${secret}${secret}`)),
    'the public key as a secret': await signed({ email }, 'HS256', bytes(pem)),
    expired: await signed({ email, exp: now - 10 }),
    'not valid yet': await signed({ email, nbf: now + 1000 }),
    'no signature': `${header}.${claims}.`,
    'algorithm none': `${unsigned({ alg: 'none' }, { email })}.`,
    'changed claims': good.replace(claims ?? '', base64url.encode(JSON.stringify({ email: 'x@test.example' }))),
    'no email': await signed({ sub: email }),
    'an email that is no text': await signed({ email: [email] }),
  }
  for (const [what, token] of Object.entries(tokens)) {
    const answer = await server.api(null).post('/jwt/fetch_api_key', { token })
    t.equal(answer.status, 400, what)
    t.equal(answer.body.code, 'BAD_REQUEST', what)
  }
  const missing = await server.api(null).post('/jwt/fetch_api_key')
  t.match(missing, { status: 400, body: { code: 'BAD_REQUEST' } }, 'not REQUEST_VARIABLE_MISSING')
})

t.test('a good token for an account that is not there or not active is refused', async t => {
  const server = await startServer(t, { JWT_SECRETS: secret })
  const person = await server.person()
  const token = await signed({ email: person.email })
  const fetchKey = (token: string) => server.api(null).post('/jwt/fetch_api_key', { token })
  t.equal((await fetchKey(token)).status, 200, 'a plain setting is one HS256 key')
  const unknown = await fetchKey(await signed({ email: 'nobody@test.example' }))
  t.match(unknown, { status: 401, body: { code: 'AUTHENTICATION_FAILED' } })
  await deactivate(server.sql, person.id)
  t.match(await fetchKey(token), { status: 401, body: { code: 'USER_DEACTIVATED' } })
  await setColumns(server.sql, { is_active: false })
  t.match(await fetchKey(token), { status: 401, body: { code: 'REALM_DEACTIVATED' } })
})

t.test('without keys no token is accepted', async t => {
  const server = await startServer(t)
  const { email } = await server.person()
  const answer = await server.api(null).post('/jwt/fetch_api_key', { token: await signed({ email }) })
  t.match(answer, { status: 400, body: { code: 'BAD_REQUEST' } })
})

t.test('the keys may be a JWK set; a name for the key decides which is tried', async t => {
  const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const set = [
    { ...(await exportJWK(publicKey)), kid: 'rsa' },
    { ...(await exportJWK(curve.publicKey)), kid: 'curve', use: 'sig' },
    { kty: 'oct', k: base64url.encode(bytes(secret)), alg: 'HS256' },
  ]
  const server = await startServer(t, { JWT_SECRETS: JSON.stringify({ keys: set }) })
  const { email, api_key } = await server.person()
  const token = (header: { alg: string; kid?: string }, key: Uint8Array | KeyObject) =>
    new SignJWT({ email }).setProtectedHeader(header).sign(key)
  const fetchKey = async (header: { alg: string; kid?: string }, key: Uint8Array | KeyObject) =>
    server.api(null).post('/jwt/fetch_api_key', { token: await token(header, key) })
  for (const [header, key] of [
    [{ alg: 'RS256', kid: 'rsa' }, privateKey],
    [{ alg: 'RS256' }, privateKey],
    [{ alg: 'ES256', kid: 'curve' }, curve.privateKey],
    [{ alg: 'HS256', kid: 'any' }, bytes(secret)],
  ] as const) {
    t.match(await fetchKey(header, key), { status: 200, body: { api_key } }, JSON.stringify(header))
  }
  const [{ n }] = set as unknown as [{ n: string }]
  for (const [header, key] of [
    [{ alg: 'RS256', kid: 'curve' }, privateKey],
    [{ alg: 'PS256', kid: 'rsa' }, privateKey],
    [{ alg: 'HS256', kid: 'rsa' }, bytes(n)],
    [{ alg: 'HS256', kid: 'rsa' }, bytes(pem)],
  ] as const) {
    t.match(await fetchKey(header, key), { status: 400, body: { code: 'BAD_REQUEST' } }, JSON.stringify(header))
  }
})
