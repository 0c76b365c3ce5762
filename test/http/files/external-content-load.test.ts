// Slow hosts, slow readers and many requests: what one reader or one host may take of the proxy. Real hosts that drip.
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import t from 'tap'
import type { ExternalLimits } from '../../../server/external/external.js'
import { externalLimits } from '../../../server/external/external.js'
import type { ResolveHost } from '../../../server/external/resolve-host.js'
import { signedAddress } from '../../../server/external/signed-address.js'
import { otherHost, toOtherHosts } from '../../support/external.js'
import { startServer } from '../../support/server.js'
import { until } from '../until.js'

/** Writes a piece at each interval until the reader is gone. */
function drip(response: ServerResponse, piece: string | Buffer, everyMs: number): void {
  response.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': 50_000_000 })
  const timer = setInterval(() => response.write(piece), everyMs)
  response.on('close', () => clearInterval(timer))
}

let open = 0
const host = await otherHost(
  t,
  ({ url }, response) => {
    open++
    response.on('close', () => open--)
    if (url === '/drip') drip(response, 'x', 1_000)
    else if (url === '/steady') drip(response, Buffer.alloc(2_000), 20)
    else if (url === '/full') {
      response.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': 50_000_000 })
      response.write(Buffer.alloc(40_000_000))
    } else if (url !== '/silent') response.writeHead(200, { 'Content-Type': 'image/png' }).end('picture')
  },
  '0.0.0.0',
)

/** `host7.example` has the address 127.0.0.7. */
const resolve: ResolveHost = async name => [`127.0.0.${/\d+/.exec(name)?.[0] ?? 1}`]

async function proxy(limits: Partial<ExternalLimits> = {}, resolving = resolve) {
  const external = toOtherHosts(limits, resolving, () => true)
  const server = await startServer(t, { TRUSTED_PROXIES: '127.0.0.1' }, undefined, external)
  const { secret } = server.ctx.directory.organization
  const addressOf = (path: string, name = 'host1.example') => signedAddress(secret, host.at(path, name))
  const ask = (reader: string, path: string, name?: string, signal?: AbortSignal) =>
    fetch(server.url + addressOf(path, name), { headers: { 'X-Forwarded-For': reader }, signal: signal ?? null })
  return { ask, addressOf, port: Number(new URL(server.url).port), places: external.hosts.places }
}

t.test('a reader of hosts that drip takes no place from other readers, nor from other hosts of its own', async t => {
  const { ask, places } = await proxy()
  const leaving = new AbortController()
  // More than a worker fetches at once.
  const drips = Array.from({ length: 16 }, (_, n) => n + 2).flatMap(n =>
    Array.from({ length: 9 }, () => ask('10.0.0.1', '/drip', `host${n}.example`, leaving.signal)),
  )
  await until(() => open === externalLimits.perReader)
  const other = await ask('10.0.0.2', '/picture')
  t.equal(other.status, 200)
  t.equal(open, externalLimits.perReader, 'the hosts still drip')
  leaving.abort()
  await Promise.allSettled(drips)
  await until(() => open === 0 && places.owners === 0)
  t.equal((await ask('10.0.0.1', '/picture')).status, 200, 'places are free as soon as the reader has left')
})

t.test('many readers of one host that drips leave room for other hosts', async t => {
  const { ask } = await proxy()
  const leaving = new AbortController()
  const drips = Array.from({ length: 40 }, (_, n) => ask(`10.1.0.${n}`, '/drip', 'host2.example', leaving.signal))
  await until(() => open === externalLimits.perHost)
  t.equal((await ask('10.1.0.1', '/picture')).status, 200)
  t.equal(open, externalLimits.perHost)
  leaving.abort()
  await Promise.allSettled(drips)
  await until(() => open === 0)
})

t.test('one reader has half of the places of a host', async t => {
  const { ask } = await proxy({ perHost: 4 })
  const leaving = new AbortController()
  const held = Array.from({ length: 4 }, () => ask('10.0.0.1', '/drip', undefined, leaving.signal))
  await until(() => open === 2)
  t.equal((await ask('10.0.0.2', '/picture')).status, 200)
  t.equal(open, 2)
  leaving.abort()
  await Promise.allSettled(held)
})

t.test('a host that sends less than the least rate is cut off, one that sends more is not', async t => {
  const { ask } = await proxy({ hostPauseMs: 700 })
  const [slow, steady] = await Promise.all([ask('10.0.0.1', '/drip'), ask('10.0.0.1', '/steady')])
  t.match([slow.status, steady.status], [200, 200])
  await t.rejects(slow.arrayBuffer())
  const reading = steady.body?.getReader()
  for (let bytes = 0; bytes < 200_000; ) {
    const part = await reading?.read()
    if (!part?.value) throw new Error('the steady host was cut off')
    bytes += part.value.length
  }
  await reading?.cancel()
  await until(() => open === 0)
})

t.test('a body that takes too long as a whole is cut off', async t => {
  const { ask } = await proxy({ bodyMs: 500 })
  await t.rejects((await ask('10.0.0.1', '/steady')).arrayBuffer())
  await until(() => open === 0)
})

t.test('a client that takes nothing is cut off, and its host with it', async t => {
  const { addressOf, port, places } = await proxy({ clientPauseMs: 500 })
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(`GET ${addressOf('/full')} HTTP/1.1\r\nHost: x\r\n\r\n`)
  await once(socket, 'readable')
  await until(() => open === 1)
  await until(() => open === 0 && places.owners === 0)
  t.equal(socket.destroyed, false, 'the client has not left')
  socket.destroy()
})

t.test('a reader that leaves while it waits for a name, a place or an answer frees its place at once', async t => {
  let asked = 0
  const slowly: ResolveHost = name => {
    if (name !== 'slow.example') return resolve(name)
    asked++
    return new Promise(() => {})
  }
  const { ask, places } = await proxy({ atOnce: 1, headMs: 60_000 }, slowly)
  const leaving = new AbortController()
  const held = [ask('10.0.0.1', '/silent', undefined, leaving.signal)]
  await until(() => open === 1)
  held.push(ask('10.0.0.2', '/picture', undefined, leaving.signal))
  held.push(ask('10.0.0.3', '/picture', 'slow.example', leaving.signal))
  await until(() => places.owners === 2 && asked === 1)
  leaving.abort()
  await Promise.allSettled(held)
  await until(() => places.owners === 0)
  t.equal((await ask('10.0.0.4', '/picture')).status, 200)
})

t.test('of one reader so many wait, and further ones are refused at once', async t => {
  const { ask, places } = await proxy({ perReader: 1, waitingPerOwner: 2, headMs: 60_000 })
  const leaving = new AbortController()
  const held = Array.from({ length: 3 }, () => ask('10.0.0.1', '/silent', undefined, leaving.signal))
  await until(() => open === 1)
  const refused = await ask('10.0.0.1', '/picture')
  t.equal(refused.status, 503)
  t.match(await refused.json(), { code: 'SERVER_NOT_READY' })
  t.equal((await ask('10.0.0.2', '/picture')).status, 200)
  leaving.abort()
  await Promise.allSettled(held)
  await until(() => places.owners === 0)
})

t.test('requests with valid signatures are limited, too: for each network', async t => {
  const { ask } = await proxy({ perMinute: 60 })
  const untilRefused = async (readerOf: (n: number) => string): Promise<[number, Response]> => {
    for (let n = 0; n < 100; n++) {
      const answer = await ask(readerOf(n), '/picture')
      if (answer.status !== 200) return [n, answer]
      await answer.arrayBuffer()
    }
    throw new Error('nothing was refused')
  }
  const [admitted, refused] = await untilRefused(() => '10.0.0.1')
  t.ok(admitted > 30 && admitted <= 60, `${admitted} admitted`)
  t.equal(refused.status, 429)
  t.ok(Number(refused.headers.get('retry-after')) > 0)
  t.match(await refused.json(), { code: 'RATE_LIMIT_HIT' })
  t.equal((await ask('10.0.0.2', '/picture')).status, 200)
  const [, ofNetwork] = await untilRefused(n => `2001:db8::${n}`)
  t.equal(ofNetwork.status, 429, 'one network of IPv6')
  t.equal((await ask('2001:db8:0:1::1', '/picture')).status, 200, 'another one')
})
