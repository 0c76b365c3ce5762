import t from 'tap'
import type { Tx } from '../../server/store/driver/db.js'
import { bumpVersion } from '../../server/store/organization/organization.js'
import type { Person } from '../support/people.js'
import { queriesOf, statementsOf } from '../support/queries.js'
import { startServer } from '../support/server.js'

const server = await startServer(t)
const owner = await server.person({ role: 100 })
const member = await server.person()
const guest = await server.person({ role: 600 })
await owner.ok('POST', '/users/me/subscriptions', {
  subscriptions: [{ name: 'everybody' }],
  principals: [owner.id, member.id, guest.id],
})
const { stream_id: channel } = await owner.ok('GET', '/get_stream_id', { stream: 'everybody' })
await owner.ok('POST', '/messages', { type: 'stream', to: 'everybody', topic: 'first', content: 'hello' })
await owner.ok('POST', '/messages', { type: 'direct', to: [member.id], content: 'hello' })
for (const person of [owner, member, guest]) await person.ok('POST', '/users/me/presence', { status: 'active' })

const page = { anchor: 'newest', num_before: 100, num_after: 0 }
const everything = { include_subscribers: 'true', event_types: null }
type Operation = readonly [method: string, path: string, params?: Record<string, unknown>]

/** Each operation that returns a list, with the parameters for the whole list; for subscriptions also one per channel. */
const lists: readonly Operation[] = [
  ['GET', '/users'],
  ['GET', '/users', { include_custom_profile_fields: true, client_gravatar: false }],
  ['GET', '/streams', { include_all: true, exclude_archived: false }],
  ['GET', '/streams', { include_owner_subscribed: false }],
  ['GET', '/users/me/subscriptions', { include_subscribers: 'true' }],
  ['GET', '/users/me/subscriptions', { include_subscribers: 'partial' }],
  ['GET', `/users/me/${channel}/topics`],
  ['GET', `/streams/${channel}/members`],
  ['GET', '/messages', page],
  ['GET', '/messages', { ...page, narrow: [{ operator: 'channel', operand: channel }] }],
  ['GET', '/messages', { ...page, narrow: [{ operator: 'is', operand: 'dm' }] }],
  ['GET', '/messages', { ...page, narrow: [{ operator: 'search', operand: 'hello' }] }],
  ['GET', '/messages', { ...page, narrow: [{ operator: 'is', operand: 'unread' }] }],
  ['POST', '/users/me/presence', { status: 'active', last_update_id: -1 }],
  ['POST', '/register', everything],
  ['POST', '/register', { include_subscribers: 'partial', client_capabilities: { archived_channels: true } }],
]
const callers = { owner, member, guest }

t.test('an operation that lists makes as many queries in a large organization as in a small one', async t => {
  // A page with few messages among the newest ids needs a second query, for which a small organization would have too few ids.
  await server.sql`select setval('messages_id_seq', last_value + 20000) from messages_id_seq`
  // Large enough that one channel counts as large (docs/protocol/register.md#forms-of-the-answer).
  await server.sql.begin(tx => grow(tx, 'some', 260))
  const [few, fewAtFirst] = [await count(), await countAtFirst()]
  await server.sql.begin(tx => grow(tx, 'many', 400))
  t.same(await count(), few, 'when the lists are remembered')
  // One more where an earlier operation of the same worker has read the messages of a page or not.
  for (const [name, queries] of Object.entries(await countAtFirst()))
    t.ok(queries <= (fewAtFirst[name] ?? 0) + 1, `when nothing is, ${name} makes ${queries} queries`)
  // With `begin` and `commit` at most ten.
  for (const [name, queries] of Object.entries(few)) t.ok(queries <= 8, `${name} makes ${queries} queries`)
})

/** Counts for a worker with warm caches. */
async function count(): Promise<Record<string, number>> {
  return eachList((person, call) => queriesOf(server, () => ok(server.api(person.who), call)))
}

/** Counts for a worker that has just started. */
async function countAtFirst(): Promise<Record<string, number>> {
  const fresh = await startServer(t, {}, server.organization)
  // Its periodic jobs make statements of their own.
  await fresh.jobs.stop()
  // One request to open the database connections.
  await fresh.api(owner.who).ok('GET', '/users/me')
  const counts = await eachList(
    async (person, call) => (await statementsOf(fresh, () => ok(fresh.api(person.who), call))).length,
  )
  await fresh.stop()
  return counts
}

async function eachList(
  counted: (person: Person, call: Operation) => Promise<number>,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const [who, person] of Object.entries(callers)) {
    for (const call of lists)
      counts[`${who}: ${call[0]} ${call[1]} ${JSON.stringify(call[2])}`] = await counted(person, call)
  }
  return counts
}

function ok(api: { ok(...call: Operation): Promise<unknown> }, call: Operation): Promise<unknown> {
  return api.ok(...call)
}

/** Adds this many rows to every list; all of them are visible to the callers above. */
async function grow(tx: Tx, name: string, more: number): Promise<void> {
  const version = await bumpVersion(tx)
  await tx`
    insert into users (delivery_email, full_name, role, api_key, version)
    select ${name} || n || '@test.example', ${name} || ' ' || n, 400, md5(${name} || n), ${version} from generate_series(1, ${more}::int) n`
  await tx`
    insert into channels (name, invite_only, is_archived, version)
    select ${name} || ' ' || n, n % 3 = 0, n % 10 = 0, ${version} from generate_series(1, ${more}::int) n`
  await tx`
    insert into subscriptions (user_id, channel_id, spans)
    select users.id, channels.id, '{[1,)}' from users, channels
    where channels.name <> 'everybody' and (users.id + channels.id) % 5 = 0 or channels.id = ${channel}
    on conflict do nothing`
  await tx`
    insert into subscriptions (user_id, channel_id, spans)
    select ${guest.id}, id, '{[1,)}' from channels on conflict do nothing`
  await tx`update channels set subscribers_version = subscribers_version + 1`
  await tx`update lists_version set version = version + 1`
  await tx`
    insert into user_groups (name, version) select ${name} || ' ' || n, ${version} from generate_series(1, ${more}::int) n`
  await tx`
    insert into user_group_members (group_id, user_id)
    select user_groups.id, users.id from user_groups, users where not user_groups.is_system_group and users.id % 7 = user_groups.id % 7
    on conflict do nothing`
  await tx`
    insert into conversations (user_ids)
    select array[${member.id}::int, id] from users where id > ${member.id}
    on conflict do nothing`
  await messages(tx)
}

async function messages(tx: Tx): Promise<void> {
  await tx`
    insert into messages (sender_id, channel_id, topic, content, rendered_content, renderer_version)
    select ${owner.id}, channels.id, 'topic ' || n, 'hello', '<p>hello</p>', 1
    from channels, generate_series(1, 3) n`
  await tx`
    insert into messages (sender_id, channel_id, topic, content, rendered_content, renderer_version)
    select ${owner.id}, ${channel}, 'topic ' || n, 'hello', '<p>hello</p>', 1 from generate_series(1, 300) n`
  await tx`
    insert into messages (sender_id, conversation_id, content, rendered_content, renderer_version)
    select user_ids[2], id, 'hello', '<p>hello</p>', 1 from conversations where cardinality(user_ids) = 2`
  await tx`
    insert into message_flags (user_id, message_id, flags)
    select ${member.id}, id, 1 from messages where id % 2 = 0 on conflict do nothing`
  await tx`
    insert into reactions (message_id, user_id, reaction_type, emoji_code, emoji_name)
    select id, ${owner.id}, 'unicode_emoji', '1f44d', '+1' from messages on conflict do nothing`
}
