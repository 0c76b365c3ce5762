// The whole state costs as many statements as one of its parts, and each part is the same alone and beside the others.
import t from 'tap'
import { pieces } from '../../../server/api/events/pieces.js'
import type { Loose } from '../../support/in-step.js'
import { limitGuests, setOrganization } from '../../support/organization.js'
import { queriesOf } from '../../support/queries.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const owner = await server.person({ role: 100 })
const member = await server.person()
const guest = await server.person({ role: 600 })
await owner.ok('POST', '/channel_folders/create', { name: 'Work', description: '' })
await owner.ok('POST', '/realm/profile_fields', { field_type: 1, name: 'Team', hint: '' })
await owner.ok('POST', '/users/me/subscriptions', {
  subscriptions: [{ name: 'open' }, { name: 'other' }],
  principals: [owner.id, member.id, guest.id],
})
const { stream_id: open } = await owner.ok('GET', '/get_stream_id', { stream: 'open' })
const { stream_id: other } = await owner.ok('GET', '/get_stream_id', { stream: 'other' })
await owner.ok('POST', '/default_stream_groups/create', {
  group_name: 'First',
  description: '',
  stream_names: ['other'],
})
const ids: number[] = []
for (const stream of [open, other]) {
  const { id } = await owner.ok('POST', '/messages', {
    type: 'stream',
    to: stream,
    topic: 'muted',
    content: '@**all**',
  })
  ids.push(id)
}
for (const reader of [member, guest]) {
  await owner.ok('POST', '/messages', { type: 'direct', to: [reader.id], content: `hello` })
  await reader.ok('POST', '/messages/flags', { op: 'add', flag: 'starred', messages: ids })
  await reader.ok('POST', '/user_topics', { stream_id: open, topic: 'muted', visibility_policy: 1 })
  await reader.ok('POST', '/drafts', {
    drafts: [1, 2].map(n => ({ type: 'stream', to: [open], topic: 'x', content: `draft ${n} "é"`, timestamp: n })),
  })
  await reader.ok('POST', '/saved_snippets', { title: 'Greeting', content: 'Good\nmorning' })
  await reader.ok('POST', '/navigation_views', { fragment: 'inbox', is_pinned: true })
  await reader.ok('PATCH', '/users/me/sidebar', { collapsed: ['direct'] })
  await reader.ok('POST', '/register_client_device')
  await reader.ok('POST', '/users/me/presence', { status: 'active' })
}

type Asked = readonly string[] | null

/** A state with these types; the presence of this moment is left out. */
async function stateOf(who: typeof member, fetch_event_types: Asked): Promise<Loose> {
  const { queue_id, server_timestamp: _, ...state } = await who.ok('POST', '/register', { fetch_event_types })
  await who.ok('DELETE', '/events', { queue_id })
  return state
}

/** The types that a client has to request for this one. */
const withNeeded = (type: string): string[] => (type === 'update_message_flags' ? [type, 'message'] : [type])

t.test('each part is the same alone, beside one other and beside all others', async t => {
  const types = pieces.filter(({ selects = [] }) => selects.length > 0).map(({ fetchType }) => fetchType)
  for (const who of [member, guest]) {
    const whole = await stateOf(who, null)
    for (const list of ['drafts', 'saved_snippets', 'starred_messages', 'navigation_views', 'channel_folders'])
      t.not(whole[list].length, 0, list)
    t.match(whole, {
      unread_msgs: { count: 2, pms: { length: 1 }, streams: { length: 2 } },
      muted_topics: { length: 1 },
    })
    for (const [i, type] of types.entries()) {
      const next = types[(i + 1) % types.length] as string
      for (const asked of [withNeeded(type), [...withNeeded(type), ...withNeeded(next)]]) {
        const part = await stateOf(who, asked)
        t.same(part, Object.fromEntries(Object.keys(part).map(name => [name, whole[name]])), asked.join())
      }
    }
    const most = pieces.map(({ fetchType }) => fetchType).filter(type => type !== 'drafts' && type !== 'user_topic')
    const { drafts: _, user_topics: __, ...rest } = whole
    t.same(await stateOf(who, most), rest)
  }
})

// Beside `begin` and `commit`.
const statements: readonly (readonly [
  who: 'member' | 'guest' | 'spectator',
  asked: Asked,
  number: number,
  why: string,
])[] = [
  ['member', [], 1, 'the snapshot'],
  ['member', ['realm', 'realm_user', 'realm_emoji', 'user_settings', 'muted_users'], 1, 'memory knows the rest'],
  ['member', ['stream', 'subscription'], 1, 'memory knows the rest'],
  ['member', ['message'], 1, 'one with the snapshot'],
  ['member', ['drafts', 'saved_snippets', 'device', 'user_topic', 'muted_topics'], 1, 'one with the snapshot'],
  ['member', null, 2, 'one with the snapshot, and the newest messages of channels'],
  ['guest', null, 3, 'one more for the users that the guest may see'],
  ['spectator', null, 2, 'the snapshot, and the folders'],
]

t.test('what is about an account is one statement, and what the worker knows is none', async t => {
  await limitGuests(server.sql)
  await setOrganization(server.sql, { enable_spectator_access: true })
  const callers = { member, guest, spectator: server.api(null) }
  for (const [who, fetch_event_types, number, why] of statements) {
    const params = { fetch_event_types, event_types: fetch_event_types, idle_queue_timeout: 1 }
    const found = await queriesOf(server, () => callers[who].ok('POST', '/register', params))
    t.equal(found, number, `${who} ${fetch_event_types}: ${why}`)
  }
})
