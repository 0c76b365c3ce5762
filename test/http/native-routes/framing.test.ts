// Where a request ends is read alike by the routes of the native layer and by a proxy in front of them.
import t from 'tap'
import { basic } from '../../support/http.js'
import { nativePaths } from '../../support/native-paths.js'
import { startServer } from '../../support/server.js'
import { head, RawConnection } from '../raw.js'

const settings = { TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_ADDRESS: '0', RATE_LIMIT_USER: '0', BODY_SECONDS: '1' }
const server = await startServer(t, settings)
const owner = await server.person()
const paths = await nativePaths(server.nativeRoutes, server, owner)
const port = Number(new URL(server.url).port)
const hidden = head('GET', '/health/live')
const trailer = 'X-T: /path HTTP/1.1\r\nHost: x\r\n\r\n'

/** The statuses of all answers until the server closes the connection; `later` is sent after the first one. */
async function statuses(method: string, bytes: string, later: string): Promise<number[]> {
  const raw = new RawConnection({ port }).write(bytes)
  const all: number[] = []
  for (let answer = await raw.answer(method); answer; answer = await raw.answer()) {
    if (all.push(answer.status) === 1) raw.write(later)
  }
  await raw.closed()
  return all
}

const chunks = '5\r\nhello\r\n0\r\n'
const framings = {
  'a hidden request behind chunks': ['Transfer-Encoding: chunked\r\n', `${chunks}\r\n${hidden}`],
  'a trailer behind chunks': ['Transfer-Encoding: chunked\r\n', chunks + trailer],
  'chunks that do not end': ['Transfer-Encoding: chunked\r\n', '5\r\nhello\r\n'],
  'two lengths': [`Content-Length: 0\r\nContent-Length: ${hidden.length}\r\n`, hidden],
  'two equal lengths': ['Content-Length: 5\r\nContent-Length: 5\r\n', `hello${hidden}`],
  'leading zeros': ['Content-Length: 005\r\n', `hello${hidden}`],
  'another encoding': ['Transfer-Encoding: xchunked\r\n', `${chunks}\r\n${hidden}`],
} as const

for (const [pattern, [path = '']] of paths) {
  t.test(pattern, async t => {
    const tried = ['GET', 'POST', 'OPTIONS'].flatMap(method =>
      Object.entries(framings).map(async ([name, [lines, body]]) => {
        const begin = `${method} ${path} HTTP/1.1\r\nHost: test\r\nAuthorization: ${basic(owner)}\r\n${lines}\r\n`
        const got = await statuses(method, begin + body.slice(0, 5), body.slice(5))
        return { name: `${method}, ${name}`, got }
      }),
    )
    // Operations and tus read chunks; all others refuse them.
    const wrong = (await Promise.all(tried)).filter(({ got }) => got.length !== 1 || (got[0] as number) >= 500)
    t.same(wrong, [])
  })
}

t.test('what is left of a body with a length is skipped, also when it comes after the answer', async t => {
  for (const [path = ''] of paths.values()) {
    const raw = new RawConnection({ port }).write(head('GET', path, { 'Content-Length': hidden.length }))
    const answer = await raw.answer()
    t.ok(answer && answer.status < 500, path)
    raw.write(hidden + head('GET', '/api/v1/server_settings', { 'X-Request-Id': 'the-next' }))
    t.match(await raw.answer(), { status: 200, head: /^x-request-id: the-next$/im }, path)
    raw.destroy()
  }
})
