// Content of other hosts: real HTTP servers in the place of these hosts, and a policy that admits them.
import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { isPublicAddress } from '../../../server/external/address-policy.js'
import { signedAddress } from '../../../server/external/signed-address.js'
import { otherHost, thisMachine, toOtherHosts } from '../../support/external.js'
import { startServer } from '../../support/server.js'
import { until } from '../until.js'

const limits = { bytes: 100_000 }
const server = await startServer(t, {}, undefined, toOtherHosts(limits))
const { secret } = server.ctx.directory.organization
const picture = Buffer.alloc(5_000, 7)

let gone = 0
const host = await otherHost(t, (request, response) => {
  const [, kind = '', rest = ''] = request.url?.split('/') ?? []
  response.on('close', () => {
    if (!response.writableFinished) gone++
  })
  if (kind === 'type') response.writeHead(200, { 'Content-Type': decodeURIComponent(rest) }).end(picture)
  else if (kind === 'status') response.writeHead(Number(rest), { 'Content-Type': 'image/png' }).end(picture)
  else if (kind === 'to') response.writeHead(302, { Location: decodeURIComponent(rest) }).end()
  else if (kind === 'silent') return
  else if (kind === 'range') sendRange(request.headers.range, response)
  else if (kind === 'stream') {
    response.writeHead(200, { 'Content-Type': 'image/png' })
    response.write(picture)
    response.end(picture)
  } else if (kind === 'endless') {
    response.writeHead(200, { 'Content-Type': 'image/png' })
    const more = () => {
      while (!response.destroyed && response.write(picture));
    }
    response.on('drain', more)
    more()
  } else if (kind === 'huge') response.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': 100_001 }).end()
  else if (kind === 'stall')
    response.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': 9_000 }).write(picture)
  else if (kind === 'short') {
    response.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': 9_000 }).write(picture)
    response.socket?.end()
  } else {
    response.setHeader('Set-Cookie', 'a=b')
    response.setHeader('X-Own', 'x')
    response.writeHead(200, { 'Content-Type': 'image/png; x=y', 'Content-Length': picture.length }).end(picture)
  }
})

function sendRange(range: string | undefined, response: import('node:http').ServerResponse): void {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? []
  const head = { 'Content-Type': 'video/mp4', 'Accept-Ranges': 'bytes' }
  if (first === undefined) {
    response.writeHead(200, head).end(picture)
    return
  }
  if (Number(first) >= picture.length) {
    response.writeHead(416, { ...head, 'Content-Range': `bytes */${picture.length}` }).end()
    return
  }
  const end = last ? Number(last) : picture.length - 1
  const part = picture.subarray(Number(first), end + 1)
  response.writeHead(206, { ...head, 'Content-Range': `bytes ${first}-${end}/${picture.length}` }).end(part)
}

const addressOf = (url: string) => server.url + signedAddress(secret, url)
const ask = (path: string, init: RequestInit = {}) => fetch(addressOf(host.at(path)), init)
const type = (name: string) => ask(`/type/${encodeURIComponent(name)}`)

t.test('a picture of another host is served from this one, without what belongs to that host alone', async t => {
  const response = await ask('/a.png', { headers: { Cookie: 'sessionid=x', Authorization: 'Basic x' } })
  t.equal(response.status, 200)
  t.ok(picture.equals(Buffer.from(await response.arrayBuffer())))
  t.match(Object.fromEntries(response.headers), {
    'content-type': /^image\/png$/,
    'content-length': '5000',
    'x-content-type-options': 'nosniff',
    'content-security-policy': /^default-src 'none'/,
    'cache-control': 'private, max-age=86400',
  })
  for (const name of ['set-cookie', 'x-own']) t.notOk(response.headers.has(name), name)
  const head = await ask('/a.png', { method: 'HEAD' })
  t.match(head, { status: 200 })
  t.equal(head.headers.get('content-length'), '5000')
})

t.test('a body whose length the host does not tell is passed on to its end', async t => {
  const response = await ask('/stream')
  t.equal((await response.arrayBuffer()).byteLength, 10_000)
  t.equal((await ask('/stream', { method: 'HEAD' })).status, 200)
})

t.test('players ask for parts', async t => {
  const part = await ask('/range', { headers: { Range: 'bytes=10-19' } })
  t.equal(part.status, 206)
  t.equal(part.headers.get('content-range'), 'bytes 10-19/5000')
  t.equal((await part.arrayBuffer()).byteLength, 10)
  t.equal((await (await ask('/range', { headers: { Range: 'bytes=4990-' } })).arrayBuffer()).byteLength, 10)
  const beyond = await ask('/range', { headers: { Range: 'bytes=9000-' } })
  t.equal(beyond.status, 416)
  t.equal(beyond.headers.get('content-range'), 'bytes */5000')
  t.equal(
    (await ask('/range', { headers: { Range: 'bytes=0-1,5-6' } })).status,
    200,
    'several ranges get the whole file',
  )
  t.equal((await ask('/a.png', { headers: { Range: 'bytes=0-1' } })).status, 200, 'a host may ignore it')
})

t.test('only what browsers show safely is passed on', async t => {
  for (const name of ['image/jpeg', 'image/webp', 'video/webm', 'audio/mpeg', 'IMAGE/PNG; charset=x'])
    t.equal((await type(name)).status, 200, name)
  const bad =
    'image/svg+xml|IMAGE/SVG+XML|image/svg|text/html|text/plain|application/xml|application/pdf|application/octet-stream|audio/mpegurl|' +
    'image/png, text/html|multipart/x-mixed-replace|x'
  for (const name of bad.split('|')) t.equal((await type(name)).status, 404, name)
  t.match(await (await type('text/html')).json(), { result: 'error', code: 'BAD_REQUEST' })
})

t.test('another status than success is no content', async t => {
  for (const status of [204, 206, 304, 401, 403, 404, 416, 500])
    t.equal((await ask(`/status/${status}`)).status, 404, String(status))
})

t.test('a redirect is followed, a circle of them is not', async t => {
  t.equal((await ask(`/to/${encodeURIComponent('/a.png')}`)).status, 200)
  t.equal((await ask(`/to/${encodeURIComponent(host.at('/a.png', 'other.example'))}`)).status, 200)
  const round = await otherHost(t, (request, response) => response.writeHead(302, { Location: request.url }).end())
  t.equal((await fetch(addressOf(round.at('/round')))).status, 404)
  t.equal(round.asked.length, 6)
})

t.test('what is too large is refused, or cut off where its size was not told', async t => {
  t.equal((await ask('/huge')).status, 404)
  const endless = await ask('/endless')
  await t.rejects(endless.arrayBuffer(), 'the client sees that bytes are missing')
})

t.test('a host that is silent, stops, or breaks off holds nothing up for ever', async t => {
  const impatient = await startServer(t, {}, undefined, toOtherHosts({ headMs: 200 }))
  const askAs = (path: string) =>
    fetch(impatient.url + signedAddress(impatient.ctx.directory.organization.secret, host.at(path)))
  t.equal((await askAs('/silent')).status, 404)
  await t.rejects((await ask('/short')).arrayBuffer())
  const stalling = await startServer(t, {}, undefined, toOtherHosts({ hostPauseMs: 500 }))
  const stalled = await fetch(
    stalling.url + signedAddress(stalling.ctx.directory.organization.secret, host.at('/stall')),
  )
  await t.rejects(stalled.arrayBuffer())
})

t.test('a client that reads nothing, or leaves, ends the fetch', async t => {
  const before = gone
  const { port } = new URL(server.url)
  const path = signedAddress(secret, host.at('/endless'))
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => {})
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  await once(socket, 'readable')
  socket.destroy()
  const left = new AbortController()
  const silent = ask('/silent', { signal: left.signal })
  left.abort()
  await t.rejects(silent)
  while (gone < before + 1) await new Promise(resolve => setImmediate(resolve))
  t.pass('the other host sees that its answer is not wanted')
})

t.test('only addresses that this server signed are fetched', async t => {
  const asked = host.asked.length
  const signed = signedAddress(secret, host.at('/a.png'))
  const other = signedAddress(secret, host.at('/b.png'))
  const [, , mac = '', hex = ''] = signed.split('/')
  for (const path of [
    `/external_content/${other.split('/')[2]}/${hex}`,
    `/external_content/${'0'.repeat(40)}/${hex}`,
    `/external_content/${mac.slice(1)}/${hex}`,
    `/external_content/${mac.toUpperCase()}/${hex}`,
    `/external_content/${mac}/${hex}0`,
    `/external_content/${mac}/${hex.slice(2)}`,
    `/external_content/${mac}/`,
    `/external_content/${mac}`,
    '/external_content/',
    `/external_content/../external_content/x/${hex}`,
    signedAddress('another secret', host.at('/a.png')),
  ]) {
    t.equal((await fetch(server.url + path)).status, 404, path)
  }
  t.equal((await fetch(server.url + signed, { method: 'POST' })).status, 405)
  t.equal((await fetch(server.url + signed, { method: 'DELETE' })).status, 405)
  t.equal(host.asked.length, asked)
})

t.test('a signed address that no host has, with credentials or an odd port is not fetched', async t => {
  const { port } = new URL(host.at('/'))
  for (const url of [
    `http://user:word@pictures.example:${port}/a.png`,
    'http://pictures.example:25/a.png',
    'ftp://pictures.example/a.png',
    'file:///etc/passwd',
    'nonsense',
    '/a.png',
    `http://127.0.0.2:${port}/a.png`,
    `http://[::1]:${port}/a.png`,
  ]) {
    t.equal((await fetch(addressOf(url))).status, 404, url)
  }
})

t.test('the rules of a server that runs for people reach no address of its own network', async t => {
  const asked = host.asked.length
  const strict = await startServer(t, {}, undefined, toOtherHosts(limits, thisMachine, isPublicAddress))
  const { organization } = strict.ctx.directory
  for (const name of [
    'pictures.example',
    '127.0.0.1',
    'localhost',
    '[::1]',
    '0.0.0.0',
    '[::ffff:127.0.0.1]',
    '2130706433',
  ]) {
    const response = await fetch(strict.url + signedAddress(organization.secret, host.at('/a.png', name)))
    t.equal(response.status, 404, name)
  }
  t.equal(host.asked.length, asked)
})

t.test('a server without EXTERNAL_CONTENT fetches nothing', async t => {
  const closed = await startServer(t, { EXTERNAL_CONTENT: '0' })
  t.equal(closed.ctx.external, null)
  const { organization } = closed.ctx.directory
  t.equal((await fetch(closed.url + signedAddress(organization.secret, host.at('/a.png')))).status, 404)
})

t.test('beyond what a worker passes on at once requests wait, and further ones are refused', async t => {
  const one = await startServer(t, {}, undefined, toOtherHosts({ ...limits, headMs: 60_000, atOnce: 2, waiting: 1 }))
  const path = signedAddress(one.ctx.directory.organization.secret, host.at('/silent'))
  const before = host.asked.length
  const leaving = new AbortController()
  const asked = Array.from({ length: 4 }, () => fetch(one.url + path, { signal: leaving.signal }))
  t.equal((await Promise.race(asked)).status, 503)
  while (host.asked.length < before + 2) await new Promise(resolve => setImmediate(resolve))
  leaving.abort()
  const ends = await Promise.allSettled(asked)
  t.same(ends.map(({ status }) => status).sort(), ['fulfilled', 'rejected', 'rejected', 'rejected'])
  t.equal(host.asked.length, before + 2)
})

t.test('requests for one host wait for each other, and leave room for other hosts', async t => {
  const limits = { perHost: 1, atOnce: 2, headMs: 60_000 }
  const resolve = async (name: string) => [name === 'other.example' ? '127.0.0.9' : '127.0.0.1']
  const busy = await startServer(
    t,
    {},
    undefined,
    toOtherHosts(limits, resolve, () => true),
  )
  const before = host.asked.length
  const askFor = (url: string, leaving?: AbortController) =>
    fetch(busy.url + signedAddress(busy.ctx.directory.organization.secret, url), { signal: leaving?.signal ?? null })
  const [first, others] = [new AbortController(), new AbortController()]
  const held = askFor(host.at('/silent'), first)
  await until(() => host.asked.length > before)
  const waiting = [1, 2, 3].map(n => askFor(host.at(`/waiting/${n}`, `name${n}.example`), others))
  // Nothing listens there: the answer shows that the host was asked.
  t.equal((await askFor(host.at('/a.png', 'other.example'))).status, 404)
  others.abort()
  await Promise.allSettled(waiting)
  const next = askFor(host.at('/next.png'))
  first.abort()
  await t.rejects(held)
  t.equal((await next).status, 200)
  t.same(
    host.asked.slice(before),
    ['GET /silent', 'GET /next.png'],
    'clients that left while they waited are forgotten',
  )
})

t.test('a request that has waited too long for its host is refused, and may be repeated', async t => {
  const busy = await startServer(t, {}, undefined, toOtherHosts({ perHost: 1, headMs: 2_000 }))
  const askFor = (path: string, signal: AbortSignal | null = null) =>
    fetch(busy.url + signedAddress(busy.ctx.directory.organization.secret, host.at(path)), { signal })
  const leaving = new AbortController()
  t.equal((await askFor('/stall', leaving.signal)).status, 200)
  const refused = await askFor('/a.png')
  t.equal(refused.status, 503)
  t.match(await refused.json(), { result: 'error', code: 'SERVER_NOT_READY' })
  leaving.abort()
  await until(() => busy.ctx.external?.hosts.places.hosts === 0)
  t.equal((await askFor('/a.png')).status, 200)
})
