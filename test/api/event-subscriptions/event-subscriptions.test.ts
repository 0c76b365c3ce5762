// Events of a bot reach an address: signed, in their order, again until they are accepted, from any position that the feed holds.
import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { eventSubscription, eventSubscriptionKey } from '../../../server/job-types/event-subscription.js'
import type { Loose } from '../../support/in-step.js'
import { postKeyed } from '../../support/keyed.js'
import { until } from '../../support/redis-node.js'
import { startServer } from '../../support/server.js'

interface Received {
  readonly id: string
  readonly headers: Record<string, string>
  readonly text: string
  readonly body: Loose
}

const received: Received[] = []
let answer: { readonly status: number; readonly headers?: Record<string, string> } = { status: 200 }
const receive: RequestListener = (request, response) => {
  const chunks: Buffer[] = []
  request.on('data', chunk => chunks.push(chunk))
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString()
    const headers = request.headers as Record<string, string>
    received.push({ id: headers['webhook-id'] ?? '', headers, text, body: JSON.parse(text) })
    response.writeHead(answer.status, answer.headers).end('{}')
  })
}
const receiver = createServer(receive)
await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
t.teardown(() => receiver.close())
const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`

const server = await startServer(t, { WEBHOOK_PRIVATE_ORIGINS: origin })
const anna = await server.person({ full_name: 'Anna' })
const bot = await server.person({ full_name: 'Watcher', bot_type: 1, bot_owner_id: anna.id })
await anna.ok('POST', '/users/me/subscriptions', {
  subscriptions: [{ name: 'weather' }],
  principals: [anna.id, bot.id],
})
const { stream_id } = await anna.ok('GET', '/get_stream_id', { stream: 'weather' })
const say = async (content: string): Promise<number> =>
  (await anna.ok('POST', '/messages', { type: 'stream', to: stream_id, topic: 'today', content })).id
const path = '/event_subscriptions'
const subscribe = (params: Loose = {}): Promise<Loose> =>
  bot.ok('POST', path, { url: `${origin}/events`, event_types: ['message', 'reaction'], ...params })
const only = async (): Promise<Loose> => (await bot.ok('GET', path)).event_subscriptions[0]
const contents = () => received.filter(one => one.body.type === 'message').map(one => one.body.data.message.content)

t.beforeEach(async () => {
  for (const { id } of (await bot.ok('GET', path)).event_subscriptions) await bot.ok('DELETE', `${path}/${id}`)
  received.length = 0
  answer = { status: 200 }
})

t.test('events arrive in their order, with signatures that a library of Standard Webhooks verifies', async t => {
  const { id, secret } = await subscribe()
  const first = await say('**rain**')
  await anna.ok('POST', `/messages/${first}/reactions`, { emoji_name: 'tada' })
  await say('sun')
  await until(() => received.length === 3)
  t.same(
    received.map(one => one.body.type),
    ['message', 'reaction', 'message'],
  )
  t.same(contents(), ['**rain**', 'sun'], 'the source of messages')
  const webhook = new Webhook(secret)
  for (const { text, headers, body } of received) {
    webhook.verify(text, headers)
    t.throws(() => webhook.verify(text.replace('"', ' "'), headers), /signature/)
    t.ok(Math.abs(Date.parse(body.timestamp) - Date.now()) < 600_000)
  }
  t.equal(new Set(received.map(one => one.id)).size, 3)
  await until(async () => (await only()).last_event_id === received[2]?.body.data.id)
  t.match(await only(), { id, url: `${origin}/events`, is_active: true, failing_since: null, failure: null })
  t.notOk('secret' in (await only()))
})

t.test('other types, and what the bot may not see, are not sent', async t => {
  await subscribe({ event_types: ['reaction'] })
  const id = await say('no')
  const ben = await server.person()
  await anna.ok('POST', '/messages', { type: 'direct', to: [ben.id], content: 'secret' })
  await anna.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
  await until(() => received.length === 1)
  t.equal(received[0]?.body.type, 'reaction')
})

t.test('what is refused comes again, with the same id, and nothing overtakes it', async t => {
  await subscribe()
  answer = { status: 503 }
  await say('one')
  await say('two')
  await until(async () => (await only()).failing_since !== null)
  t.match(await only(), { failure: 'status 503', is_active: true })
  answer = { status: 200 }
  await until(() => received.some(one => one.body.data.message.content === 'two'))
  const ones = received.filter(one => one.body.data.message.content === 'one')
  t.ok(ones.length >= 2)
  t.equal(new Set(ones.map(one => one.id)).size, 1)
  t.equal(received.at(-1)?.body.data.message.content, 'two')
  await until(async () => (await only()).failing_since === null)
})

t.test('a receiver that is gone gets nothing more, and its owner learns of it', async t => {
  const { id } = await subscribe()
  answer = { status: 410 }
  await say('one')
  await until(async () => !(await only()).is_active)
  await say('two')
  await until(async () => {
    const { messages } = await anna.ok('GET', '/messages', { anchor: 'newest', num_before: 5, num_after: 0 })
    return messages.some((one: Loose) => /No more events of your bot .*Watcher.*status 410/.test(one.content))
  })
  t.equal(received.length, 1)
  answer = { status: 200 }
  await bot.ok('PATCH', `${path}/${id}`, { is_active: true })
  await until(() => contents().length === 3)
  t.same(contents(), ['one', 'one', 'two'], 'nothing is lost meanwhile')
})

t.test('a failure after a success is the first one, however long it had failed before', async t => {
  const { id } = await subscribe()
  await bot.ok('PATCH', `${path}/${id}`, { is_active: false })
  await say('one')
  await say('two')
  await server.sql`update event_subscriptions set failing_since = now() - interval '4 days', failures = 90 where id = ${id}`
  let requests = 0
  // The second one is refused.
  receiver.prependListener('request', () => {
    answer = { status: ++requests === 2 ? 503 : 200 }
  })
  await server.sql`update event_subscriptions set is_active = true where id = ${id}`
  const [row] = await server.sql<{ version: number }[]>`select version from event_subscriptions where id = ${id}`
  await server.ctx.write(async (_tx, _emit, { after }) =>
    after(eventSubscription, { id, version: Number(row?.version) }, { key: eventSubscriptionKey(id) }),
  )
  await until(() => received.length === 3)
  receiver.removeAllListeners('request').on('request', receive)
  t.same(contents(), ['one', 'two', 'two'])
  await until(async () => (await only()).failing_since === null)
  t.equal((await only()).is_active, true)
})

t.test('events are sent again from any position that the feed holds', async t => {
  const { id } = await subscribe()
  for (const text of ['one', 'two', 'three']) await say(text)
  await until(() => received.length === 3)
  const [first] = received
  await bot.ok('PATCH', `${path}/${id}`, { last_event_id: first?.body.data.id })
  await until(() => received.length === 5)
  t.same(contents().slice(3), ['two', 'three'])
  t.equal(received[3]?.id, received[1]?.id, 'a receiver recognizes what it had')
  t.match(await bot.get(`${path}`), { status: 200 })
  const { body, status } = await bot.patch(`${path}/${id}`, { last_event_id: 16 })
  t.equal(status, 400)
  t.match(body, { code: 'BAD_REQUEST', msg: 'The feed does not hold this event any more.' })
})

t.test('a subscription that is turned off, changed or deleted sends nothing to its former address', async t => {
  const { id } = await subscribe()
  await bot.ok('PATCH', `${path}/${id}`, { is_active: 'false' })
  await say('one')
  await bot.ok('PATCH', `${path}/${id}`, { is_active: 'true', url: `${origin}/other`, event_types: ['message'] })
  await until(() => received.length === 1)
  t.same(contents(), ['one'])
  t.match(await only(), { url: `${origin}/other`, event_types: ['message'] })
  await bot.ok('DELETE', `${path}/${id}`)
  await say('two')
  const other = await subscribe()
  await say('three')
  // It may begin with what this worker has not read of the feed yet.
  await until(() => contents().includes('three'))
  t.same(
    received.filter(one => one.id.includes(`-${id}-`)).map(one => one.body.data.message.content),
    ['one'],
  )
  t.not(other.id, id)
})

t.test('what the feed no longer holds is announced as lost', async t => {
  const { id } = await subscribe()
  await bot.ok('PATCH', `${path}/${id}`, { is_active: false })
  await say('one')
  await server.sql`update event_subscriptions set position = 16 where id = ${id}`
  await bot.ok('PATCH', `${path}/${id}`, { is_active: true })
  await until(() => received.length === 1)
  t.match(received[0]?.body, { type: 'events_lost', data: { after: 16 } })
  await say('two')
  await until(() => contents().includes('two'))
})

t.test('a deactivated bot sends nothing', async t => {
  const other = await server.person({ full_name: 'Sleeper', bot_type: 1, bot_owner_id: anna.id })
  const { id } = await other.ok('POST', path, { url: `${origin}/x`, event_types: ['message'] })
  await anna.ok('DELETE', `/bots/${other.id}`)
  await anna.ok('POST', '/messages', { type: 'direct', to: [bot.id], content: 'x' })
  await until(async () => {
    const [row] = await server.sql`select is_active from event_subscriptions where id = ${id}`
    return row?.is_active === false
  })
  t.same(received, [])
})

t.test('a repeated request with one key subscribes once', async t => {
  const sent = { url: `${origin}/x`, event_types: ['message'] }
  const key = randomUUID()
  const [one, other] = await Promise.all([0, 1].map(() => postKeyed(server.api(bot), path, sent, key)))
  t.equal(one?.status, 200)
  t.equal(one?.text, other?.text)
  t.equal((await bot.ok('GET', path)).event_subscriptions.length, 1)
})

t.test('refusals', async t => {
  const refused = async (who: typeof bot, params: Loose, code = 'BAD_REQUEST') => {
    const { status, body } = await who.post(path, { url: `${origin}/x`, event_types: ['message'], ...params })
    t.ok(status >= 400 && status < 500, JSON.stringify(params))
    t.equal(body.code, code)
  }
  await refused(anna, {}, 'PERMISSION_DENIED')
  await refused(bot, { url: 'file:///etc/passwd' })
  await refused(bot, { url: 'no address' })
  await refused(bot, { url: `https://example.com/${'x'.repeat(2000)}` })
  await refused(bot, { event_types: [] })
  await refused(bot, { event_types: ['no_such_type'] })
  await refused(bot, { event_types: 'message' })
  const { id } = await subscribe()
  const other = await server.person({ full_name: 'Other', bot_type: 1, bot_owner_id: anna.id })
  for (const who of [other, bot]) {
    const own = who === bot ? id + 1000 : id
    t.equal((await who.patch(`${path}/${own}`, { is_active: false })).status, 404)
    t.equal((await who.delete(`${path}/${own}`)).status, 404)
  }
  for (const params of [
    { url: 'ftp://x' },
    { event_types: ['x'] },
    { is_active: 'maybe' },
    { last_event_id: -1 },
    { last_event_id: 'x' },
  ]) {
    t.equal((await bot.patch(`${path}/${id}`, params)).status, 400, JSON.stringify(params))
  }
  t.equal((await bot.patch(`${path}/x`, { is_active: true })).status, 404)
  t.equal((await bot.delete(`${path}/x`)).status, 404)
  for (let n = 1; n < 10; n++) await subscribe()
  await refused(bot, {})
})

t.test('a private address is not called', async t => {
  const { id } = await subscribe({ url: 'http://127.0.0.1:9/x' })
  await say('one')
  await until(async () => (await only()).failing_since !== null)
  t.match(await only(), { id, failure: 'the address is none of another host' })
})
