import t from 'tap'
import { setOrganization } from '../../support/organization.js'
import { startServer } from '../../support/server.js'
import { freshName, type Loose } from './scene.js'

const server = await startServer(t)

t.test('an id that no channel can have is refused like any other that is not there', async t => {
  const [member, admin] = [await server.person(), await server.person({ role: 200 })]
  const id = 2 ** 31
  for (const [method, path, params] of [
    ['GET', `/streams/${id}`],
    ['GET', `/streams/${id}/members`],
    ['GET', `/users/me/${id}/topics`],
    ['GET', `/users/${member.id}/subscriptions/${id}`],
    ['GET', `/users/${id}/channels`],
    ['PATCH', `/users/me/subscriptions/${id}`, { property: 'is_muted', value: true }],
    ['PATCH', `/streams/${id}`, { description: 'x' }],
    ['DELETE', `/streams/${id}`],
  ] as const) {
    t.match(await admin.call(method, path, params), { status: 400, body: { code: 'BAD_REQUEST' } }, `${method} ${path}`)
  }
})

t.test('a caller without access to a channel does not learn the spelling of its name', async t => {
  const [owner, member] = [await server.person({ role: 100 }), await server.person()]
  const name = freshName('Secret')
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], invite_only: true })
  const subscriptions = [{ name: name.toLowerCase() }]
  const body = await member.ok('POST', '/users/me/subscriptions', { subscriptions, authorization_errors_fatal: false })
  t.same(body.unauthorized, [name.toLowerCase()])
  const refused = await member.post('/users/me/subscriptions', { subscriptions })
  t.equal(refused.status, 400)
  t.notMatch(refused.body.msg, name)
})

// The capital sigma has two small forms, and only the database knows which names it treats as equal.
t.test('a name that the database alone takes for another one is refused', async t => {
  const member = await server.person()
  const subscribe = (...names: string[]) =>
    member.post('/users/me/subscriptions', { subscriptions: names.map(name => ({ name })) })
  t.equal((await subscribe('ΟΔΟΣ')).status, 200)
  const refused = { status: 409, body: { code: 'CHANNEL_ALREADY_EXISTS' } }
  t.match(await subscribe('οδοσ'), refused)
  t.match(await subscribe('ΑΣ', 'ασ'), refused)
  t.match(await member.get('/get_stream_id', { stream: 'ΑΣ' }), { status: 400 }, 'nothing was made')
})

// User input in the server's own messages must not become markup, or the notification bot would mention users.
t.test('names and descriptions of channels mention no user in messages of the notification bot', async t => {
  const [owner, member] = [await server.person({ role: 100 }), await server.person({ full_name: 'Aunt Ada' })]
  const call = '@**Aunt Ada**'
  const subscriptions = [{ name: freshName('place') }]
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions, principals: [owner.id, member.id] })
  const { stream_id: place } = await owner.ok('GET', '/get_stream_id', { stream: subscriptions[0]?.name })
  await setOrganization(server.sql, {
    send_channel_events_messages: true,
    new_stream_announcements_stream_id: place,
  })
  const odd = `odd** ${call} **`
  const made = { name: odd, subscribers: [owner.id, member.id], announce: true }
  const { id } = await owner.ok('POST', '/channels/create', made)
  for (const change of [
    { description: `first\r\r${call}` },
    { description: `second\r\n\r\n${call}` },
    { new_name: `${call} again` },
    { new_name: 'plain' },
  ]) {
    await owner.ok('PATCH', `/streams/${id}`, change)
  }
  const { messages } = await member.ok('GET', '/messages', { anchor: 'newest', num_before: 20, num_after: 0 })
  const ofChannels = messages.filter((message: Loose) => message.sender_full_name === 'Notification Bot')
  t.equal(ofChannels.length, 6, 'a channel that was made and announced, and changed four times')
  for (const { content, flags } of ofChannels) t.notOk(flags.includes('mentioned'), content)
})
