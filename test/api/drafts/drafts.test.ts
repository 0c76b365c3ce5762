import t from 'tap'
import { budgets } from '../../../server/config/budgets.js'
import { kinds, Listener, type Loose } from '../../support/in-step.js'
import { limitGuests } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { checkObject } from '../../support/wire-schemas.js'

const server = await startServer(t)
const refused = { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } }
const none = { type: '', to: [], topic: '', content: 'text' }
const create = (owner: Person, ...drafts: Loose[]) => owner.post('/drafts', { drafts })
const draftsOf = async (owner: Person): Promise<Loose[]> => (await owner.ok('GET', '/drafts')).drafts

async function channelOf(owner: Person, name: string, isPrivate = false): Promise<number> {
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], invite_only: isPrivate })
  return (await owner.ok('GET', '/get_stream_id', { stream: name })).stream_id
}

t.test('drafts of every kind are stored in one request and listed by their last edit', async t => {
  const [owner, other] = [await server.person(), await server.person()]
  const channel = await channelOf(owner, 'plans')
  const ears = [await Listener.start(server.ctx, owner), await Listener.start(server.ctx, other)] as const
  const given = [
    { type: 'stream', to: [channel], topic: 'x'.repeat(61), content: '\nto a channel \n', timestamp: 3000.9 },
    { type: 'private', to: [owner.id, other.id], topic: 'ignored', content: 'to a user', timestamp: 1000 },
    { type: 'private', to: [owner.id], topic: '', content: 'to oneself', timestamp: 2000 },
    { type: 'private', to: [], topic: '', content: 'x'.repeat(10_001), timestamp: 0 },
    { ...none, to: [other.id], topic: 'left out' },
  ]
  const { ids } = await owner.ok('POST', '/drafts', { drafts: given })
  const found = await draftsOf(owner)
  for (const draft of found) t.same(checkObject('draft', draft), [])
  t.same(
    found.map(draft => draft.id),
    [3, 1, 2, 0, 4].map(i => ids[i]),
  )
  t.match(found, [
    { type: '', to: [], topic: '', timestamp: 0 },
    { type: 'private', to: [other.id], topic: '', content: 'to a user', timestamp: 1000 },
    { type: 'private', to: [owner.id], content: 'to oneself', timestamp: 2000 },
    { type: 'stream', to: [channel], topic: `${'x'.repeat(57)}...`, content: 'to a channel', timestamp: 3000 },
    { type: '', to: [], topic: '', content: 'text' },
  ])
  t.equal(found[0]?.content.length, 10_000)
  t.ok(Math.abs(found[4]?.timestamp - Date.now() / 1000) < 600, 'without a timestamp: now')
  const events = await ears[0].inStep(t)
  t.match(events, [{ type: 'drafts', op: 'add' }])
  t.same(
    events[0]?.drafts.map((draft: Loose) => draft.id),
    ids,
  )
  t.same(await ears[1].inStep(t), [])
})

t.test('a draft is replaced and deleted', async t => {
  const owner = await server.person()
  const { ids } = await owner.ok('POST', '/drafts', {
    drafts: [
      { ...none, timestamp: 1 },
      { ...none, timestamp: 2 },
    ],
  })
  const ear = await Listener.start(server.ctx, owner)
  await owner.ok('PATCH', `/drafts/${ids[0]}`, { draft: { ...none, content: 'changed', timestamp: 3 } })
  t.match(await draftsOf(owner), [{ id: ids[1] }, { id: ids[0], content: 'changed', timestamp: 3 }])
  await owner.ok('DELETE', `/drafts/${ids[1]}`)
  t.match(await ear.inStep(t), [
    { op: 'update', draft: { id: ids[0], content: 'changed' } },
    { op: 'remove', draft_id: ids[1] },
  ])
})

t.test('input that is refused stores nothing', async t => {
  const [owner, other] = [await server.person(), await server.person()]
  const [open, secret] = [await channelOf(owner, 'open'), await channelOf(other, 'secret', true)]
  const { ids } = await owner.ok('POST', '/drafts', { drafts: [none] })
  const ear = await Listener.start(server.ctx, owner)
  const inChannel = { type: 'stream', to: [open], topic: 'x', content: 'x' }
  const cases: [string, Loose][] = [
    ['no channel', { ...inChannel, to: [] }],
    ['two channels', { ...inChannel, to: [open, secret] }],
    ['one channel twice', { ...inChannel, to: [open, open] }],
    ['an unknown channel', { ...inChannel, to: [9_999_999] }],
    ['a channel that it does not see', { ...inChannel, to: [secret] }],
    ['NUL in the topic', { ...inChannel, topic: 'a\0' }],
    ['blank content', { ...none, content: ' \n' }],
    ['NUL in the content', { ...none, content: 'a\0' }],
    ['an unknown user', { ...none, type: 'private', to: [9_999_999] }],
    ['an unknown type', { ...none, type: 'direct' }],
    ['a negative time', { ...none, timestamp: -1 }],
    ['a far time', { ...none, timestamp: 1e15 }],
    ['a key too many', { ...none, id: 1 }],
    ['a key too few', { type: '', to: [], topic: '' }],
    ['a wrong type of recipient', { ...none, to: 'x' }],
  ]
  for (const [title, draft] of cases) {
    t.match(await create(owner, none, draft), refused, title)
    t.match(await owner.patch(`/drafts/${ids[0]}`, { draft }), refused, `${title}, edited`)
  }
  t.match(await owner.post('/drafts', { drafts: 'x' }), refused)
  t.match(await owner.post('/drafts', { drafts: Array(101).fill(none) }), refused)
  t.match(await owner.post('/drafts'), { status: 400, body: { code: 'REQUEST_VARIABLE_MISSING' } })
  for (const id of [ids[0], 0, 2_000_000_000, 99_999_999_999]) {
    const missing = { status: 404, body: { code: 'BAD_REQUEST' } }
    t.match(await other.patch(`/drafts/${id}`, { draft: none }), missing)
    t.match(await other.delete(`/drafts/${id}`), missing)
  }
  const anonymous = server.api(null)
  t.equal((await anonymous.get('/drafts')).status, 401)
  t.equal((await anonymous.post('/drafts', { drafts: [none] })).status, 401)
  t.same((await owner.ok('POST', '/drafts', { drafts: [] })).ids, [])
  t.same(await ear.inStep(t), [])
  t.match(await draftsOf(owner), [{ id: ids[0], content: 'text' }])
})

t.test('without the setting there are no drafts: those that exist are deleted', async t => {
  const [owner, admin] = [await server.person(), await server.person({ role: 200 })]
  const other = await server.person()
  for (const person of [owner, other]) await person.ok('POST', '/drafts', { drafts: [none] })
  const [ear, second] = [await Listener.start(server.ctx, owner), await Listener.start(server.ctx, other)]
  await owner.ok('PATCH', '/settings', { enable_drafts_synchronization: false })
  t.same(kinds(await ear.inStep(t)), ['user_settings/update'])
  t.same(ear.state.drafts, [])
  t.match(await owner.get('/drafts'), refused)
  t.match(await create(owner, none), refused)
  t.match(await owner.patch('/drafts/1', { draft: none }), refused)
  t.match(await owner.delete('/drafts/1'), refused)
  await owner.ok('PATCH', '/settings', { enable_drafts_synchronization: true })
  t.same(await draftsOf(owner), [])
  const target_users = { user_ids: [other.id] }
  await admin.ok('PATCH', '/settings', { enable_drafts_synchronization: false, target_users })
  await second.inStep(t)
  t.same(second.state.drafts, [])
})

t.test('drafts of an account are bounded in number and size', async t => {
  const owner = await server.person()
  await server.sql`
    insert into drafts (user_id, type, recipients, topic, content, last_edited)
    select ${owner.id}, '', '{}', '', 'x', now() from generate_series(1, ${budgets.drafts.most - 1})`
  t.match(await create(owner, none, none), refused)
  const both = await Promise.all([create(owner, none), create(owner, none)])
  t.same(both.map(answer => answer.status).sort(), [200, 400])
  await server.sql`update drafts set content = repeat('x', 1000) where user_id = ${owner.id}`
  const [first] = await draftsOf(owner)
  t.match(await owner.patch(`/drafts/${first?.id}`, { draft: { ...none, content: 'x'.repeat(1001) } }), refused)
})

t.test('a guest with limited access cannot name users that it does not know', async t => {
  await limitGuests(server.sql)
  const [guest, stranger] = [await server.person({ role: 600 }), await server.person()]
  t.match(await create(guest, { ...none, type: 'private', to: [stranger.id] }), refused)
})
