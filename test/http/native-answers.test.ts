import t from 'tap'
import { fakeServer } from './fake-server.js'
import { head, RawConnection } from './raw.js'

const fake = await fakeServer(t)

t.test('what is no HTTP/1.1 request is answered by the native layer and the connection closed', async t => {
  for (const [bytes, status] of [
    [head('POST', '/api/v1/echo', { 'Content-Length': '+5' }), 400],
    [head('POST', '/api/v1/echo', { 'Content-Length': 1, 'Transfer-Encoding': 'chunked' }), 400],
    [head('GET', '/api/v1/open', { X: 'a'.repeat(100_000) }), 431],
    ['GET /api/v1/open HTTP/1.0\r\nHost: a\r\n\r\n', 505],
  ] as const) {
    const text = await new RawConnection(fake).write(bytes).untilClosed()
    t.ok(text.startsWith(`HTTP/1.1 ${status} `), text)
    // docs/security.md states this: if a release omits the name, this test fails and that paragraph is obsolete.
    t.match(text, /uWebSockets\/20/)
  }
  t.same(fake.calls, [])
})

t.test('an answer of this server names no program', async t => {
  for (const bytes of [head('GET', '/nothing'), head('POST', '/api/v1/echo', { 'Content-Length': '00' })]) {
    const raw = new RawConnection(fake).write(bytes)
    const answer = await raw.answer()
    t.ok(answer)
    t.notMatch(`${answer?.head}${answer?.body}`, /uwebsockets/i)
    raw.destroy()
  }
})
