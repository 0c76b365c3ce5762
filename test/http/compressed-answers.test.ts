import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import t from 'tap'
import { bumpVersion } from '../../server/store/organization/organization.js'
import { basic } from '../support/http.js'
import type { Person } from '../support/people.js'
import { startServer } from '../support/server.js'
import { newSession } from '../web/support/browser.js'
import { until } from './until.js'

interface Sent {
  readonly status: number
  readonly coding: string | undefined
  readonly vary: string | undefined
  readonly bytes: Buffer
  readonly length: number
}

const server = await startServer(t, { ALLOWED_ORIGINS: 'https://app.example' })
const [ann, bob] = [await server.person({ full_name: 'Ann Marlow', role: 100 }), await server.person()]
await server.sql.begin(
  async tx => tx`
    insert into users (delivery_email, full_name, role, api_key, version)
    select 'crowd' || n || '@test.example', 'Crowd ' || n, 400, lpad(n::text, 32, '0'), ${await bumpVersion(tx)}
    from generate_series(1, 200) as n`,
)

/** As a client that decompresses nothing by itself. */
function ask(
  path: string,
  headers: Record<string, string>,
  { method = 'GET', who = ann as Person | null } = {},
): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const sent = request(`${server.url}${path}`, {
      method,
      headers: { ...(who && { Authorization: basic(who) }), ...headers },
    })
    sent.on('error', reject)
    sent.on('response', answer => {
      const chunks: Buffer[] = []
      answer.on('data', chunk => chunks.push(chunk))
      answer.on('end', () => {
        const { 'content-encoding': coding, vary, 'content-length': length } = answer.headers
        resolve({ status: answer.statusCode ?? 0, coding, vary, bytes: Buffer.concat(chunks), length: Number(length) })
      })
    })
    sent.end()
  })
}

const accepting = (coding: string) => ({ 'Accept-Encoding': coding })
const users = '/api/v1/users'
const plainUsers = () => ask(users, {})
const textOf = ({ coding, bytes }: Sent): string =>
  (coding === 'gzip' ? gunzipSync(bytes) : coding === 'br' ? brotliDecompressSync(bytes) : bytes).toString()

t.test('a large answer is compressed for a client that accepts it, and is the same', async t => {
  const plain = await plainUsers()
  t.match(plain, { status: 200, coding: undefined, vary: 'Accept-Encoding' })
  t.ok(plain.bytes.length > 50_000)
  for (const [accepted, coding] of [
    ['gzip, deflate, br', 'gzip'],
    ['br', 'br'],
    ['gzip;q=0.5, br;q=0.9', 'br'],
  ] as const) {
    const packed = await ask(users, accepting(accepted))
    t.match(packed, { status: 200, coding, vary: 'Accept-Encoding', length: packed.bytes.length }, accepted)
    t.ok(packed.bytes.length < plain.bytes.length / 5, `${packed.bytes.length} of ${plain.bytes.length} bytes`)
    t.equal(textOf(packed), plain.bytes.toString())
  }
})

t.test('what was compressed for another answer is dropped with it', async t => {
  await Promise.all(Array.from({ length: 20 }, () => ask(users, accepting('gzip'))))
  await ann.ok('PATCH', `/users/${bob.id}`, { full_name: 'Bob Renamed' })
  const packed = await ask(users, accepting('gzip'))
  t.equal(textOf(packed), (await plainUsers()).bytes.toString())
  t.match(textOf(packed), /Bob Renamed/)
})

t.test('messages and register, too, whose chunks belong to one reader', async t => {
  await ann.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'long' }] })
  for (let n = 0; n < 5; n++)
    await ann.ok('POST', '/messages', { type: 'channel', to: 'long', topic: 'texts', content: `ä${n} `.repeat(900) })
  const messages = '/api/v1/messages?anchor=newest&num_before=100&num_after=0'
  const plain = await ask(messages, {})
  const [gzip, br] = [await ask(messages, accepting('gzip')), await ask(messages, accepting('gzip, br'))]
  t.same([gzip.coding, br.coding], ['gzip', 'br'])
  t.equal(textOf(gzip), plain.bytes.toString())
  t.equal(textOf(br), plain.bytes.toString())
  const register = await ask('/api/v1/register', accepting('gzip, br'), { method: 'POST' })
  t.equal(register.coding, 'gzip', 'which shares the list of users')
  t.equal(JSON.parse(textOf(register)).realm_users.length, 202)
})

t.test('what is left as it is', async t => {
  for (const accepted of [
    'identity',
    'deflate',
    'gzip;q=0',
    'br;q=0, gzip;q=0, *;q=0',
    'identity, gzip;q=0.3',
    'gzip;q=no',
  ]) {
    const sent = await ask(users, accepting(accepted))
    t.match(sent, { status: 200, coding: undefined, vary: 'Accept-Encoding' }, accepted)
    t.match(JSON.parse(textOf(sent)), { result: 'success' })
  }
  const short = await ask('/api/v1/users/me', accepting('gzip, br'))
  t.match(short, { status: 200, coding: undefined, vary: undefined }, 'a short answer')
  const refused = await ask(`${users}?nonsense=1`, accepting('gzip'), { who: null })
  t.match(refused, { status: 401, coding: undefined, vary: undefined }, 'a refusal')
})

t.test('a client that refuses answers as they are gets short ones and refusals compressed, too', async t => {
  const strict = accepting('gzip, identity;q=0')
  const [short, refused] = [await ask('/api/v1/users/me', strict), await ask(users, strict, { who: null })]
  t.match(short, { status: 200, coding: 'gzip' })
  t.match(JSON.parse(textOf(short)), { user_id: ann.id })
  t.match(refused, { status: 401, coding: 'gzip' })
  t.match(JSON.parse(textOf(refused)), { code: 'UNAUTHORIZED' })
  const hopeless = await ask('/api/v1/users/me', accepting('zstd, identity;q=0'))
  t.match(hopeless, { status: 200, coding: undefined }, 'one that accepts nothing at all gets the answer as it is')
})

t.test('HEAD says what GET would say, without a body', async t => {
  const sent = await ask(users, accepting('br'), { method: 'HEAD' })
  t.match(sent, { status: 200, coding: 'br', bytes: { length: 0 } })
  t.equal(sent.length, (await ask(users, accepting('br'))).bytes.length)
})

t.test('answers with credentials are never compressed', async t => {
  for (let n = 0; n < 60; n++)
    await ann.ok('POST', '/invites/multiuse', { invite_expires_in_minutes: 60, stream_ids: [] })
  const invites = await ask('/api/v1/invites', accepting('gzip, identity;q=0'))
  t.ok(invites.bytes.length > 8 * 1024)
  t.match(invites, { status: 200, coding: undefined })
})

t.test('a page of another site that opens an address learns no compressed length', async t => {
  const [session] = await newSession(server.url, ann)
  const own = (site: string) => ({
    Cookie: `${session?.name}=${session?.value}`,
    ...accepting('gzip'),
    'Sec-Fetch-Site': site,
  })
  for (const site of ['cross-site', 'same-site'])
    t.match(await ask('/json/users', own(site), { who: null }), { status: 200, coding: undefined }, site)
  for (const site of ['same-origin', 'none'])
    t.match(await ask('/json/users', own(site), { who: null }), { status: 200, coding: 'gzip' }, site)
})

t.test('a client that leaves while a thread compresses its answer disturbs no other', async t => {
  for (let n = 0; n < 20; n++) {
    const sent = request(`${server.url}/api/v1/register`, {
      method: 'POST',
      headers: { Authorization: basic(ann), ...accepting('gzip') },
    })
    sent.on('error', () => {})
    sent.end()
    await new Promise(done => setTimeout(done, n))
    sent.destroy()
  }
  t.match(JSON.parse(textOf(await ask(users, accepting('gzip')))), { result: 'success' })
})

t.test('of long polls only large answers are compressed', async t => {
  const poll = async (content: string) => {
    const { queue_id } = await ann.ok('POST', '/register', { event_types: ['message'] })
    await ann.ok('POST', '/messages', { type: 'direct', to: [bob.id], content })
    return await ask(`/api/v1/events?queue_id=${queue_id}&last_event_id=-1`, accepting('gzip'))
  }
  t.match(await poll('x'.repeat(9000)), { status: 200, coding: undefined })
  const { queue_id } = await ann.ok('POST', '/register', { event_types: ['message'] })
  for (let n = 0; n < 5; n++)
    await ann.ok('POST', '/messages', { type: 'direct', to: [bob.id], content: 'y'.repeat(9000) })
  // An event may come after the answer to its message.
  const waiting = { queue_id, last_event_id: -1, dont_block: true }
  await until(async () => (await ann.ok('GET', '/events', waiting)).events.length === 5)
  const long = await ask(`/api/v1/events?queue_id=${queue_id}&last_event_id=-1`, accepting('gzip'))
  t.match(long, { status: 200, coding: 'gzip' })
  t.equal(JSON.parse(textOf(long)).events.length, 5)
})
