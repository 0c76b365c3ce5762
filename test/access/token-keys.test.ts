import t from 'tap'
import { readTokenKeys } from '../../server/access/token-keys.js'
import { requireUsableKeys } from '../../server/access/tokens.js'

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

t.test('a key that only looks like one is found before anybody signs in', async t => {
  const pem = '-----BEGIN PUBLIC KEY-----\nx\n-----END PUBLIC KEY-----'
  await t.rejects(requireUsableKeys(readTokenKeys(JSON.stringify([{ alg: 'RS256', public_key: pem }]))), /number 1/)
  await requireUsableKeys(readTokenKeys('secret'))
})
