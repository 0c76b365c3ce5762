import t from 'tap'
import { bumpVersion } from '../../../server/store/organization/organization.js'
import { setColumns } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { checkRegister } from '../../support/wire-schemas.js'
import { freshName, type Loose } from './scene.js'

const server = await startServer(t)
const { sql } = server
const types = ['stream', 'subscription', 'default_streams', 'default_stream_groups', 'channel_folders']
const capabilities = { archived_channels: true, notification_settings_null: true }
const member = await server.person()

async function register(who: Person | null, params: Loose = {}): Promise<Loose> {
  const api = who ?? server.api(null)
  const asked = { fetch_event_types: types, client_capabilities: capabilities, ...params }
  return api.ok('POST', '/register', asked)
}

async function make(creator: Person, params: Loose = {}): Promise<{ name: string; id: number }> {
  const name = freshName()
  await creator.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], ...params })
  return { name, id: (await creator.ok('GET', '/get_stream_id', { stream: name })).stream_id }
}

async function change(id: number, fields: Loose): Promise<void> {
  await sql.begin(async tx => {
    await tx`update channels set ${tx({ ...fields, version: await bumpVersion(tx) })} where id = ${id}`
  })
}

const ids = (list: Loose[]): number[] => list.map(channel => channel.stream_id)
const lists = ['subscriptions', 'unsubscribed', 'never_subscribed'] as const
const whereIs = (state: Loose, id: number): string[] => lists.filter(name => ids(state[name]).includes(id))

t.test('each channel that the caller may see is in one list, and in streams', async t => {
  const [person, other] = [await server.person(), await server.person()]
  const [mine, left, never, closed] = [
    await make(person),
    await make(person),
    await make(other),
    await make(other, { invite_only: true }),
  ]
  await person.ok('DELETE', '/users/me/subscriptions', { subscriptions: [left.name] })
  const state = await register(person)
  t.same(checkRegister(state, types), [])
  t.same(whereIs(state, mine.id), ['subscriptions'])
  t.same(whereIs(state, left.id), ['unsubscribed'])
  t.same(whereIs(state, never.id), ['never_subscribed'])
  t.same(whereIs(state, closed.id), [])
  const known = ids(state.streams)
  t.ok([mine, left, never].every(channel => known.includes(channel.id)))
  t.notOk(known.includes(closed.id))
  const administrator = await register(await server.person({ role: 200 }))
  t.same(whereIs(administrator, closed.id), ['never_subscribed'])
})

t.test('guests have what they are subscribed to and what is open to the web; no defaults', async t => {
  const guest = await server.person({ role: 600 })
  const admin = await server.person({ role: 200 })
  const open = await make(admin, { is_default_stream: true })
  const mine = await make(admin, { principals: [guest.id] })
  const web = await make(admin)
  await change(web.id, { is_web_public: true })
  const state = await register(guest)
  t.same(checkRegister(state, types), [])
  t.same(ids(state.subscriptions), [mine.id])
  t.same(ids(state.never_subscribed), [web.id])
  t.same(ids(state.streams), [mine.id, web.id])
  t.same(state.realm_default_streams, [])
  t.same((await register(member)).realm_default_streams, [open.id])
})

t.test('a spectator has what is open to the web', async t => {
  const web = await make(member)
  const archived = await make(member)
  await change(web.id, { is_web_public: true })
  await change(archived.id, { is_web_public: true, is_archived: true })
  t.equal((await server.api(null).post('/register', {})).status, 401)
  const set = (settings: Loose) => setColumns(sql, { settings })
  await set({ enable_spectator_access: true })
  t.teardown(() => set({}))
  const state = await register(null)
  t.same(checkRegister(state, types), [])
  t.same(state.subscriptions, [])
  t.ok(ids(state.never_subscribed).includes(web.id))
  t.notOk(ids(state.never_subscribed).includes(archived.id))
  t.notOk('streams' in state)
})

t.test('archived channels only for clients that know them', async t => {
  const person = await server.person()
  const { id } = await make(person)
  await change(id, { is_archived: true })
  const state = await register(person)
  t.same(ids(state.subscriptions), [id])
  t.equal(state.streams.find((channel: Loose) => channel.stream_id === id).is_archived, true)
  const without = await register(person, { client_capabilities: {} })
  t.same(without.subscriptions, [])
  t.notOk(ids(without.streams).includes(id))
})

t.test('null among notification settings only for clients that know it', async t => {
  const person = await server.person({ settings: { enable_stream_audible_notifications: true } })
  await make(person)
  const [asNull] = (await register(person)).subscriptions
  t.match(asNull, { audible_notifications: null, wildcard_mentions_notify: null })
  const state = await register(person, { client_capabilities: {} })
  t.match(state.subscriptions[0], {
    audible_notifications: true,
    push_notifications: false,
    wildcard_mentions_notify: null,
  })
})

t.test('the list of subscriptions shows null for what the user did not set, whatever inherits', async t => {
  const person = await server.person({ settings: { enable_stream_audible_notifications: true } })
  const { id } = await make(person)
  const names = ['desktop', 'email', 'push', 'audible'].map(kind => `${kind}_notifications`)
  names.push('wildcard_mentions_notify')
  const listed = async () => {
    const [subscription] = (await person.ok('GET', '/users/me/subscriptions')).subscriptions
    return names.map(name => subscription[name])
  }
  t.same(await listed(), [null, null, null, null, null])
  for (const [value, property] of [[true, 'push_notifications'] as const, [false, 'email_notifications'] as const])
    await person.ok('POST', `/users/me/subscriptions/${id}`, { property, value })
  t.same(await listed(), [null, false, true, null, null])
})

t.test('subscribers: of none, of all, of large channels in part', async t => {
  const person = await server.person()
  const small = await make(person)
  const large = await make(person)
  const bot = await server.person({ bot_type: 1, bot_owner_id: person.id })
  const speaker = await server.person()
  const crowd = await sql.begin(async tx => {
    const version = await bumpVersion(tx)
    return tx<{ id: number }[]>`
      insert into users (delivery_email, full_name, role, api_key, version)
      select 'crowd' || n || '@test.example', 'Crowd ' || n, 400, lpad(n::text, 32, '0'), ${version}
      from generate_series(1, 260) n returning id`
  })
  const principals = [...crowd.map(row => row.id), bot.id, speaker.id]
  await person.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: large.name }], principals })
  await speaker.ok('POST', '/messages', { type: 'stream', to: large.name, topic: 'x', content: 'hello' })
  const find = (state: Loose, id: number) => state.subscriptions.find((channel: Loose) => channel.stream_id === id)

  const none = await register(person)
  t.notOk('subscribers' in find(none, small.id))
  t.equal(find(none, large.id).subscriber_count, 263)

  const all = await register(person, { include_subscribers: 'true' })
  t.same(checkRegister(all, types), [])
  t.equal(find(all, large.id).subscribers.length, 263)
  t.same(find(all, small.id).subscribers, [person.id])

  const partial = await register(person, { include_subscribers: 'partial' })
  t.same(checkRegister(partial, types), [])
  t.same(find(partial, small.id).subscribers, [person.id])
  t.notOk('partial_subscribers' in find(partial, small.id))
  t.notOk('subscribers' in find(partial, large.id))
  t.same(find(partial, large.id).partial_subscribers, [bot.id, speaker.id], 'bots, and who was active lately')

  const own = await person.ok('GET', '/users/me/subscriptions', { include_subscribers: 'partial' })
  t.same(find(own, large.id).partial_subscribers, [bot.id, speaker.id])
  t.equal((await person.get('/users/me/subscriptions', { include_subscribers: 'some' })).status, 400)
})

t.test('only what is fetched is there', async t => {
  const state = await register(member, { fetch_event_types: ['default_streams'] })
  t.same(checkRegister(state, ['default_streams']), [])
})
