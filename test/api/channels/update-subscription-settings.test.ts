import t from 'tap'
import { startServer } from '../../support/server.js'
import { freshName, Listener, type Loose } from './scene.js'

const server = await startServer(t)

async function subscriber() {
  const person = await server.person()
  const name = freshName()
  await person.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
  const { stream_id } = await person.ok('GET', '/get_stream_id', { stream: name })
  const change = (...changes: [property: string, value: unknown][]) =>
    person.post('/users/me/subscriptions/properties', {
      subscription_data: changes.map(([property, value]) => ({ stream_id, property, value })),
    })
  return { person, name, stream_id, change }
}

const plain = (events: Loose[]) => events.map(({ id: _, type: __, op: ___, stream_id: ____, ...rest }) => rest)

t.test('settings change, and only the own clients hear of it', async t => {
  const { person, name, stream_id, change } = await subscriber()
  const peer = await server.person()
  await peer.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
  const [ear, other] = [await Listener.start(server.ctx, person), await Listener.start(server.ctx, peer)]
  const answer = await change(['pin_to_top', true], ['color', '#ABC'], ['email_notifications', true])
  t.equal(answer.status, 200)
  t.notOk('subscription_data' in answer.body, 'the request is not echoed')
  t.same(plain(await ear.inStep(t)), [
    { property: 'pin_to_top', value: true },
    { property: 'color', value: '#aabbcc' },
    { property: 'email_notifications', value: true },
  ])
  t.same(await other.events(), [])
  for (const method of ['patch', 'post'] as const) {
    const path = `/users/me/subscriptions/${stream_id}`
    t.equal((await person[method](path, { property: 'push_notifications', value: method === 'post' })).status, 200)
    t.same(plain(await ear.inStep(t)), [{ property: 'push_notifications', value: method === 'post' }])
  }
})

t.test('muting is told twice, in_home_view first, whichever was set', async t => {
  const { person, change } = await subscriber()
  const ear = await Listener.start(server.ctx, person)
  await change(['is_muted', true])
  t.same(plain(await ear.inStep(t)), [
    { property: 'in_home_view', value: false },
    { property: 'is_muted', value: true },
  ])
  await change(['in_home_view', true])
  t.same(plain(await ear.inStep(t)), [
    { property: 'in_home_view', value: true },
    { property: 'is_muted', value: false },
  ])
})

t.test('types are checked for all before any is applied; what was applied before a closed channel stays', async t => {
  const { person, stream_id, change } = await subscriber()
  const ear = await Listener.start(server.ctx, person)
  t.equal((await change(['pin_to_top', true], ['is_muted', 'yes'])).status, 400)
  t.same(await ear.events(), [])
  const { status } = await person.post('/users/me/subscriptions/properties', {
    subscription_data: [
      { stream_id, property: 'pin_to_top', value: true },
      { stream_id: 999_999, property: 'pin_to_top', value: true },
    ],
  })
  t.equal(status, 400)
  t.same(plain(await ear.events()), [{ property: 'pin_to_top', value: true }])
})

t.test('input that is refused', async t => {
  const { person, name, stream_id, change } = await subscriber()
  const cases: [string, unknown][] = [
    ['name', 'x'],
    ['color', true],
    ['color', 'red'],
    ['color', '#12'],
    ['is_muted', 'true'],
    ['desktop_notifications', null],
  ]
  for (const [property, value] of cases) {
    const answer = await change([property, value])
    t.match(answer, { status: 400, body: { code: 'BAD_REQUEST' } }, `${property} ${value}`)
  }
  const missing = await person.post('/users/me/subscriptions/properties', {})
  t.match(missing.body, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'subscription_data' })
  const stranger = await server.person()
  const params = { subscription_data: [{ stream_id, property: 'pin_to_top', value: true }] }
  const refused = { status: 400, body: { code: 'BAD_REQUEST' } }
  t.match(await stranger.post('/users/me/subscriptions/properties', params), refused, 'not subscribed')
  await person.ok('DELETE', '/users/me/subscriptions', { subscriptions: [name] })
  t.match(await change(['pin_to_top', true]), refused, 'no longer subscribed')
})
