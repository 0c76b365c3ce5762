import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import t from 'tap'
import { RunningCounts } from '../../../server/limits/running-counts.js'
import type { WorkLimits } from '../../../server/limits/work-limits.js'
import { Browser, givePassword } from '../../support/browser.js'
import { readFile, upload } from '../../support/files.js'
import { basic } from '../../support/http.js'
import { startServer } from '../../support/server.js'

// Three reads of files for each request. An operation that takes long counts for more, so it has more requests than it needs.
const server = await startServer(t, { RATE_LIMIT_USER: '20' })
const reads = 60
standStill(server)

/** No rate-limit window ends during a test. */
function standStill({ ctx }: Pick<typeof server, 'ctx'>): void {
  const now = Date.now()
  ctx.clock.now = () => now
}

t.test(
  'an account reads files so often in a minute, by whatever credentials, and its operations do not count',
  async t => {
    const owner = await server.person()
    const url = await upload(server.url, owner, { name: 'a.txt', bytes: 'a' })
    await givePassword(server.sql, owner)
    const { cookie: Cookie } = await new Browser(server.url).signIn(owner)
    const byKey = `${url}?api_key=${owner.api_key}`
    const ways = [
      () => readFile(server.url, owner, url),
      () => readFile(server.url, null, byKey),
      () => readFile(server.url, null, url, { Cookie }),
      () => readFile(server.url, owner, url.replace('user_uploads', 'user_uploads/download'), { Range: 'bytes=0-0' }),
    ]
    for (let n = 0; n < reads; n++) t.match((await ways[n % 4]?.())?.status, /^20[06]$/)
    for (const way of ways) {
      const answer = await way()
      t.equal(answer.status, 429)
      t.ok(Number(answer.headers.get('retry-after')) > 0)
      t.match(await answer.json(), { code: 'RATE_LIMIT_HIT' })
    }
    t.equal((await owner.get('/users/me')).status, 200)
    const other = await server.person()
    t.equal((await readFile(server.url, other, url)).status, 403, 'another account has reads of its own')
  },
)

t.test('a read of many bytes counts for more', async t => {
  const owner = await server.person()
  const url = await upload(server.url, owner, { name: 'a.bin', bytes: randomBytes(6_000_000) as Buffer<ArrayBuffer> })
  const statuses: number[] = []
  for (let n = 0; n < 12; n++) {
    const answer = await readFile(server.url, owner, url)
    await answer.arrayBuffer()
    statuses.push(answer.status)
  }
  // On a busy machine one that takes long is refused until it is known how much it counts.
  const read = statuses.filter(status => status === 200).length
  t.ok(read >= 8 && read <= 10, `each counts for six: ${statuses}`)
  t.equal(statuses.at(-1), 429)
})

t.test('addresses that lead nowhere count against the network', async t => {
  const limited = await startServer(t, { RATE_LIMIT_ADDRESS: '5' })
  standStill(limited)
  const { url } = limited
  const guess = () => fetch(`${url}/user_avatars/1/${randomBytes(20).toString('hex')}.png`)
  const token = () => fetch(`${url}/user_uploads/temporary/${randomBytes(20).toString('hex')}/a`)
  const statuses = []
  // A worker that waits for Redis may refuse one earlier, and one that takes long counts for more.
  for (let n = 0; n < 4 || statuses.at(-1) !== 429; n++) statuses.push((await (n % 2 ? token : guess)()).status)
  t.same(statuses.slice(0, 2), [404, 400])
  t.ok(statuses.length <= 7, 'no more than the limit, and what waited for Redis')
})

t.test('a client that takes many files at once, and slowly', async t => {
  const slow = await startServer(t, {}, server.organization)
  const limits: { -readonly [Name in keyof WorkLimits]: WorkLimits[Name] } = slow.ctx.workLimits
  limits.downloads = new RunningCounts(2, 'Too many.')
  const owner = await slow.person()
  const url = await upload(slow.url, owner, { name: 'a.bin', bytes: new Uint8Array(30_000_000) })
  const begin = () =>
    new Promise<{ status: string; end(): void }>(resolve => {
      const socket = connect(Number(new URL(slow.url).port), '127.0.0.1')
      socket.write(`GET ${url} HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(owner)}\r\n\r\n`)
      socket.once('data', bytes => {
        socket.pause()
        resolve({ status: String(bytes).slice(9, 12), end: () => socket.destroy() })
      })
    })
  const [first, second] = [await begin(), await begin()]
  t.same([first.status, second.status], ['200', '200'])
  const third = await readFile(slow.url, owner, url)
  t.match([third.status, await third.json()], [503, { code: 'SERVER_NOT_READY' }])
  const other = await readFile(slow.url, owner, url, { Range: 'bytes=0-9' })
  t.equal(other.status, 503)
  first.end()
  // The end of a connection is noticed later than this side closes it.
  let answer = await readFile(slow.url, owner, url)
  while (answer.status === 503) answer = await readFile(slow.url, owner, url)
  t.equal(answer.status, 200)
  t.equal((await answer.arrayBuffer()).byteLength, 30_000_000)
  second.end()
})
