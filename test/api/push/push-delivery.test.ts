import t from 'tap'
import { pushJobs } from '../../../server/actions/push/push-jobs.js'
import type { Loose } from '../../support/in-step.js'
import { deactivate, limitGuests, setOrganization } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { PushService, type Receiver } from '../../support/push-service.js'
import { until } from '../../support/redis-node.js'
import { startServer } from '../../support/server.js'

const service = await PushService.start(t)
const server = await startServer(t, { PUSH_PRIVATE_ORIGINS: service.origin })
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

t.test('a device whose push service answers slowly, and a test, share no job with others', async t => {
  const person = await server.person()
  const [slow, quick] = [await add(person, '/slow'), await add(person, '/quick')]
  service.answer = (response, path) => {
    if (path === '/slow') setTimeout(() => response.writeHead(201).end(), 1_100)
    else response.writeHead(201).end()
  }
  const id = await direct('x', [person])
  await until(
    async () => (await server.sql`select 1 from push_devices where id = ${slow} and slow_until > now()`).length === 1,
  )
  service.answer = response => response.writeHead(201).end()
  // This machine may be slow.
  await server.sql`update push_devices set slow_until = null where id = ${quick}`
  const added: unknown[] = []
  await server.ctx.write(tx =>
    pushJobs(server.ctx, tx, ({ name }, payload) => added.push([name, (payload as { devices: number[] }).devices]), [
      { userId: person.id, messageId: id, isIdle: true },
    ]),
  )
  t.same(added.sort(), [
    ['push', [quick]],
    ['push-again', [slow]],
  ])
  t.same(
    (await list(person)).map((one: Loose) => one.failing_since),
    [null, null],
    'it is well',
  )
  const test = () => person.post(`/users/me/push_devices/${quick}/test`)
  for (let n = 0; n < 5; n++) t.match(await test(), { status: 200 })
  t.match(await test(), { status: 429, body: { code: 'RATE_LIMIT_HIT' } })
  t.match(await bob.post(`/users/me/push_devices/${quick}/test`), { status: 400 })
})

t.test('failures that are days apart do not end a device', async t => {
  const person = await server.person()
  const id = await add(person, '/rarely')
  service.answer = response => response.writeHead(500).end()
  await server.sql`
    update push_devices set failing_since = now() - interval '8 days', failed_at = now() - interval '8 days' where id = ${id}`
  const failed = async () =>
    (await server.sql`select 1 from push_devices where id = ${id} and failed_at > now() - interval '1 minute'`).length
  await direct('x', [person])
  await until(async () => (await failed()) === 1)
  const [{ failing_since }] = await list(person)
  t.ok(failing_since > Date.now() / 1000 - 3_600, 'the week begins anew')
  service.answer = response => response.writeHead(201).end()
})

t.test('in a large conversation a push has room for its content, and names three people', async t => {
  const people = await Promise.all(
    Array.from({ length: 45 }, (_, n) => server.person({ full_name: `Person ${n} ${'ö'.repeat(85)}` })),
  )
  const [reader = ann] = people
  await add(reader, '/large')
  const id = await direct('x'.repeat(5_000), people)
  const { json, bytes } = await service.next('/large')
  t.ok(bytes <= 4_096, String(bytes))
  t.match(json, { message_id: id, content: /^x{500}/, tag: /^[\w-]{43}$/ })
  t.match(json.notification, {
    title: /^Bob \(.*, .*, .* \+42\)$/,
    navigate: new RegExp(`/#narrow/dm/.*-group/near/${id}$`),
  })
  t.notOk('recipient_user_ids' in json)
  const next = await direct('again', people)
  t.match((await service.next('/large')).json, { message_id: next, tag: json.tag })
})

t.test('a guest who may not see all users learns no names of deactivated participants', async t => {
  const [guest, gone, kept] = [
    await server.person({ role: 600 }),
    await server.person({ full_name: 'Gone Gil' }),
    await server.person({ full_name: 'Kept Kim' }),
  ]
  for (const [person, path] of [
    [guest, '/guest'],
    [kept, '/kept'],
  ] as const)
    await add(person, path)
  const id = await direct('first', [guest, gone, kept])
  t.match((await service.next('/guest')).json.notification.title, /Gone Gil/)
  await service.next('/kept')
  await deactivate(server.sql, gone.id)
  await limitGuests(server.sql)
  await decide(id, guest, kept)
  t.equal((await service.next('/guest')).json.notification.title, 'Bob (Bob, Kept Kim +1)')
  t.match((await service.next('/kept')).json.notification.title, /Gone Gil/)
  await setOrganization(server.sql, { can_access_all_users_group: null })
})

/** It was decided whether the message is pushed. */
const decided = (id: number) =>
  until(async () => (await server.sql`select 1 from notification_progress where message_id >= ${id}`).length > 0)

const always = { until: 9_999_999_999 }

t.test('in quiet times nothing is pushed', async t => {
  const quiet = await server.person()
  await add(quiet, '/quiet')
  await quiet.ok('PATCH', '/users/me/do_not_disturb', always)
  await decided(await direct('quiet', [quiet]))
  await quiet.ok('PATCH', '/users/me/do_not_disturb', { until: null })
  const after = await direct('after', [quiet])
  t.equal((await service.next('/quiet')).json.message_id, after)
})

t.test('before another attempt, quiet times, mutes and access count again', async t => {
  const people = await Promise.all(['quiet', 'muter', 'left', 'stays'].map(full_name => server.person({ full_name })))
  const [quiet = ann, muter = ann, left = ann, stays = ann] = people
  await ann.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'retries' }],
    principals: [ann.id, bob.id, ...people.map(one => one.id)],
  })
  for (const one of people) {
    await add(one, `/retry/${one.id}`)
    await one.ok('PATCH', '/settings', { enable_stream_push_notifications: true })
  }
  service.answer = response => response.writeHead(503, { 'retry-after': '3600' }).end()
  const { id } = await bob.ok('POST', '/messages', { type: 'stream', to: 'retries', topic: 'x', content: 'y' })
  for (const one of people) await service.next(`/retry/${one.id}`)
  const retries = () =>
    server.sql`select 1 from jobs where kind = 'push-again' and (payload ->> 'message')::int = ${id}`
  await until(async () => (await retries()).length === people.length)
  await quiet.ok('PATCH', '/users/me/do_not_disturb', always)
  await muter.ok('POST', `/users/me/muted_users/${bob.id}`)
  await left.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['retries'] })
  service.answer = response => response.writeHead(201).end()
  await server.sql`update jobs set due = now() where kind = 'push-again' and (payload ->> 'message')::int = ${id}`
  await service.next(`/retry/${stays.id}`)
  await until(async () => (await retries()).length === 0)
  t.same(
    service.received.filter(push => push.path.startsWith('/retry/') && push.json.type === 'message'),
    [],
    'only to the one for whom nothing changed',
  )
})
