import t from 'tap'
import { readTokenKeys } from '../../server/access/token-keys.js'

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
