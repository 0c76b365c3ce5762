import { generateKeyPairSync } from 'node:crypto'
import { base64url } from 'jose'
import t from 'tap'
import { readTokenKeys } from '../../server/auth/token-keys.js'
import { requireUsableKeys } from '../../server/auth/tokens.js'

t.test('JWT_SECRETS is a list of keys, each with its algorithm', async t => {
  t.same(readTokenKeys(undefined), [])
  t.same(readTokenKeys('secret'), [{ alg: 'HS256', key: 'secret' }])
  t.same(readTokenKeys('[{"alg": "HS512", "key": "k"}]'), [{ alg: 'HS512', key: 'k' }])
})

t.test('what could be mistaken is refused, without repeating a secret', async t => {
  const pem = '-----BEGIN PUBLIC KEY-----\nx'
  for (const keys of [
    [],
    [{ alg: 'none', key: 'hush' }],
    [{ alg: 'RS256', key: 'hush' }],
    [{ alg: 'HS256', public_key: pem }],
    [{ alg: 'HS256', key: 'hush', public_key: pem }],
    [{ alg: 'RS256', public_key: 'hush' }],
    [{ key: 'hush' }],
    [{ alg: 'HS256', key: `${pem} hush` }],
    { alg: 'HS256', key: 'hush' },
  ]) {
    t.throws(() => readTokenKeys(JSON.stringify(keys)), { message: /^The setting JWT_SECRETS [^\n]*\.$/ })
    try {
      readTokenKeys(JSON.stringify(keys))
    } catch (error) {
      t.notMatch((error as Error).message, 'hush')
    }
  }
  t.throws(() => readTokenKeys('[{'), /JWT_SECRETS/)
  t.throws(() => readTokenKeys(pem), /JWT_SECRETS/, 'a public key is no secret')
})

const rsa = { kty: 'RSA', n: 'sXch', e: 'AQAB' }

t.test('a JWK set holds secrets and public keys, each for one algorithm', async t => {
  const set = (...keys: unknown[]) => readTokenKeys(JSON.stringify({ keys }))
  const jwk = rsa
  t.same(set({ ...rsa, kid: 'a', use: 'sig', x5t: 'y' }), [{ alg: 'RS256', kid: 'a', jwk }])
  t.same(set({ ...rsa, alg: 'PS384' }), [{ alg: 'PS384', kid: undefined, jwk }])
  t.match(set({ kty: 'oct', k: 'aHVzaA' }), [{ alg: 'HS256', jwk: { k: 'aHVzaA' } }])
  t.match(set({ kty: 'EC', crv: 'P-384', x: 'x', y: 'y' }), [{ alg: 'ES384' }])
  t.match(set({ kty: 'OKP', crv: 'Ed25519', x: 'x' }), [{ alg: 'EdDSA' }])
  t.equal(set({ ...rsa, use: 'enc' }, rsa).length, 1, 'what is for something else is passed over')
  for (const keys of [
    [],
    [{ ...rsa, use: 'enc' }],
    [{ ...rsa, d: 'hush' }],
    [{ ...rsa, alg: 'HS256' }],
    [{ ...rsa, alg: 'none' }],
    [{ kty: 'oct', alg: 'RS256', k: 'hush' }],
    [{ kty: 'EC', crv: 'P-256', alg: 'ES384', x: 'x', y: 'y' }],
    [{ kty: 'oct' }],
    ['hush'],
  ]) {
    const thrown = t.throws(() => set(...keys), /^Error: The setting JWT_SECRETS [^\n]*\.$|JWT_SECRETS/)
    t.notMatch(String((thrown as unknown as Error)?.message), 'hush')
  }
})

t.test('a malformed key is found before any sign-in', async t => {
  const pem = '-----BEGIN PUBLIC KEY-----\nx\n-----END PUBLIC KEY-----'
  await t.rejects(requireUsableKeys(readTokenKeys(JSON.stringify([{ alg: 'RS256', public_key: pem }]))), /number 1/)
  await requireUsableKeys(readTokenKeys('a secret of thirty-two characters'))
})

t.test('a key that could be guessed is refused, with the size that it needs', async t => {
  const check = (setting: unknown) =>
    requireUsableKeys(readTokenKeys(typeof setting === 'string' ? setting : JSON.stringify(setting)))
  const secret = (bytes: number) => 'ä'.repeat(bytes / 2)
  const oct = (alg: string, bytes: number) => ({
    keys: [{ kty: 'oct', alg, k: base64url.encode(Buffer.alloc(bytes)) }],
  })
  const rsaOf = (modulusLength: number) =>
    generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ type: 'spki', format: 'pem' }).toString()
  for (const [alg, bytes] of [
    ['HS256', 32],
    ['HS384', 48],
    ['HS512', 64],
  ] as const) {
    const message = new RegExp(
      `number 1\\): ${alg} needs a secret of at least ${bytes} bytes, this one has ${bytes - 2}\\.$`,
    )
    await check([{ alg, key: secret(bytes) }])
    await t.rejects(check([{ alg, key: secret(bytes - 2) }]), { message })
    await check(oct(alg, bytes))
    await t.rejects(check(oct(alg, bytes - 2)), { message })
  }
  await t.rejects(check('x'), { message: /HS256 needs a secret of at least 32 bytes, this one has 1\.$/ })
  await t.rejects(
    check([
      { alg: 'HS256', key: secret(32) },
      { alg: 'HS256', key: 'x' },
    ]),
    { message: /number 2/ },
  )
  await check([{ alg: 'RS256', public_key: rsaOf(2048) }])
  await t.rejects(check([{ alg: 'RS256', public_key: rsaOf(1024) }]), {
    message: /at least 2048 bits, this one has 1024/,
  })
  await t.rejects(check([{ alg: 'ES256', public_key: rsaOf(2048) }]), { message: /it is no ES256 key/ })
})
