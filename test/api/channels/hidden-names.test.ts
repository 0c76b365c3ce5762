import t from 'tap'
import { groupId, setOrganization } from '../../support/organization.js'
import { startServer } from '../../support/server.js'
import { freshName, type Loose } from './scene.js'

const server = await startServer(t)
const owner = await server.person({ role: 100 })
const hidden = freshName('hidden')
await owner.ok('POST', '/channels/create', { name: hidden, subscribers: [owner.id], invite_only: true })
const known = freshName('known')
await owner.ok('POST', '/channels/create', { name: known, subscribers: [], invite_only: false })
const nobody = await groupId(server.sql, 'role:nobody')
await setOrganization(server.sql, { can_create_public_channel_group: nobody, can_create_private_channel_group: nobody })

/** The error of a request about a name, without the name. */
async function refusal(name: string, ask: (name: string) => Promise<{ status: number; body: Loose }>) {
  const { status, body } = await ask(name)
  return JSON.stringify({ status, body }).replaceAll(name, 'NAME')
}

const member = await server.person()
const asks: Readonly<Record<string, (name: string) => Promise<{ status: number; body: Loose }>>> = {
  create_channel: name => member.post('/channels/create', { name, subscribers: [] }),
  'create_channel, private': name => member.post('/channels/create', { name, subscribers: [], invite_only: true }),
  'create_channel with a user who is not there': name =>
    member.post('/channels/create', { name, subscribers: [1_234_567] }),
  subscribe: name => member.post('/users/me/subscriptions', { subscriptions: [{ name }] }),
  'subscribe, private': name =>
    member.post('/users/me/subscriptions', { subscriptions: [{ name }], invite_only: true }),
  'subscribe, not fatal': name =>
    member.post('/users/me/subscriptions', { subscriptions: [{ name }], authorization_errors_fatal: false }),
  'subscribe together with a known one': name =>
    member.post('/users/me/subscriptions', { subscriptions: [{ name: known }, { name }] }),
  'subscribe others': name =>
    member.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [owner.id] }),
  'subscribe with as many as can be made': name =>
    member.post('/users/me/subscriptions', {
      subscriptions: [{ name }, ...Array.from({ length: 100 }, (_, i) => ({ name: `filler ${i}` }))],
    }),
  unsubscribe: name => member.delete('/users/me/subscriptions', { subscriptions: [name] }),
  get_stream_id: name => member.get('/get_stream_id', { stream: name }),
  'get_messages, narrow': name =>
    member.get('/messages', { anchor: 'newest', narrow: [{ operator: 'channel', operand: name }] }),
}

for (const [what, ask] of Object.entries(asks)) {
  t.test(`${what}: who may not make channels meets the same refusal for a hidden name and for a free one`, async t => {
    const [taken, free] = [await refusal(hidden, ask), await refusal(freshName('free'), ask)]
    t.equal(taken, free)
    t.match(taken, /"status":400/)
  })
}

t.test('of the channels that are known only the access is refused', async t => {
  t.equal((await member.post('/users/me/subscriptions', { subscriptions: [{ name: known }] })).status, 200)
  await setOrganization(server.sql, { can_create_public_channel_group: await groupId(server.sql, 'role:members') })
  const refused = await member.post('/users/me/subscriptions', { subscriptions: [{ name: hidden }] })
  t.match(refused, { status: 400, body: { msg: `Unable to access channel (${hidden}).` } })
})
