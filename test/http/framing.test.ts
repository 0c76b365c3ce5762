import t from 'tap'
import { ann, type FakeServer, fakeServer } from './fake-server.js'
import { head, RawConnection } from './raw.js'

const direct = await fakeServer(t)
const proxied = await fakeServer(t, { TRUSTED_PROXIES: '127.0.0.1' })
const edges = { direct, proxied }
const hidden = head('GET', '/api/v1/open')
const trailer = 'X-T: /path HTTP/1.1\r\nHost: x\r\n\r\n'
const body = 'number=1'

const post = (lines: string) =>
  `POST /api/v1/echo HTTP/1.1\r\nHost: test\r\nAuthorization: ${ann}\r\nContent-Type: application/x-www-form-urlencoded\r\n${lines}\r\n`
const chunked = 'Transfer-Encoding: chunked\r\n'

/** The statuses of all answers until the server closes the connection; `later` is sent after the first one. */
async function statuses(fake: FakeServer, bytes: string, later = ''): Promise<number[]> {
  const raw = new RawConnection(fake).write(bytes)
  const all: number[] = []
  for (let answer = await raw.answer(); answer; answer = await raw.answer()) {
    if (all.push(answer.status) === 1 && later !== '') raw.write(later)
  }
  await raw.closed()
  return all
}

t.test('nothing behind the chunks of a request is read as another request', async t => {
  for (const [name, fake] of Object.entries(edges)) {
    for (const [method, path, status, content] of [
      ['POST', '/api/v1/echo', 200, `8\r\n${body}\r\n`],
      ['POST', '/api/v1/echo', 400, ''],
      ['PATCH', '/api/v1/nothing', 404, ''],
      ['GET', '/api/v1/open', 200, ''],
      ['DELETE', '/api/v1/open', 405, ''],
      ['OPTIONS', '/api/v1/open', 204, ''],
    ] as const) {
      const begin = `${head(method, path, { Authorization: ann, 'Transfer-Encoding': 'chunked' }) + content}0\r\n`
      for (const behind of [trailer, `\r\n${hidden}`, hidden]) {
        t.same(await statuses(fake, begin, behind), [status], `${name}: ${method} ${path}, sent after the answer`)
        const together = await statuses(fake, begin + behind)
        t.ok(together.length <= 1, `${name}: ${method} ${path}, sent with it: ${together}`)
      }
    }
  }
})

t.test('the answer to HEAD with chunks is the last one, too', async t => {
  const raw = new RawConnection(direct).write(head('HEAD', '/api/v1/open', { 'Transfer-Encoding': 'chunked' }))
  const answer = await raw.answer('HEAD')
  t.equal(answer?.status, 200)
  t.match(answer?.head, /^connection: close$/im)
  t.match(answer?.head, /^content-length: \d{2}$/im)
  raw.write(`0\r\n${trailer}`)
  await raw.closed()
  t.equal(await raw.answer(), undefined)
})

t.test(
  'a chunked request without anything behind it is answered, and the answer says that the connection ends',
  async t => {
    for (const fake of [direct, proxied]) {
      const raw = new RawConnection(fake).write(`${post(chunked)}8\r\n${body}\r\n0\r\n\r\n`)
      const answer = await raw.answer()
      t.equal(answer?.status, 200)
      t.match(answer?.head, /^connection: close$/im)
      await raw.closed()
    }
  },
)

t.test('lengths that are doubled, or not written plainly, are refused and the connection closed', async t => {
  const lengths = {
    'two that are equal': 'Content-Length: 8\r\nContent-Length: 8\r\n',
    'two that are zero': 'Content-Length: 0\r\nContent-Length: 0\r\n',
    'two zeros': 'Content-Length: 00\r\n',
    'a leading zero': 'Content-Length: 08\r\n',
    'two leading zeros': 'Content-Length: 008\r\n',
    'a sign': 'Content-Length: +8\r\n',
    'a list': 'Content-Length: 8, 8\r\n',
    'chunks behind it': `Content-Length: 8\r\n${chunked}`,
    'chunks before it': `${chunked}Content-Length: 8\r\n`,
    'chunked twice': chunked + chunked,
    'chunked and more': 'Transfer-Encoding: gzip, chunked\r\n',
    'chunked, in another spelling': 'Transfer-Encoding: xchunked\r\n',
  }
  direct.calls.length = 0
  proxied.calls.length = 0
  for (const [name, fake] of Object.entries(edges)) {
    for (const [what, lines] of Object.entries(lengths)) {
      const content = lines.includes('0\r\n') ? '' : body
      t.same(await statuses(fake, post(lines) + content), [400], `${name}: ${what}`)
      t.same(await statuses(fake, post(lines) + content, hidden), [400], `${name}: ${what}, and a request`)
    }
  }
  t.same([...direct.calls, ...proxied.calls], [], 'no operation was called')
})

t.test('it is the same for a request that has no body', async t => {
  for (const lines of ['Content-Length: 0\r\nContent-Length: 0\r\n', 'Content-Length: 00\r\n', chunked + chunked]) {
    const bytes = `GET /api/v1/open HTTP/1.1\r\nHost: test\r\n${lines}\r\n`
    t.same(await statuses(direct, bytes, hidden), [400], lines)
  }
})

t.test('a length as clients write it leaves the connection open; blanks around it are no part of it', async t => {
  for (const length of ['8', ' 8 ', '\t8\t']) {
    const raw = new RawConnection(direct)
    for (let i = 0; i < 2; i++) {
      raw.write(post(`Content-Length:${length}\r\n`) + body)
      t.equal((await raw.answer())?.status, 200, length)
    }
    raw.destroy()
  }
})
