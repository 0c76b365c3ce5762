import t from 'tap'
import { pushJobs } from '../../../server/actions/push/push-jobs.js'
import type { JobKind } from '../../../server/jobs/job-kind.js'
import type { JobRun } from '../../../server/jobs/job-run.js'
import { withdrawDeletedPushes, withdrawPushes } from '../../../server/jobs/withdraw-pushes.js'
import { Browser, givePassword } from '../../support/browser.js'
import type { Loose } from '../../support/in-step.js'
import { type Person, withPresentKey } from '../../support/people.js'
import { claimsOf, PushService, Receiver } from '../../support/push-service.js'
import { until } from '../../support/redis-node.js'
import { startServer } from '../../support/server.js'

const service = await PushService.start(t)
const server = await startServer(t, { PUSH_PRIVATE_ORIGINS: service.origin })
const owner = await server.person({ role: 100 })
const [ann, bob] = [await server.person({ full_name: 'Ann' }), await server.person({ full_name: 'Bob' })]
const list = async (person: Person) => (await person.ok('GET', '/users/me/push_devices')).devices
const add = async (person: Person, path: string, receiver?: Receiver): Promise<number> =>
  (await person.ok('POST', '/users/me/push_devices', service.device(path, receiver))).id
const decide = (messageId: number, ...people: Person[]) =>
  server.ctx.write((tx, _emit, { after }) =>
    pushJobs(
      server.ctx,
      tx,
      after,
      people.map(({ id: userId }) => ({ userId, messageId, isIdle: true })),
    ),
  )
const direct = async (content: string, to = [ann]): Promise<number> =>
  (await bob.ok('POST', '/messages', { type: 'direct', to: to.map(one => one.id), content })).id

t.test('a device is added, listed, tested and removed; others see none of it', async t => {
  const first = await add(ann, '/first')
  const [listed] = await list(ann)
  t.match(listed, { id: first, name: '/first', service: new URL(service.origin).host, failing_since: null })
  t.notMatch(JSON.stringify(listed), /p256dh|auth|\/first"?\}/)
  t.same(await list(bob), [])
  await ann.ok('POST', `/users/me/push_devices/${first}/test`)
  const { headers, json } = await service.next('/first')
  t.match(json, { type: 'test', user_id: ann.id, realm_url: server.ctx.publicUrl, realm_name: String })
  t.match(headers, { ttl: '60', urgency: 'high', 'content-encoding': 'aes128gcm' })
  const { public_key } = await ann.ok('GET', '/users/me/push_devices')
  const claims = await claimsOf(headers.authorization)
  t.match(claims, { aud: service.origin, key: public_key, sub: 'mailto:webmaster@127.0.0.1' })
  const left = Number(claims.exp) - Date.now() / 1000
  t.ok(left > 0 && left <= 86_400, 'push services refuse more than a day')
  for (const wrong of [first + 1_000, 'x', -1]) {
    t.match(await bob.delete(`/users/me/push_devices/${wrong}`), { status: /^40[04]$/ })
    t.match(await bob.post(`/users/me/push_devices/${wrong}/test`), { status: /^40[04]$/ })
  }
  t.match(await bob.delete(`/users/me/push_devices/${first}`), { status: 400 }, 'it is none of Bob')
  t.match(await bob.post(`/users/me/push_devices/${first}/test`), { status: 400 })
  await ann.ok('DELETE', `/users/me/push_devices/${first}`)
  t.same(await list(ann), [])
})

t.test('the same endpoint is one device, which moves to the account that added it last', async t => {
  const receiver = new Receiver()
  const id = await add(ann, '/shared', receiver)
  t.equal(await add(ann, '/shared', receiver), id)
  t.equal(await add(bob, '/shared', receiver), id)
  t.same([(await list(ann)).length, (await list(bob)).length], [0, 1])
  await bob.ok('DELETE', `/users/me/push_devices/${id}`)
})

t.test('endpoints, keys and names that cannot be used are refused', async t => {
  const good = service.device('/good')
  const refused = async (given: object, said: string) =>
    t.match(
      await ann.post('/users/me/push_devices', { ...good, ...given }),
      { status: 400, body: { code: 'BAD_REQUEST' } },
      said,
    )
  const endpoints = [
    'http://push.example/x',
    'https://127.0.0.1/x',
    'https://[::1]/x',
    'https://10.0.0.1/',
    'https://169.254.169.254/',
    'https://2130706433/',
    'https://localhost/x',
    'https://db.internal/',
    'https://printer.local/',
    'https://intranet/x',
    'https://user:word@push.example/',
    'https://push.example:25/',
    'ftp://push.example/',
    'javascript:alert(1)',
    'x',
    '',
    `https://push.example/${'x'.repeat(1_000)}`,
    'https://push.example/\u0000',
    'https://push.example/ä',
    'https://push.example/#x',
    service.origin.replace('127.0.0.1', '127.0.0.2'),
  ]
  for (const endpoint of endpoints) await refused({ endpoint }, endpoint)
  const offCurve = Buffer.alloc(65, 7)
  offCurve[0] = 4
  const keys = [
    '',
    'x',
    offCurve.toString('base64url'),
    new Receiver().p256dh.subarray(1).toString('base64url'),
    `${good.p256dh}AAAA`,
  ]
  for (const p256dh of keys) await refused({ p256dh }, p256dh)
  for (const auth of ['', 'x', Buffer.alloc(15).toString('base64url'), `${good.auth}!`]) await refused({ auth }, auth)
  for (const name of ['', '  ', 'x'.repeat(61)]) await refused({ name }, name)
  for (const missing of ['endpoint', 'p256dh', 'auth', 'name']) {
    const { [missing as keyof typeof good]: _, ...rest } = good
    const answer = await ann.post('/users/me/push_devices', rest)
    t.match(answer.body, { code: 'REQUEST_VARIABLE_MISSING', var_name: missing })
  }
  t.same(await list(ann), [])
  const { id } = await ann.ok('POST', '/users/me/push_devices', { ...good, endpoint: 'https://push.example:8443/x' })
  await ann.ok('DELETE', `/users/me/push_devices/${id}`)
})

t.test('an account has at most 20 devices', async t => {
  const many = await server.person()
  for (let n = 0; n < 20; n++) await add(many, `/many/${n}`)
  t.match(await many.post('/users/me/push_devices', service.device('/many/20')), { status: 400 })
  t.equal((await list(many)).length, 20)
  await add(many, '/many/19')
})

t.test('a device ends with its session, with the API key, and with the account', async t => {
  const person = await server.person()
  await givePassword(server.sql, person)
  const page = await new Browser(server.url).signIn(person)
  t.match(await page.json('POST', '/users/me/push_devices', service.device('/page')), { status: 200 })
  await add(person, '/program')
  t.equal((await list(person)).length, 2)
  await person.ok('DELETE', '/users/me/sessions')
  t.match(await list(person), [{ name: '/program' }])
  await person.ok('POST', '/users/me/api_key/regenerate')
  const again = await withPresentKey(server.sql, person)
  t.same(await list(again), [])
  await add(again, '/program')
  await again.ok('DELETE', '/users/me')
  await owner.ok('POST', `/users/${person.id}/reactivate`)
  const returned = await withPresentKey(server.sql, person)
  t.same(await list(returned), [], 'an account that returns has no former program')
})

t.test('where pushes are off, no device is added', async t => {
  const without = await startServer(t, { WEB_PUSH: '0' })
  const person = await without.person()
  t.same(await person.ok('GET', '/users/me/push_devices'), {
    result: 'success',
    msg: '',
    public_key: null,
    devices: [],
  })
  const off = { status: 400, body: { code: 'PUSH_SERVICE_NOT_CONFIGURED' } }
  t.match(await person.post('/users/me/push_devices', new Receiver().device('https://push.example/x')), off)
  t.match(await person.post('/users/me/push_devices/1/test'), off)
})

t.test('two workers that need the first key pair get the same one', async t => {
  const [one, other] = await (async () => {
    const first = await startServer(t)
    return [first, await startServer(t, {}, first.organization)] as const
  })()
  const person = await one.person()
  const asked = [one, other, one, other].map(worker => worker.api(person).ok('GET', '/users/me/push_devices'))
  t.equal(new Set((await Promise.all(asked)).map(answer => answer.public_key)).size, 1)
})

t.test('a message is pushed with what it needs, at most 4096 bytes, and read ones are withdrawn', async t => {
  await add(ann, '/ann')
  const id = await direct(`**Lunch** at :pizza: ${'ö'.repeat(6_000)}\n\n\`\`\`spoiler Who\nEve\n\`\`\``)
  const { json, headers, bytes } = await service.next('/ann')
  t.ok(bytes <= 4096 && bytes > 3_800, String(bytes))
  t.match(json, {
    type: 'message',
    message_id: id,
    user_id: ann.id,
    sender_id: bob.id,
    sender_full_name: 'Bob',
    time: Number,
    sender_avatar_url: /^https?:/,
    recipient_user_ids: [ann.id, bob.id],
    content: /^Lunch at /,
    silent: false,
    web_push: 8030,
    notification: {
      title: 'Bob',
      tag: `d${bob.id}`,
      navigate: new RegExp(`^${server.ctx.publicUrl}/#narrow/dm/.*near/${id}$`),
    },
  })
  t.match(headers, { ttl: '86400', topic: /^[\w-]{32}$/, urgency: 'high' })
  const hidden = await direct('```spoiler Who\nEve\n```')
  const { json: shown, headers: later } = await service.next('/ann')
  t.match(shown.content, /Who/)
  t.notMatch(shown.content, /Eve/)
  t.equal(later.topic, headers.topic, 'one conversation')
  await ann.ok('POST', '/messages/flags', { op: 'add', flag: 'read', messages: [id, hidden] })
  const { json: removal } = await service.next('/ann', push => push.type === 'remove')
  t.match(removal, { message_ids: [id, hidden], user_id: ann.id, realm_url: server.ctx.publicUrl })
  const [{ count }] = (await server.sql`select count(*)::int from pushed_messages`) as unknown as [{ count: number }]
  t.equal(count, 0, 'Bob has no device')
})

t.test('a message of a channel names its place; one that was read meanwhile, or deleted, is not pushed', async t => {
  await ann.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'kitchen' }],
    principals: [ann.id, bob.id],
  })
  const send = async (content: string): Promise<number> =>
    (await bob.ok('POST', '/messages', { type: 'stream', to: 'kitchen', topic: 'Tea', content })).id
  const [read, gone, kept] = [await send('read'), await send('gone'), await send('kept')]
  await ann.ok('POST', '/messages/flags', { op: 'add', flag: 'read', messages: [read] })
  await server.sql`delete from messages where id = ${gone}`
  await decide(read, ann)
  await decide(gone, ann)
  await decide(kept, ann)
  const { json } = await service.next('/ann', push => push.type === 'message')
  t.match(json, {
    message_id: kept,
    channel_name: 'kitchen',
    topic: 'Tea',
    notification: { title: 'Bob (#kitchen > Tea)' },
  })
  t.notOk('recipient_user_ids' in json)
})

t.test(
  'deleted messages are withdrawn within a minute, and read ones of which no push was found, within an hour',
  async t => {
    const [read, gone, kept] = [await direct('read'), await direct('gone'), await direct('kept')]
    for (const id of [read, gone, kept]) await service.next('/ann', push => push.message_id === id)
    await server.sql`select archive_messages(${[gone]}::bigint[], null)`
    // As if the reading had found no device: only the job sees it.
    await server.sql`
    insert into read_state (user_id, block, ranges) values (${ann.id}, ${read} >> 16, int8multirange(int8range(${read}, ${read}, '[]')))
    on conflict (user_id, block) do update set ranges = read_state.ranges + excluded.ranges`
    const run = (kind: JobKind) => kind.run(server.ctx, {}, { signal: new AbortController().signal } as JobRun)
    // The server withdraws others by itself meanwhile.
    const withdrawn = async (id: number): Promise<number[]> =>
      (await service.next('/ann', push => push.type === 'remove' && push.message_ids.includes(id))).json.message_ids
    await run(withdrawDeletedPushes)
    t.notOk((await withdrawn(gone)).includes(kept))
    await run(withdrawPushes)
    t.notOk((await withdrawn(read)).includes(kept))
  },
)

t.test('a receiver that is gone is deleted; one that is busy is tried again; a shorter text is tried', async t => {
  const carl = await server.person()
  for (const path of ['/404', '/410', '/403', '/429', '/413']) await add(carl, path)
  let asked = 0
  service.answer = (response, path) => {
    const status = path === '/429' && ++asked > 1 ? 201 : Number(path.slice(1)) || 201
    response.writeHead(status, path === '/429' ? { 'retry-after': '1' } : {}).end()
  }
  const id = await direct('x'.repeat(5_000), [carl])
  for (const path of ['/404', '/410', '/403', '/429'])
    t.match((await service.next(path)).json, { message_id: id }, path)
  t.ok((await service.next('/413')).bytes > 3_000)
  t.ok((await service.next('/413')).bytes <= 1_024 + 103)
  t.match((await service.next('/429')).json, { message_id: id }, 'again')
  const failing = async () => (await list(carl)).filter((one: Loose) => one.failing_since !== null)
  const names = async () => (await failing()).map((one: Loose) => one.name).join()
  await until(async () => (await list(carl)).length === 3 && (await names()) === '/403,/413')
  const [{ id: device }] = await failing()
  service.answer = response => response.writeHead(201).end()
  await carl.ok('POST', `/users/me/push_devices/${device}/test`)
  await service.next('/403')
  await until(async () => (await names()) === '/413')
  await server.sql`update push_devices set failing_since = now() - interval '8 days' where user_id = ${carl.id}`
  service.answer = response => response.writeHead(500).end()
  await carl.ok('POST', `/users/me/push_devices/${device}/test`)
  await until(async () => (await list(carl)).length === 2)
})

/** It was decided whether the message is pushed. */
const decided = (id: number) =>
  until(async () => (await server.sql`select 1 from notification_progress where message_id >= ${id}`).length > 0)

t.test('settings decide who is pushed, and how, at once', async t => {
  const dora = await server.person({ full_name: 'Dora' })
  await add(dora, '/dora')
  // A push may come again (docs/push.md).
  const seen = new Set<number>()
  const isNew = (push: Loose) => push.type === 'message' && !seen.has(push.message_id)
  const next = async () => {
    const { json } = await service.next('/dora', isNew)
    seen.add(json.message_id)
    return json
  }
  const set = (settings: object) => dora.ok('PATCH', '/settings', { ...settings })
  const { queue_id } = await dora.ok('POST', '/register', { event_types: ['message'] })
  await dora.ok('POST', '/users/me/presence', { status: 'active', new_user_input: true })
  const online = await direct('you look', [dora])
  t.match(await next(), { message_id: online, silent: true }, 'a client is in use')
  await set({ enable_online_push_notifications: false })
  await decided(await direct('not online', [dora]))
  await dora.ok('DELETE', '/events', { queue_id })
  const away = await direct('away', [dora])
  t.match(await next(), { message_id: away, silent: false }, 'the one before was not pushed')
  await set({ enable_offline_push_notifications: false })
  await decided(await direct('none at all', [dora]))
  await set({ enable_offline_push_notifications: true })
  await dora.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'news' }], principals: [dora.id, bob.id] })
  const post = async (content: string): Promise<number> =>
    (await bob.ok('POST', '/messages', { type: 'stream', to: 'news', topic: 'today', content })).id
  await decided(await post('not by default'))
  const mention = await post(`@**Dora|${dora.id}** look`)
  t.match(await next(), { message_id: mention, topic: 'today' })
  const followed = await post('the mention made her follow the topic')
  t.match(await next(), { message_id: followed })
  await set({ enable_followed_topic_push_notifications: false })
  await decided(await post('not of followed topics'))
  await set({ enable_stream_push_notifications: true })
  const all = await post('now each')
  t.match(await next(), { message_id: all })
  const { stream_id } = await dora.ok('GET', '/get_stream_id', { stream: 'news' })
  const setChannel = (value: boolean) =>
    dora.ok('POST', '/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id, property: 'push_notifications', value }],
    })
  await setChannel(false)
  await decided(await post('not of this channel'))
  await set({ enable_stream_push_notifications: false })
  await setChannel(true)
  const ofChannel = await post('of this channel alone')
  t.match(await next(), { message_id: ofChannel })
  await dora.ok('POST', '/user_topics', { stream_id, topic: 'today', visibility_policy: 1 })
  await decided(await post('muted'))
  await dora.ok('PATCH', '/users/me/do_not_disturb', { until: Math.floor(Date.now() / 1000) + 3600 })
  await decided(await direct('in a quiet time', [dora]))
  await dora.ok('PATCH', '/users/me/do_not_disturb', { until: null })
  await dora.ok('POST', `/users/me/muted_users/${ann.id}`)
  await ann.ok('POST', '/messages', { type: 'direct', to: [dora.id], content: 'from a muted person' })
  const last = await direct('last', [dora])
  t.match(await next(), { message_id: last })
  t.same(
    service.received.filter(push => push.path === '/dora' && isNew(push.json)),
    [],
    'no other',
  )
})
