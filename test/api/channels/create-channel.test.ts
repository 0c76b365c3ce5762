import t from 'tap'
import { startServer } from '../../support/server.js'
import { freshName, kinds, Listener, type Loose } from './scene.js'

const server = await startServer(t)
await (await server.person()).ok('POST', '/channels/create', { name: 'there from the start', subscribers: [] })

t.test('a channel is made and those who are listed are subscribed', async t => {
  const [creator, subscriber] = [await server.person(), await server.person()]
  const [ear, own] = [await Listener.start(server.ctx, subscriber), await Listener.start(server.ctx, creator)]
  const name = freshName()
  const { id } = await creator.ok('POST', '/channels/create', { name, subscribers: [subscriber.id], description: 'x' })
  t.same(kinds(await ear.inStep(t)), ['stream/create', 'subscription/add'])
  t.same(kinds(await own.inStep(t)), ['stream/create', 'subscription/peer_add'], 'the creator is not listed')
  t.match((await creator.ok('GET', `/streams/${id}`)).stream, { name, description: 'x', subscriber_count: 1 })
})

t.test('a channel may have no subscribers; a private one is told of to its creator all the same', async t => {
  const [creator, outsider] = [await server.person(), await server.person()]
  const [ear, other] = [await Listener.start(server.ctx, creator), await Listener.start(server.ctx, outsider)]
  await creator.ok('POST', '/channels/create', { name: freshName(), subscribers: [], invite_only: true })
  t.same(kinds(await ear.inStep(t)), ['stream/create'])
  t.same(await other.events(), [])
})

t.test('a name that is taken, in whatever case, is refused with its own code', async t => {
  const [creator, other] = [await server.person(), await server.person()]
  const name = freshName('Taken')
  await creator.ok('POST', '/channels/create', { name, subscribers: [], invite_only: true })
  const answer = await other.post('/channels/create', { name: name.toLowerCase(), subscribers: [] })
  t.match(answer, { status: 409, body: { code: 'CHANNEL_ALREADY_EXISTS', channel_name: name.toLowerCase() } })
})

t.test('input and people that are refused', async t => {
  const [member, guest] = [await server.person(), await server.person({ role: 600 })]
  const gone = await server.person({ is_active: false })
  const good = () => ({ name: freshName(), subscribers: [member.id] })
  const cases: [string, typeof member, Loose, Loose][] = [
    ['a guest', guest, good(), { code: 'BAD_REQUEST' }],
    ['no name', member, { subscribers: [] }, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'name' }],
    ['no subscribers', member, { name: 'x' }, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'subscribers' }],
    ['addresses', member, { ...good(), subscribers: [member.email] }, { code: 'BAD_REQUEST' }],
    ['unknown user', member, { ...good(), subscribers: [2_000_000_000] }, { code: 'BAD_REQUEST' }],
    ['deactivated user', member, { ...good(), subscribers: [gone.id] }, { code: 'BAD_REQUEST' }],
    ['blank name', member, { ...good(), name: ' ' }, { code: 'BAD_REQUEST' }],
    ['long name', member, { ...good(), name: 'x'.repeat(61) }, { code: 'BAD_REQUEST' }],
    ['retention', member, { ...good(), message_retention_days: 1 }, { code: 'UNAUTHORIZED_PRINCIPAL' }],
    ['default', member, { ...good(), is_default_stream: true }, { code: 'BAD_REQUEST' }],
  ]
  for (const [title, who, params, body] of cases) {
    t.match(await who.post('/channels/create', params), { status: 400, body }, title)
  }
})
