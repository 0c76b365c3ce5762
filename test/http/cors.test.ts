import t from 'tap'
import { ann, fakeServer } from './fake-server.js'

const page = 'https://app.example'
const fake = await fakeServer(t, { ALLOWED_ORIGINS: `${page}, http://localhost:3000` })
const call = (path: string, origin: string, init: RequestInit = {}) =>
  fetch(fake.url + path, { ...init, headers: { Authorization: ann, Origin: origin, ...init.headers } })
const corsOf = (response: Response) => [...response.headers.keys()].filter(name => name.startsWith('access-control'))

t.test('pages of a listed origin may read answers, refusals too', async t => {
  for (const path of ['/users/me', '/nope', '/limited']) {
    const { headers } = await call(path, page)
    t.equal(headers.get('access-control-allow-origin'), page)
    t.equal(headers.get('vary'), 'Origin')
    t.equal(headers.get('access-control-allow-credentials'), null)
  }
})

t.test('pages of other origins get nothing of the kind', async t => {
  const others = [
    'https://evil.example',
    'https://app.example.evil',
    'http://app.example',
    'https://app.example:8443',
    'null',
    '*',
  ]
  for (const origin of others) {
    t.same(corsOf(await call('/users/me', origin)), [], origin)
    t.same(corsOf(await call('/users/me', origin, { method: 'OPTIONS' })), [], origin)
  }
})

t.test('a preflight request gets methods and headers, without credentials', async t => {
  const response = await call('/echo', page, {
    method: 'OPTIONS',
    headers: { Authorization: '', 'Access-Control-Request-Method': 'POST' },
  })
  t.equal(response.status, 204)
  t.equal(response.headers.get('access-control-allow-origin'), page)
  t.equal(response.headers.get('access-control-allow-methods'), 'POST')
  t.equal(response.headers.get('access-control-allow-headers'), 'Authorization, Content-Type, Idempotency-Key')
})
