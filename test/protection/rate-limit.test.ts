import t from 'tap'
import { networkOf } from '../../server/config/addresses.js'
import { endOfWindow } from '../../server/limits/request-limit.js'
import { basic } from '../support/http.js'
import type { Person } from '../support/people.js'
import { spawnServer } from '../support/server.js'
import { SocketClient } from './socket.js'

// An answer that takes long counts for more, so on a busy machine fewer requests are let through than the limit says: the lower bounds of
// this file are half of it. The upper bounds are a tenth more than the limit, and the ten requests that are sent at once.
// Two real workers on one port: the kernel gives each connection to one of them.
const server = await spawnServer(t, {
  WORKERS: '2',
  RATE_LIMIT_USER: '200',
  RATE_LIMIT_ADDRESS: '40',
  // Each test uses another user and another address.
  TRUSTED_PROXIES: '127.0.0.1',
})

let network = 0
/** An address for one test, whose rate-limit window does not end during the test. */
function elsewhere(address = () => `203.0.113.${++network}`): string {
  for (;;) {
    const found = address()
    if (isRoomy(networkOf(found))) return found
  }
}

/** A user whose rate-limit window does not end during the test. */
async function newPerson(): Promise<Person> {
  for (;;) {
    const person = await server.person()
    if (isRoomy(String(person.id))) return person
  }
}

function isRoomy(key: string): boolean {
  const now = Date.now()
  return endOfWindow(key, now) - now > 45_000
}

/** One request on a new connection, so that both workers get some. */
async function ask(path: string, headers: Record<string, string>, method = 'GET') {
  const response = await fetch(`${server.url}/api/v1${path}`, { method, headers: { Connection: 'close', ...headers } })
  return { status: response.status, headers: response.headers, body: JSON.parse((await response.text()) || '{}') }
}

/** Sends `most` requests, ten at a time; returns the number of answers by status. */
async function flood(most: number, headers: () => Record<string, string>, path = '/users/me') {
  const statuses = new Map<number, number>()
  for (let i = 0; i < most; i += 10) {
    const batch = await Promise.all(Array.from({ length: 10 }, () => ask(path, headers())))
    for (const { status } of batch) statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  return statuses
}

t.test('every authenticated answer says what is left', async t => {
  const person = await newPerson()
  const headers = { Authorization: basic(person) }
  const first = await ask('/users/me', headers)
  t.equal(first.status, 200)
  t.equal(first.headers.get('x-ratelimit-limit'), '200')
  t.match(first.headers.get('x-ratelimit-remaining'), /^1\d\d$/)
  const reset = Number(first.headers.get('x-ratelimit-reset'))
  t.ok(Number.isInteger(reset) && reset * 1000 > Date.now() && reset * 1000 <= Date.now() + 61_000)

  const refused = await ask('/users/me/subscriptions', headers, 'POST')
  t.equal(refused.status, 400)
  t.ok(refused.headers.get('x-ratelimit-remaining'), 'also where parameters are wrong')
  t.notOk((await ask('/server_settings', { 'X-Forwarded-For': elsewhere() })).headers.get('x-ratelimit-limit'))
})

t.test('an account has one rate limit over both workers, and the refusal says when to retry', async t => {
  const person = await newPerson()
  const other = await server.person()
  const headers = () => ({ Authorization: basic(person) })
  const statuses = await flood(400, headers)
  const through = statuses.get(200) ?? 0
  t.ok(through >= 100 && through <= 230, `${through} let through`)
  t.equal(statuses.get(429), 400 - through)

  const refused = await ask('/users/me', headers())
  t.equal(refused.status, 429)
  t.match(refused.body, { result: 'error', code: 'RATE_LIMIT_HIT' })
  const wait = refused.body['retry-after']
  t.ok(wait > 0 && wait <= 60)
  t.equal(refused.headers.get('retry-after'), String(Math.ceil(wait)))
  t.equal(refused.headers.get('x-ratelimit-remaining'), '0')
  t.equal(refused.headers.get('x-ratelimit-limit'), '200')

  t.equal((await ask('/users/me', { Authorization: basic(other) })).status, 200, 'nobody else is concerned')
  t.equal((await ask('/nothing/here', headers())).status, 404, 'route and method come before the limit')
  t.equal((await ask('/users/me', headers(), 'PATCH')).status, 405)
  const [email, wrong] = [person.email, 'x'.repeat(32)]
  const from = { 'X-Forwarded-For': elsewhere() }
  t.equal(
    (await ask('/users/me', { ...from, Authorization: basic({ email, api_key: wrong }) })).status,
    401,
    'and who one is',
  )
  t.equal((await ask('/users/me/subscriptions', headers(), 'POST')).status, 429, 'parameters come after it')
})

t.test('what comes without credentials is counted for where it comes from', async t => {
  const address = elsewhere()
  const statuses = await flood(100, () => ({ 'X-Forwarded-For': address }), '/server_settings')
  const through = statuses.get(200) ?? 0
  t.ok(through >= 20 && through <= 54, `${through} let through`)
  t.equal(statuses.get(429), 100 - through)
  t.equal((await ask('/users/me', { 'X-Forwarded-For': address })).status, 429)
  t.equal((await ask('/nothing', { 'X-Forwarded-For': address })).status, 429, 'looking around counts, too')
  t.equal((await ask('/server_settings', { 'X-Forwarded-For': elsewhere() })).status, 200)
})

t.test('a cookie that is no session is no way around the count', async t => {
  const headers = { Connection: 'close', 'X-Forwarded-For': elsewhere(), Cookie: 'sessionid=x' }
  const statuses = new Set<number>()
  for (let i = 0; i < 60; i++) {
    const answer = await fetch(`${server.url}/user_uploads/1/x/y.txt`, { headers })
    statuses.add(answer.status)
    await answer.body?.cancel()
  }
  t.ok(statuses.has(429))
})

t.test('wrong keys are counted for where they come from, and then not looked at', async t => {
  const address = elsewhere()
  const person = await server.person()
  const known = await server.person()
  const right = { 'X-Forwarded-For': address, Authorization: basic(known) }
  for (let i = 0; i < 10; i++) t.equal((await ask('/users/me', right)).status, 200)
  const wrong = () => ({
    'X-Forwarded-For': address,
    Authorization: basic({ email: person.email, api_key: 'f'.repeat(32) }),
  })
  const statuses = await flood(100, wrong)
  t.ok((statuses.get(401) ?? 0) >= 20 && (statuses.get(401) ?? 0) <= 54, `${statuses.get(401)} looked at`)
  t.equal((statuses.get(401) ?? 0) + (statuses.get(429) ?? 0), 100)
  const newcomer = { 'X-Forwarded-For': address, Authorization: basic(person) }
  t.equal((await ask('/users/me', newcomer)).status, 429, 'also a right one that nobody has shown before')
  t.equal(
    (await ask('/users/me', { ...newcomer, 'X-Forwarded-For': elsewhere() })).status,
    200,
    'from elsewhere it is let in',
  )
  t.equal((await ask('/users/me', right)).status, 200, 'who was at work there goes on')
})

t.test('IPv6: a whole /64 is one caller, written in whatever way', async t => {
  let subnet = 0
  const first = elsewhere(() => `2001:db8:0:${(++subnet).toString(16)}::1`)
  const forms = (i: number) => [
    first.replace('::1', `::${i.toString(16)}`),
    first.toUpperCase().replace('::1', `:ffff:0:0:${i}`),
  ]
  let number = 0
  const from = () => ({ 'X-Forwarded-For': forms(++number)[number % 2] as string })
  const statuses = await flood(80, from, '/server_settings')
  const through = statuses.get(200) ?? 0
  t.ok(through <= 54, `${through} let through`)
  t.equal(statuses.get(429), 80 - through)
  t.equal((await ask('/server_settings', { 'X-Forwarded-For': '2001:db8:1::1' })).status, 200)
})

t.test('frames count as requests; a client that keeps sending loses its socket, with the time to wait', async t => {
  const person = await newPerson()
  const socket = await SocketClient.open(server.url, person)
  const isRefused = () => socket.frames.some(frame => frame.op === 'reply' && frame.status === 429)
  for (let i = 0; i < 240 && !isRefused(); i += 8) {
    const ids = Array.from({ length: 8 }, (_, k) => i + k)
    for (const id of ids) socket.send({ op: 'request', id, method: 'GET', path: '/users/me' })
    for (const id of ids) await socket.reply(id)
  }
  const replies = socket.frames.filter(frame => frame.op === 'reply')
  const through = replies.filter(({ status }) => status === 200).length
  t.ok(through >= 100 && through <= 231, `${through} let through`)
  const refused = replies.find(({ status }) => status === 429)
  t.match(refused, { body: { code: 'RATE_LIMIT_HIT' } })
  t.ok(refused?.body['retry-after'] > 0)

  const more = (await flood(40, () => ({ Authorization: basic(person) }))).get(200) ?? 0
  t.ok(through + more <= 230, `${more} more by REST: it is the same limit`)
  socket.send({ op: 'attach', id: 'a', queue_id: 'none', last_event_id: -1 })
  t.equal((await socket.reply('a')).status, 429)
  socket.send({ op: 'register', id: 'r', params: {} })
  t.equal((await socket.reply('r')).status, 429)

  for (let i = 0; i < 200; i++) socket.send({ op: 'request', id: `x${i}`, method: 'GET', path: '/users/me' })
  const { code, reason } = await socket.closed
  t.equal(code, 4003)
  t.match(reason, /^[1-9]\d?$/)

  // The other worker may not know yet: it learns it with the next tenth of the limit.
  const again = await Promise.all(
    Array.from({ length: 20 }, () => SocketClient.connect(server.url, { Authorization: basic(person) })),
  )
  const end = await Promise.any(again.map(one => one.closed))
  t.equal(end.code, 4003, 'nor is it opened before that')
  t.match(end.reason, /^[1-9]\d?$/)
  for (const one of again) one.socket.terminate()
})

t.test('wrong keys by socket count for the address', async t => {
  const address = elsewhere()
  const codes: number[] = []
  for (let i = 0; i < 60; i++) {
    const socket = await SocketClient.connect(server.url, { 'X-Forwarded-For': address })
    socket.send({ op: 'auth', id: 1, email: 'a@b.example', api_key: String(i).padStart(32, '0') })
    codes.push((await socket.closed).code)
  }
  t.equal(codes[0], 4001)
  t.equal(codes.at(-1), 4003)
  t.ok(codes.filter(code => code === 4001).length <= 54)
})

t.test('first frames that are no auth count for the address like wrong keys, one for each socket', async t => {
  const address = elsewhere()
  const codes: number[] = []
  for (let i = 0; i < 60; i++) {
    const socket = await SocketClient.connect(server.url, { 'X-Forwarded-For': address })
    for (let k = 0; k < 5; k++) socket.send({ op: 'request', id: k, method: 'GET', path: '/users/me' })
    codes.push((await socket.closed).code)
  }
  const wrong = codes.filter(code => code === 4001).length
  t.ok(wrong >= 20 && wrong <= 54, `${wrong} sockets were closed as wrong`)
  // A worker that waits for Redis may refuse one and then let the next one through.
  t.ok(codes.slice(-5).includes(4003))
  const newcomer = await newPerson()
  const headers = { Authorization: basic(newcomer), 'X-Forwarded-For': address }
  t.equal((await ask('/users/me', headers)).status, 429, 'nor may it try keys by REST')
  const late = await SocketClient.connect(server.url, { 'X-Forwarded-For': address })
  late.send({ op: 'auth', id: 1, email: newcomer.email, api_key: newcomer.api_key })
  t.equal((await late.closed).code, 4003, 'nor by socket')
})

t.test('frames that are refused count for their caller', async t => {
  const person = await newPerson()
  const socket = await SocketClient.open(server.url, person)
  const isLimited = () => socket.frames.some(frame => frame.op === 'error' && frame.code === 'RATE_LIMIT_HIT')
  for (let i = 0; i < 240 && !isLimited(); i += 8) {
    for (let k = 0; k < 8; k++) socket.send({ op: 'ack', last_event_id: 5 })
    socket.send({ op: 'detach', id: i })
    await socket.reply(i)
  }
  const refused = socket.frames.filter(frame => frame.op === 'error' && frame.code === 'BAD_REQUEST').length
  t.ok(refused >= 100 && refused <= 221, `${refused} were refused for what they are`)
  // Single frames may be refused earlier, while the worker waits for the count of the other one; so the last one may be let through.
  t.ok(isLimited(), 'the rest for their number')
  for (let i = 0; i < 400; i++) socket.send({ op: 'ack', last_event_id: 5 })
  t.equal((await socket.closed).code, 4003)
})
