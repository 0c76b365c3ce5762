import t from 'tap'
import { ann, basic, type FakeServer, fakeServer, keys } from './fake-server.js'

// The server runs in this process, so this test can count what it decodes.
let decoded = 0
const decode = globalThis.decodeURIComponent
globalThis.decodeURIComponent = text => {
  if (text.includes('%2')) decoded++
  return decode(text)
}
t.teardown(() => {
  globalThis.decodeURIComponent = decode
})

const wrong = basic('ann@example.org', 'f'.repeat(32))
const escaped = 'note=%2Fx'
const form = { 'Content-Type': 'application/x-www-form-urlencoded' }

// A fixed time, so that no rate-limit window ends during a test.
const still = { now: () => 1_700_000_000_000 }

async function post(fake: FakeServer, path: string, headers: Record<string, string>, body = escaped) {
  decoded = 0
  const response = await fetch(fake.url + path, { method: 'POST', headers: { ...form, ...headers }, body })
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  }
}

t.test('a body is parsed only for a caller who may call something at the path', async t => {
  const fake = await fakeServer(t)
  for (const [path, authorization, status] of [
    ['/nothing', ann, 404],
    ['/nothing', '', 404],
    ['/echo', '', 401],
    ['/echo', wrong, 401],
    ['/echo', basic('gone@example.org', keys.gone), 401],
    ['/echo', 'Bearer x', 401],
    ['/register', wrong, 401],
    ['/users/me', '', 401],
  ] as const) {
    t.equal((await post(fake, path, { Authorization: authorization })).status, status, path)
    t.equal(decoded, 0, `${path} with ${authorization || 'nothing'}`)
  }
  t.same(fake.calls, [])
})

t.test('so it is for a caller who has used up what it may ask', async t => {
  const fake = await fakeServer(t, { RATE_LIMIT_USER: '3', RATE_LIMIT_ADDRESS: '3' }, { clock: still })
  const cases = [
    ['/echo', ann],
    ['/register', ''],
    ['/nothing', ''],
    ['/echo', wrong],
  ] as const
  for (const [path, authorization] of cases) {
    for (let i = 0; i < 3; i++) await post(fake, path, { Authorization: authorization })
    const refused = await post(fake, path, { Authorization: authorization })
    t.equal(refused.status, 429, path)
    t.equal(refused.body.code, 'RATE_LIMIT_HIT')
    t.equal(decoded, 0, path)
  }
})

t.test('a request is counted once, whether or not its body names a method', async t => {
  const fake = await fakeServer(t, { RATE_LIMIT_USER: '10000' }, { clock: still })
  let left = 10_000
  for (const [path, body, status] of [
    ['/echo', 'number=1', 200],
    ['/users/me', 'method=GET', 200],
    ['/users/me', 'number=1', 405],
    ['/users/me', 'method=PATCH', 405],
    ['/users/me', 'note=%zz', 405],
    ['/echo', 'note=%zz', 400],
  ] as const) {
    const counts: number[] = []
    // On a busy machine some requests may count more than once.
    for (let i = 0; i < 5; i++) {
      const answer = await post(fake, path, { Authorization: ann }, body)
      t.equal(answer.status, status, `${path} ${body}`)
      const now = Number(answer.headers.get('x-ratelimit-remaining'))
      counts.push(left - now)
      left = now
    }
    t.equal(Math.min(...counts), 1, `${path} ${body}`)
  }
})

t.test('a method in the body is a method, for spectators too', async t => {
  const fake = await fakeServer(t)
  t.equal((await post(fake, '/open', {}, 'method=GET')).body.open, true)
  t.equal(
    (await post(fake, '/open', { Authorization: wrong }, 'method=GET')).status,
    200,
    'no credentials are asked for',
  )
  t.same((await post(fake, '/open', {}, 'method=GET&a=1')).body.ignored_parameters_unsupported, ['a'])
  t.equal((await post(fake, '/users/5', { Authorization: ann }, 'method=GET&deep=true')).body.deep, true)
  t.equal((await post(fake, '/users/5', {}, 'method=GET')).status, 401)
  t.equal((await post(fake, '/open', {}, 'method=DELETE')).status, 405)
  t.equal((await post(fake, '/open', {})).status, 405)
})
