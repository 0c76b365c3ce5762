import t from 'tap'
import { queriesOf } from '../../support/queries.js'
import { startServer } from '../../support/server.js'
import { freshName, Listener, type Loose } from './scene.js'

const server = await startServer(t)

async function subscriber(params: Loose = {}) {
  const person = await server.person()
  const name = freshName()
  await person.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], ...params })
  const { stream_id } = await person.ok('GET', '/get_stream_id', { stream: name })
  const change = (...changes: [property: string, value: unknown][]) =>
    person.post('/users/me/subscriptions/properties', {
      subscription_data: changes.map(([property, value]) => ({ stream_id, property, value })),
    })
  return { person, name, stream_id, change }
}

const plain = (events: Loose[]) => events.map(({ id: _, type: __, op: ___, stream_id: ____, ...rest }) => rest)

t.test('settings change, and only clients of the same user get the event', async t => {
  const { person, name, stream_id, change } = await subscriber()
  const peer = await server.person()
  await peer.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
  const [ear, other] = [await Listener.start(server.ctx, person), await Listener.start(server.ctx, peer)]
  const answer = await change(['pin_to_top', true], ['color', '#ABC'], ['email_notifications', false])
  t.equal(answer.status, 200)
  t.notOk('subscription_data' in answer.body, 'the request is not echoed')
  t.same(plain(await ear.inStep(t)), [
    { property: 'pin_to_top', value: true },
    { property: 'color', value: '#aabbcc' },
    { property: 'email_notifications', value: false },
  ])
  t.same(await other.events(), [])
  for (const method of ['patch', 'post'] as const) {
    const path = `/users/me/subscriptions/${stream_id}`
    t.equal((await person[method](path, { property: 'audible_notifications', value: method === 'post' })).status, 200)
    t.same(plain(await ear.inStep(t)), [{ property: 'audible_notifications', value: method === 'post' }])
  }
})

t.test('muting makes two events, in_home_view first, whichever property was set', async t => {
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

t.test('a batch with one bad entry changes nothing', async t => {
  const { person, stream_id, change } = await subscriber()
  const stranger = await subscriber()
  const closed = await subscriber({ invite_only: true })
  const ear = await Listener.start(server.ctx, person)
  t.equal((await change(['pin_to_top', true], ['is_muted', 'yes'])).status, 400)
  t.same(await ear.events(), [])
  for (const other of [2_000_000_000, stranger.stream_id, closed.stream_id]) {
    const { status, body } = await person.post('/users/me/subscriptions/properties', {
      subscription_data: [
        { stream_id, property: 'pin_to_top', value: true },
        { stream_id: other, property: 'pin_to_top', value: true },
      ],
    })
    t.match({ status, body }, { status: 400, body: { code: 'BAD_REQUEST' } })
  }
  t.same(await ear.inStep(t), [])
})

t.test('many channels at once, in as many statements as one; the last word counts', async t => {
  const { person, stream_id } = await subscriber()
  const ids = [stream_id]
  const change = (entries: [number, string, unknown][]) =>
    person.ok('POST', '/users/me/subscriptions/properties', {
      subscription_data: entries.map(([id, property, value]) => ({ stream_id: id, property, value })),
    })
  const count = () => queriesOf(server, () => change(ids.map(id => [id, 'pin_to_top', true])))
  const one = await count()
  for (let i = 0; i < 4; i++) {
    const name = freshName()
    await person.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
    ids.push((await person.ok('GET', '/get_stream_id', { stream: name })).stream_id)
  }
  t.equal(await count(), one)
  const ear = await Listener.start(server.ctx, person)
  await change([
    [ids[1] ?? 0, 'color', '#111111'],
    [ids[2] ?? 0, 'is_muted', true],
    [ids[1] ?? 0, 'color', '#222'],
    [ids[2] ?? 0, 'in_home_view', true],
  ])
  t.same(
    plain(await ear.inStep(t)).map(event => event.value),
    ['#111111', false, true, '#222222', true, false],
  )
})

t.test('changed by several at once, nothing is lost', async t => {
  const { person, change } = await subscriber()
  const ear = await Listener.start(server.ctx, person)
  const properties = ['pin_to_top', 'desktop_notifications', 'audible_notifications', 'wildcard_mentions_notify']
  const answers = await Promise.all(properties.map(property => change([property, true])))
  t.ok(answers.every(answer => answer.status === 200))
  await ear.inStep(t)
  const [subscription] = ear.state.subscriptions
  t.ok(properties.every(property => subscription[property] === true))
})

t.test('each setting, and an archived channel', async t => {
  const { person, stream_id, change } = await subscriber()
  const owner = await server.person({ role: 100 })
  await owner.ok('DELETE', `/streams/${stream_id}`)
  const ear = await Listener.start(server.ctx, person)
  const booleans = ['pin_to_top', 'wildcard_mentions_notify']
  for (const kind of ['desktop', 'audible', 'email', 'push']) booleans.push(`${kind}_notifications`)
  for (const value of [true, false]) {
    for (const property of booleans) {
      t.equal((await change([property, value])).status, 200)
      t.same(plain(await ear.inStep(t)), [{ property, value }])
    }
  }
})

t.test('input that is refused', async t => {
  const { person, name, stream_id, change } = await subscriber()
  const cases: [string, unknown][] = [
    ['name', 'x'],
    ['color', true],
    ['color', 'red'],
    ['color', '#12'],
    ['color', '#1234567'],
    ['color', '123456'],
    ['color', '#12345g'],
    ['in_home_view', 1],
    ['pin_to_top', '#123456'],
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
  t.equal((await person.post('/users/me/subscriptions/properties', { subscription_data: [{}] })).status, 400)
  t.equal((await person.post('/users/me/subscriptions/properties', { subscription_data: [] })).status, 200)
  for (const method of ['patch', 'post'] as const) {
    const path = `/users/me/subscriptions/${stream_id}`
    t.match(await person[method](path, { property: 'name', value: 'x' }), refused)
    t.match((await person[method](path, { property: 'color' })).body, { var_name: 'value' })
    t.match((await person[method](path, { value: true })).body, { var_name: 'property' })
    t.match(await stranger[method](path, { property: 'pin_to_top', value: true }), refused)
  }
  await person.ok('DELETE', '/users/me/subscriptions', { subscriptions: [name] })
  t.match(await change(['pin_to_top', true]), refused, 'no longer subscribed')
})
