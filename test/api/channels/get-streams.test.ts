import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { bumpVersion } from '../../../server/store/organization/organization.js'
import { deactivate, setOrganization } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { queriesOf } from '../../support/queries.js'
import { startServer } from '../../support/server.js'
import { checkObject } from '../../support/wire-schemas.js'
import type { Loose } from './scene.js'

const server = await startServer(t)
const { sql } = server
await setOrganization(sql, { enable_spectator_access: true })
const owner = await server.person({ role: 100 })
const [admin, member, guest] = [
  await server.person({ role: 200 }),
  await server.person(),
  await server.person({ role: 600 }),
]
const bot = await server.person({ bot_type: 1, bot_owner_id: owner.id })

async function make(name: string, params: Loose = {}): Promise<number> {
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], ...params })
  return (await owner.ok('GET', '/get_stream_id', { stream: name })).stream_id
}
const open = await make('Open')
const closed = await make('closed', { invite_only: true })
const web = await make('web', { is_web_public: true })
const shared = await make('shared', { invite_only: true, principals: [owner.id, guest.id, member.id] })
const archived = await make('archived')
await change(archived, { is_archived: true })

async function change(id: number, fields: Loose): Promise<void> {
  await sql.begin(async tx => {
    await tx`update channels set ${tx({ ...fields, version: await bumpVersion(tx) })} where id = ${id}`
  })
}

const names = async (who: Person, params: Loose = {}): Promise<string[]> =>
  (await who.ok('GET', '/streams', params)).streams.map((stream: Loose) => stream.name)

t.test('public channels and the own ones, by name', async t => {
  t.same(await names(owner), ['Open', 'closed', 'shared', 'web'])
  t.same(await names(member), ['Open', 'shared', 'web'])
  t.same(await names(guest), ['shared'])
  t.same(await names(guest, { include_web_public: true }), ['shared', 'web'])
  t.same(await names(member, { include_subscribed: false }), ['Open', 'web'])
  t.same(await names(member, { include_public: false }), ['shared'])
  t.same(await names(member, { include_public: false, include_subscribed: false }), [])
  t.same(await names(member, { exclude_archived: false }), ['Open', 'archived', 'shared', 'web'])
})

t.test('all that one may know, or read', async t => {
  for (const name of ['include_all', 'include_all_active']) {
    t.same(await names(admin, { [name]: true }), ['Open', 'closed', 'shared', 'web'])
    t.same(await names(guest, { [name]: true }), ['shared', 'web'])
  }
  t.same(await names(admin, { include_can_access_content: true }), ['Open', 'web'])
})

t.test("a bot sees its owner's channels on request; other callers may not", async t => {
  t.same(await names(bot, { include_public: false, include_owner_subscribed: true }), [
    'Open',
    'closed',
    'shared',
    'web',
  ])
  t.match(await member.get('/streams', { include_owner_subscribed: true }), {
    status: 400,
    body: { code: 'BAD_REQUEST' },
  })
})

t.test('objects follow the reference schemas; is_default only on request', async t => {
  const { streams } = await owner.ok('GET', '/streams')
  for (const stream of streams) t.same(checkObject('channel', stream), [])
  t.notOk('is_default' in streams[0])
  const [first] = (await owner.ok('GET', '/streams', { include_default: true })).streams
  t.equal(first.is_default, false)
  t.same(checkObject('channel', first), [])
})

t.test('one channel, its id, its subscribers, and who is one', async t => {
  const { stream } = await member.ok('GET', `/streams/${shared}`)
  t.match(stream, { name: 'shared', subscriber_count: 3, invite_only: true })
  t.same(checkObject('channel', stream), [])
  t.equal((await member.ok('GET', '/get_stream_id', { stream: 'OPEN' })).stream_id, open)
  t.same((await member.ok('GET', `/streams/${shared}/members`)).subscribers, [owner.id, member.id, guest.id])
  const status = (who: number, where: number) => `/users/${who}/subscriptions/${where}`
  t.equal((await member.ok('GET', status(guest.id, shared))).is_subscribed, true)
  t.equal((await member.ok('GET', status(guest.id, open))).is_subscribed, false)
  t.equal((await admin.ok('GET', `/streams/${archived}`)).stream.is_archived, true)
  t.match(await admin.get(`/streams/${closed}`), { status: 200 }, 'administrators know of private channels')
})

t.test('the channels of a user that the caller may know', async t => {
  const of = async (who: Person, id: number) => (await who.ok('GET', `/users/${id}/channels`)).subscribed_channel_ids
  t.same(await of(admin, owner.id), [open, closed, web, shared, archived])
  t.same(await of(member, owner.id), [open, web, shared, archived])
  t.same(await of(guest, owner.id), [web, shared])
  t.match(await member.get('/users/999999/channels'), { status: 400, body: { code: 'BAD_REQUEST' } })
})

t.test('what one may not know is not there', async t => {
  const refused = { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } }
  for (const [who, id, name] of [
    [member, closed, 'closed'],
    [guest, open, 'Open'],
    [member, 999_999, 'no such channel'],
  ] as const) {
    t.match(await who.get(`/streams/${id}`), refused)
    t.match(await who.get(`/streams/${id}/members`), refused)
    t.match(await who.get('/get_stream_id', { stream: name }), refused)
    t.match(await who.get(`/users/${owner.id}/subscriptions/${id}`), refused)
  }
  t.match(await member.get(`/users/999999/subscriptions/${open}`), refused)
  t.match(await guest.get(`/streams/${web}`), { status: 200 })
})

t.test('an older channel shows its traffic, and whether it had messages lately', async t => {
  const longAgo = { date_created: new Date(Date.now() - 400 * 24 * 60 * 60 * 1000) }
  await change(open, longAgo)
  await owner.ok('POST', '/messages', { type: 'stream', to: 'Open', topic: 'x', content: 'one' })
  await sql`delete from channel_traffic`
  await sql`update lists_version set version = version + 1`
  const stream = async (id: number) => (await owner.ok('GET', `/streams/${id}`)).stream
  t.match(await stream(open), { stream_weekly_traffic: null })
  // By a job, once an hour.
  await sql`update jobs set due = now() where kind = 'count-channel-traffic'`
  while ((await stream(open)).stream_weekly_traffic === null) await sleep(50)
  t.match(await stream(open), { stream_weekly_traffic: 1, is_recently_active: true })
  await change(closed, longAgo)
  t.match(await stream(closed), { stream_weekly_traffic: 0, is_recently_active: false, first_message_id: null })
  t.match(await stream(web), { stream_weekly_traffic: null, is_recently_active: true })
})

t.test('input that is refused', async t => {
  const names = [
    'include_public',
    'include_web_public',
    'include_subscribed',
    'exclude_archived',
    'include_all',
    'include_all_active',
    'include_default',
    'include_owner_subscribed',
    'include_can_access_content',
  ]
  for (const name of names) {
    t.match(await owner.get('/streams', { [name]: 'yes' }), { status: 400, body: { code: 'BAD_REQUEST' } }, name)
  }
  t.match(await owner.get('/get_stream_id'), {
    status: 400,
    body: { code: 'REQUEST_VARIABLE_MISSING', var_name: 'stream' },
  })
})

t.test('archived channels are found by id and by name', async t => {
  t.equal((await member.ok('GET', '/get_stream_id', { stream: ' ARCHIVED ' })).stream_id, archived)
  t.same((await member.ok('GET', `/streams/${archived}/members`)).subscribers, [owner.id])
  t.ok((await names(admin, { include_all: true, exclude_archived: false })).includes('archived'))
})

t.test('deactivated users are no subscribers', async t => {
  const gone = await server.person()
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'shared' }], principals: [gone.id] })
  t.ok((await owner.ok('GET', `/streams/${shared}/members`)).subscribers.includes(gone.id))
  await deactivate(sql, gone.id)
  t.notOk((await owner.ok('GET', `/streams/${shared}/members`)).subscribers.includes(gone.id))
  t.equal((await owner.ok('GET', `/streams/${shared}`)).stream.subscriber_count, 3)
})

t.test('as many statements for many channels as for few', async t => {
  const state = { fetch_event_types: ['stream', 'subscription', 'default_streams', 'channel_folders'] }
  const lists: [string, () => Promise<unknown>][] = [
    ['GET /streams', () => owner.ok('GET', '/streams', { include_all: true, include_default: true })],
    ['GET /streams, of a guest', () => guest.ok('GET', '/streams', { include_can_access_content: true })],
    ['GET /users/me/subscriptions', () => owner.ok('GET', '/users/me/subscriptions', { include_subscribers: 'true' })],
    ['partial', () => owner.ok('GET', '/users/me/subscriptions', { include_subscribers: 'partial' })],
    ['GET /streams/{stream_id}', () => owner.ok('GET', `/streams/${open}`)],
    ['GET /streams/{stream_id}/members', () => owner.ok('GET', `/streams/${open}/members`)],
    ['GET /get_stream_id', () => owner.ok('GET', '/get_stream_id', { stream: 'Open' })],
    ['POST /register', () => owner.ok('POST', '/register', { ...state, include_subscribers: 'true' })],
  ]
  const before = new Map<string, number>()
  for (const [name, list] of lists) before.set(name, await queriesOf(server, list))
  const people = await Promise.all(Array.from({ length: 6 }, () => server.person()))
  for (let i = 0; i < 6; i++) {
    await make(`one of many ${i}`, { principals: [owner.id, guest.id, ...people.map(person => person.id)] })
  }
  for (const [name, list] of lists) t.equal(await queriesOf(server, list), before.get(name), name)
})
