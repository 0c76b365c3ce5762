import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { isPublicAddress } from '../../server/external/address-policy.js'
import { type Push, PushSender } from '../../server/push/push-sender.js'
import { Receiver } from '../support/push-service.js'

const scalar = Buffer.alloc(32, 1)
const key = { public_key: new Receiver(scalar).p256dh, private_key: scalar }
const push: Push = { text: Buffer.from('{}'), ttl: 60, urgency: 'normal' }

async function host(handle: RequestListener): Promise<string> {
  const server = createServer(handle)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** `names`: what host names resolve to. */
function senderTo(privateOrigins: readonly string[], names: Readonly<Record<string, readonly string[]>> = {}) {
  const resolve = async (name: string) => names[name] ?? []
  const options = { key, subject: 'mailto:x@test.example', mayConnect: isPublicAddress, resolve, timeoutMs: 300 }
  const sender = new PushSender({ ...options, privateOrigins })
  t.teardown(() => sender.close())
  return (endpoint: string, sent = push) => {
    const { p256dh, auth } = new Receiver()
    return sender.send({ endpoint, p256dh, auth }, sent, Date.now())
  }
}

t.test('names of private addresses, and addresses of this network, get no request', async t => {
  const send = senderTo([], {
    'inside.example': ['10.0.0.1'],
    'both.example': ['93.184.216.34', '127.0.0.1'],
    'mapped.example': ['::ffff:169.254.169.254'],
  })
  for (const name of ['inside', 'both', 'mapped']) {
    t.match(await send(`https://${name}.example/`), { is: 'later', why: 'the address is not public' }, name)
  }
  t.match(await send('https://unknown.example/'), { is: 'later', why: 'the host is not known' })
  for (const endpoint of ['https://127.0.0.1/', 'https://[::1]/', 'http://93.184.216.34/', 'https://10.1.1.1:8443/']) {
    t.match(await send(endpoint), { is: 'refused', why: 'the endpoint is not allowed' }, endpoint)
  }
})

t.test('a redirect is not followed, and a long answer is not read', async t => {
  const asked: unknown[] = []
  const origin = await host((request, response) => {
    asked.push(request.url)
    if (request.url === '/from') response.writeHead(307, { location: '/to' }).end()
    else if (request.url === '/long') response.writeHead(201).end(Buffer.alloc(1_000_000))
    else response.writeHead(200).end()
  })
  const send = senderTo([origin])
  t.match(await send(`${origin}/from`), { is: 'refused', why: 'status 307' })
  t.same(asked, ['/from'])
  t.match(await send(`${origin}/long`), { is: /sent|later/ })
  t.match(await send(`${origin}/ok`), { is: 'sent' })
})

t.test('Retry-After is seconds or a date, an hour at most', async t => {
  const values = ['7', '999999', new Date(Date.now() + 60_000).toUTCString(), 'soon', '-1', undefined]
  const origin = await host((request, response) => {
    const value = values[Number(request.url?.slice(1))]
    response.writeHead(429, value === undefined ? {} : { 'retry-after': value }).end()
  })
  const send = senderTo([origin])
  const answers = await Promise.all(values.map((_, at) => send(`${origin}/${at}`)))
  t.ok(
    answers.every(({ is }) => is === 'later'),
    'without it, too',
  )
  const times = answers as { inMs?: number }[]
  t.same([times[0]?.inMs, times[1]?.inMs], [7_000, 3_600_000])
  t.ok(Number(times[2]?.inMs) > 50_000 && Number(times[2]?.inMs) <= 60_000)
  t.same([times[3]?.inMs, times[5]?.inMs], [undefined, undefined])
})

t.test('a host that does not answer rests, delays no other, and is tried again after that', async t => {
  let requests = 0
  const silent = await host(() => requests++)
  const drips = await host((_, response) => {
    response.writeHead(201)
    setInterval(() => response.write('x'), 50).unref()
  })
  const good = await host((_, response) => response.writeHead(201).end())
  const send = senderTo([silent, drips, good])
  const many = Array.from({ length: 200 }, () => send(`${silent}/`))
  t.match(await send(`${good}/`), { is: 'sent' }, 'while the other hangs')
  const outcomes = await Promise.all(many)
  t.ok(outcomes.every(outcome => outcome.is === 'later'))
  t.ok(requests > 0 && requests <= 64, `${requests} requests at once at most`)
  const before = requests
  t.match(await send(`${silent}/`), { is: 'later', why: /did not answer before/ })
  t.equal(requests, before, 'no request while it rests')
  t.match(await send(`${drips}/`), { is: 'later', why: 'no answer in time' })
})

t.test('a text that is too long is refused, and the host does not rest for it', async t => {
  const origin = await host((_, response) => response.writeHead(201).end())
  const send = senderTo([origin])
  const long = { ...push, text: Buffer.alloc(3_994, 32) }
  t.match(await send(`${origin}/`, long), { is: 'refused', why: 'the text of a push is too long' })
  const next = await send(`${origin}/`, { ...long, text: Buffer.alloc(3_993, 32) })
  t.notMatch(next, { why: 'the push service did not answer before' })
})
