import t from 'tap'
import { ann, fakeServer } from './fake-server.js'
import { head, RawConnection } from './raw.js'

const fake = await fakeServer(t, { MAX_BODY_BYTES: '1024', BODY_SECONDS: '1' })
const form = { Authorization: ann, 'Content-Type': 'application/x-www-form-urlencoded' }
const chunked = { ...form, 'Transfer-Encoding': 'chunked' }
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

t.test('a body in chunks is a body', async t => {
  const raw = new RawConnection(fake)
  raw.write(`${head('POST', '/api/v1/echo', chunked) + chunk('num') + chunk('ber=5') + chunk('&note=x')}0\r\n\r\n`)
  t.match(JSON.parse((await raw.answer())?.body ?? ''), { params: { number: 5, note: 'x' } })
  raw.destroy()
})

t.test('a declared body that is too large is refused, and the connection closed', async t => {
  const raw = new RawConnection(fake)
  raw.write(head('POST', '/api/v1/echo', { ...form, 'Content-Length': 5000 }) + 'x'.repeat(5000))
  const answer = await raw.answer()
  t.equal(answer?.status, 413)
  t.match(JSON.parse(answer?.body ?? ''), { result: 'error', code: 'REQUEST_TOO_LARGE' })
  t.match(answer?.head, /connection: close/i)
  await raw.closed()
})

t.test('so is one that is declared and never sent', async t => {
  const raw = new RawConnection(fake).write(head('POST', '/api/v1/echo', { ...form, 'Content-Length': 50_000_000 }))
  t.equal((await raw.answer())?.status, 413)
  await raw.closed()
})

t.test('so is one that grows without a declaration, also when it never ends', async t => {
  const raw = new RawConnection(fake).write(head('POST', '/api/v1/echo', chunked))
  for (let i = 0; i < 20; i++) raw.write(chunk('x'.repeat(1000)))
  t.equal((await raw.answer())?.status, 413)
  await raw.closed()
})

t.test('one byte more is too much, and what is just within is not', async t => {
  for (const [size, status] of [
    [1024, 200],
    [1025, 413],
  ] as const) {
    const raw = new RawConnection(fake)
    raw.write(head('POST', '/api/v1/echo', { ...form, 'Content-Length': size }) + 'number=1&note='.padEnd(size, 'x'))
    t.equal((await raw.answer())?.status, status)
    raw.destroy()
  }
})

t.test('an upload that stops half-way is answered and closed', async t => {
  for (const headers of [{ ...form, 'Content-Length': 500 }, chunked]) {
    const raw = new RawConnection(fake).write(head('POST', '/api/v1/echo', headers))
    const answer = await raw.answer()
    t.equal(answer?.status, 408)
    t.match(JSON.parse(answer?.body ?? ''), { result: 'error', code: 'REQUEST_TIMEOUT' })
    await raw.closed()
  }
})

t.test('an upload whose sender leaves costs nothing', async t => {
  fake.calls.length = 0
  const raw = new RawConnection(fake).write(
    `${head('POST', '/api/v1/echo', { ...form, 'Content-Length': 500 })}number=1`,
  )
  await new Promise(resolve => setTimeout(resolve, 50))
  raw.destroy()
  await new Promise(resolve => setTimeout(resolve, 1200))
  t.same(fake.calls, [])
})

t.test('a request sent before the former is answered never gets its answer', async t => {
  const raw = new RawConnection(fake)
  const one = head('GET', '/api/v1/users/1', { Authorization: ann })
  raw.write(one + head('GET', '/api/v1/users/2', { Authorization: ann }))
  const answer = await raw.answer()
  if (answer) t.match(JSON.parse(answer.body), { user_id: 1 })
  else t.pass('the connection ends: the client sends again')
  raw.destroy()
})

t.test('requests one after the other on a connection are answered in turn', async t => {
  const raw = new RawConnection(fake)
  for (let i = 0; i < 50; i++) {
    raw.write(head('GET', `/api/v1/users/${i}`, { Authorization: ann }))
    t.match(JSON.parse((await raw.answer())?.body ?? ''), { user_id: i })
  }
  raw.destroy()
})

t.test('what is no HTTP gets a refusal or an end', async t => {
  const nonsense = [
    'GET / HTTP/1.0\r\nHost: x\r\n\r\n',
    'GET /api/v1/open HTTP/3.7\r\nHost: x\r\n\r\n',
    head('POST', '/api/v1/echo', { ...form, 'Content-Length': 'abc' }),
    head('POST', '/api/v1/echo', { ...chunked, 'Content-Length': 5 }),
    `${head('POST', '/api/v1/echo', chunked)}zz\r\nhello\r\n`,
    head('GET', '/api/v1/open', { Long: 'x'.repeat(100_000) }),
    'GET /api/v1/open HTTP/1.1\r\nHost: x\r\nNo colon here\r\n\r\n',
  ]
  for (const bytes of nonsense) {
    const raw = new RawConnection(fake).write(bytes)
    const answer = await raw.answer()
    t.ok(answer === undefined || answer.status >= 400, bytes.slice(0, 50))
    raw.destroy()
  }
})

t.test('methods that do not exist are refused like any other', async t => {
  for (const method of ['get', 'PURGE', 'TRACE', 'X'.repeat(300)]) {
    const raw = new RawConnection(fake).write(head(method, '/api/v1/users/me', { Authorization: ann }))
    t.equal((await raw.answer())?.status, 405, method)
    raw.destroy()
  }
})

t.test('bytes that are no UTF-8 in path, query and headers are harmless', async t => {
  const bad = Buffer.from([0xc3, 0x28, 0xff])
  const line = (path: Buffer) =>
    Buffer.concat([
      Buffer.from('GET /api/v1/users/'),
      path,
      Buffer.from(` HTTP/1.1\r\nHost: x\r\nAuthorization: ${ann}\r\n\r\n`),
    ])
  for (const [path, wanted] of [
    [Buffer.concat([Buffer.from('5?a='), bad]), [400]],
    [bad, [200, 400, 404]],
  ] as const) {
    const raw = new RawConnection(fake).write(line(path))
    t.ok((wanted as readonly number[]).includes((await raw.answer())?.status ?? 0))
    raw.destroy()
  }
})

t.test('after all of that the server lives', async t => {
  const raw = new RawConnection(fake).write(head('GET', '/api/v1/open'))
  t.equal((await raw.answer())?.status, 200)
  raw.destroy()
})
