import t from 'tap'
import { Listener } from '../../support/in-step.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const path = '/users/me/subscriptions/muted_topics'

t.test('a topic is muted and unmuted, by id or name, any number of times', async t => {
  const person = await server.person()
  await person.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'noise' }] })
  const { stream_id } = await person.ok('GET', '/get_stream_id', { stream: 'noise' })
  const ear = await Listener.start(server.ctx, person)
  const topics = async () => (await person.ok('POST', '/register', { fetch_event_types: ['user_topic'] })).user_topics
  await person.ok('PATCH', path, { stream_id, topic: 'A', op: 'add' })
  await person.ok('PATCH', path, { stream: 'noise', topic: 'a', op: 'add' })
  t.match(await topics(), [{ stream_id, visibility_policy: 1 }])
  t.match(
    (await ear.inStep(t)).filter(event => event.type === 'user_topic'),
    [{ visibility_policy: 1, topic_name: 'A' }],
  )
  for (let i = 0; i < 2; i++) await person.ok('PATCH', path, { stream: 'noise', topic: 'a', op: 'remove' })
  t.same(await topics(), [])
})

t.test('refusals', async t => {
  const [person, owner] = [await server.person(), await server.person()]
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'closed' }], invite_only: true })
  const { stream_id } = await owner.ok('GET', '/get_stream_id', { stream: 'closed' })
  const bad = async (params: Record<string, unknown>, code = 'BAD_REQUEST') =>
    t.match(await person.patch(path, { topic: 'a', op: 'add', ...params }), { status: 400, body: { code } })
  await bad({})
  await bad({ stream: 'closed' })
  await bad({ stream_id })
  await bad({ stream: 'no such' })
  await bad({ stream: 'closed', stream_id }, 'REQUEST_CONFUSING_VAR')
  await bad({ stream_id, topic: 'x'.repeat(61) })
  await bad({ stream_id, op: 'toggle' })
})
