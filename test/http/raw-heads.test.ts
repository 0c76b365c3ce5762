import t from 'tap'
import { ann, basic, fakeServer, keys } from './fake-server.js'
import { head, type RawAnswer, RawConnection } from './raw.js'

// Without a proxy, and behind a trusted proxy.
const open = await fakeServer(t)
const proxied = await fakeServer(t, { TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8, fd00::/8' })
const form = { Authorization: ann, 'Content-Type': 'application/x-www-form-urlencoded' }
const hidden = 'GET /api/v1/open HTTP/1.1\r\nHost: test\r\n\r\n'

/** All answers to these bytes, until the connection is closed or `most` have arrived. */
async function answers(fake: typeof open, bytes: string, most: number): Promise<RawAnswer[]> {
  const raw = new RawConnection(fake).write(bytes)
  const all: RawAnswer[] = []
  while (all.length < most) {
    const answer = await raw.answer()
    if (!answer) break
    all.push(answer)
  }
  raw.destroy()
  return all
}

const post = (headers: string, body: string) =>
  `POST /api/v1/echo HTTP/1.1\r\nHost: test\r\nAuthorization: ${ann}\r\nContent-Type: application/x-www-form-urlencoded\r\n${headers}\r\n${body}`

t.test('what can be read in two ways is cut, and nothing hidden in it is done', async t => {
  for (const [name, bytes, edges] of [
    [
      'length and chunks',
      post('Content-Length: 8\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${hidden}`),
      [open, proxied],
    ],
    ['an unknown transfer encoding', post('Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${hidden}`), [open, proxied]],
    [
      'a chain of transfer encodings',
      post('Transfer-Encoding: gzip, chunked\r\n', `0\r\n\r\n${hidden}`),
      [open, proxied],
    ],
    ['identity', post('Transfer-Encoding: identity\r\nContent-Length: 8\r\n', `number=1${hidden}`), [open, proxied]],
    ['two lengths', post('Content-Length: 8\r\nContent-Length: 80\r\n', `number=1${hidden}`), [proxied]],
    [
      'two lengths that are the same',
      post('Content-Length: 8\r\nContent-Length: 8\r\n', `number=1${hidden}`),
      [proxied],
    ],
    [
      'two transfer encodings',
      post('Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n', `0\r\n\r\n${hidden}`),
      [proxied],
    ],
    [
      'two lengths of a GET',
      head('GET', '/api/v1/open', { 'Content-Length': '0\r\nContent-Length: 5' }) + hidden,
      [proxied],
    ],
    ['two hosts', head('GET', '/api/v1/open', { Host: 'a\r\nHost: b' }) + hidden, [proxied]],
  ] as const) {
    for (const fake of edges) {
      const got = await answers(fake, bytes, 2)
      t.ok(got.length <= 1 && got.every(({ status }) => status === 400), `${name}: ${got.map(one => one.status)}`)
    }
  }
})

t.test('lengths that are none, and chunks that are none, are refused', async t => {
  for (const headers of ['-1', '+3', '3, 3', '0x3', '99999999999999999999999', '3 3']) {
    const got = await answers(open, post(`Content-Length: ${headers}\r\n`, 'abc'), 2)
    t.ok(got.length === 0 || got[0]?.status === 400, headers)
    t.notOk(got.some(({ status }) => status === 200))
  }
  for (const body of ['-3\r\nabc\r\n0\r\n\r\n', '0x3\r\nabc\r\n0\r\n\r\n', 'ffffffffffffffffff\r\nabc\r\n0\r\n\r\n']) {
    const got = await answers(open, post('Transfer-Encoding: chunked\r\n', body), 2)
    t.equal(got[0]?.status, 400, body)
  }
})

t.test('a head has its bounds', async t => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`X-${i}`, '1']))
  t.equal((await answers(open, head('GET', '/api/v1/open', many), 1))[0]?.status, 431)
  t.equal((await answers(open, head('GET', '/api/v1/open', { X: 'a'.repeat(100_000) }), 1))[0]?.status, 431)
  t.equal((await answers(open, 'GET /api/v1/open HTTP/1.0\r\nHost: a\r\n\r\n', 1))[0]?.status, 505)
})

t.test('answers do not name the software, and caches must not store them', async t => {
  for (const path of ['/api/v1/open', '/api/v1/users/me', '/api/v1/nothing', '/elsewhere']) {
    const [answer] = await answers(open, head('GET', path), 1)
    t.notMatch(answer?.head, /uwebsockets|^server:|x-powered-by/im)
    t.match(answer?.head, /^cache-control: no-store$/im)
    t.match(answer?.head, /^x-content-type-options: nosniff$/im)
    t.match(answer?.head, /^content-security-policy: default-src 'none'; frame-ancestors 'none'$/im)
    t.match(answer?.head, /^cross-origin-resource-policy: same-origin$/im)
    t.match(answer?.head, /^referrer-policy: no-referrer$/im)
    t.notMatch(answer?.head, /strict-transport-security/i, 'over plain HTTP it would say nothing')
    t.notMatch(answer?.head, /set-cookie/i, 'there are no cookies, so no page can use those of somebody')
  }
})

t.test('X-Forwarded-For is believed of those who are trusted, up to the first who is not', async t => {
  const from = async (fake: typeof open, lines: string) => {
    const [answer] = await answers(fake, post(`${lines}Content-Length: 8\r\n`, 'number=1'), 1)
    return JSON.parse(answer?.body ?? '{}').address
  }
  const xff = (...values: string[]) => values.map(value => `X-Forwarded-For: ${value}\r\n`).join('')
  t.equal(await from(proxied, xff('1.2.3.4, 5.6.7.8')), '5.6.7.8')
  t.equal(await from(proxied, xff('5.6.7.8, 10.1.2.3')), '5.6.7.8', 'a second proxy')
  t.equal(await from(proxied, xff('1.2.3.4', '5.6.7.8')), '5.6.7.8', 'a proxy that adds a line of its own')
  t.equal(await from(proxied, xff('5.6.7.8', '10.1.2.3')), '5.6.7.8')
  t.equal(await from(proxied, xff('::ffff:5.6.7.8')), '5.6.7.8')
  t.equal(await from(proxied, xff('5.6.7.8:4711')), '5.6.7.8')
  t.equal(await from(proxied, xff('[2001:DB8:0:0::1]:4711')), '2001:db8::1')
  t.equal(await from(proxied, xff('10.9.9.9, 10.1.2.3')), '10.9.9.9', 'all are trusted: the farthest')
  t.equal(await from(proxied, ''), '127.0.0.1')
  for (const nonsense of ['', ' ', 'unknown', '1.2.3', 'localhost', '1.2.3.4, <script>', '999.1.1.1']) {
    t.equal(await from(proxied, xff(nonsense)), '127.0.0.1', nonsense)
  }
  t.equal(await from(open, xff('5.6.7.8')), '127.0.0.1', 'nobody is trusted by default')
})

t.test('a key in the address of a page, or in another scheme, is none', async t => {
  for (const authorization of [`Bearer ${keys.ann}`, basic('', keys.ann), `Basic ${keys.ann}`]) {
    t.equal((await answers(open, head('GET', '/api/v1/users/me', { Authorization: authorization }), 1))[0]?.status, 401)
  }
  t.equal(
    (await answers(open, head('GET', `/api/v1/users/me?api_key=${keys.ann}`, { ...form, Authorization: 'x' }), 1))[0]
      ?.status,
    401,
  )
})
