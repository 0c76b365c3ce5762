// The cached ids of channels give the same unread messages as the tables.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { unreadPlaces, unreadSelects } from '../../server/lookups/unread-places.js'
import { ChannelIndex } from '../../server/memory/channel-index.js'
import { SettledIds } from '../../server/memory/settled-ids.js'
import type { Narrow } from '../../server/narrow/sql/narrow-sql.js'
import type { Tx } from '../../server/store/driver/db.js'
import { readTogether } from '../../server/store/driver/read-together.js'
import { firstUnread } from '../../server/store/pages/message-pages.js'
import { idsPerBlock } from '../../server/store/reading/read-blocks.js'
import { unreadIds } from '../../server/store/reading/read-state.js'
import { read, readUpTo, unread } from '../support/read-state.js'
import { testOrganization } from '../support/server.js'

const { sql } = await testOrganization(t, undefined, 8)

const users = (
  await sql<{ id: number }[]>`
    insert into users (delivery_email, full_name, role, api_key)
    select n || '@test.example', 'Person ' || n, 400, repeat(n::text, 32) from generate_series(1, 3) n returning id`
).map(row => row.id)
const channels = (await sql<{ id: number }[]>`insert into channels (name) values ('a'), ('b'), ('c') returning id`).map(
  row => row.id,
)
const [conversation] = await sql<{ id: number }[]>`insert into conversations (user_ids) values (${users}) returning id`
const topics = ['news', 'News', 'lunch', '']

type Place = {
  channel: number | null
  topic: string
  ids: number[]
  isMuted: boolean
  mentions: number[]
  wildcards: number[]
}

const received = (userId: number): Narrow => ({ userId, receivable: channels, scope: 'received', conditions: [] })

/** The unread messages of a user by place, from the tables alone. */
async function expected(tx: Tx, userId: number, limit: number): Promise<Place[]> {
  const ids = (await unreadIds(tx, received(userId), 0, 100_000)).slice(-limit)
  const rows = await tx<
    {
      id: number
      channel: number | null
      topic: string
      key: string
      is_muted: boolean
      flags: number
      wildcard: boolean
    }[]
  >`
    select m.id, m.channel_id as channel, m.topic, lower(m.topic) as key, coalesce(u.visibility_policy = 1, s.is_muted, false) as is_muted,
      coalesce(f.flags, 0) as flags, m.wildcard_mentions & 1 <> 0 as wildcard
    from messages m
      left join subscriptions s on s.channel_id = m.channel_id and s.user_id = ${userId}
      left join user_topics u on u.channel_id = m.channel_id and u.user_id = ${userId} and lower(u.topic) = lower(m.topic)
      left join message_flags f on f.message_id = m.id and f.user_id = ${userId}
    where m.id = any(${ids}::bigint[]) order by m.id`
  const places = new Map<string, Place>()
  for (const { id, channel, topic, key, is_muted, flags, wildcard } of rows) {
    const name = `${channel}:${key}`
    const place = places.get(name) ?? { channel, topic, ids: [], isMuted: is_muted, mentions: [], wildcards: [] }
    places.set(name, place)
    place.topic = topic
    place.ids.push(id)
    if (flags & 12) place.mentions.push(id)
    if (wildcard && channel !== null) place.wildcards.push(id)
  }
  return [...places.values()].sort(byFirst)
}

async function actual(index: ChannelIndex, tx: Tx, userId: number, limit: number): Promise<Place[]> {
  const { stored, rows } = await readTogether(tx, userId, { all: unreadSelects, wanted: new Set(unreadSelects) })
  const places = await unreadPlaces({ memory: { channelIndex: index }, sql }, tx, {
    userId,
    channelIds: channels,
    snapshot: stored.snapshot,
    rows,
    limit,
  })
  return places
    .map(({ channelId, topic, ids, isMuted, mentions, wildcards }) => ({
      channel: channelId,
      topic,
      ids: ids.flatMap(runs => runs.values()),
      isMuted,
      mentions: [...mentions].sort((a, b) => a - b),
      wildcards: [...wildcards].sort((a, b) => a - b),
    }))
    .sort(byFirst)
}

const byFirst = (a: Place, b: Place) => (a.ids[0] ?? 0) - (b.ids[0] ?? 0)

const one = fc.nat({ max: 1000 })
const kinds = [
  'send',
  'old',
  'direct',
  'move',
  'delete',
  'mention',
  'read',
  'readAll',
  'unread',
  'leave',
  'join',
  'mute',
  'policy',
  'jump',
  'history',
] as const
const step = fc.record({ kind: fc.constantFrom(...kinds), a: one, b: one, c: one, d: one })
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

const pick = <T>(list: readonly T[], n: number): T => list[n % list.length] as T

async function take(tx: Tx, { kind, a, b, c, d }: Step): Promise<void> {
  const user = pick(users, a)
  const channel = pick(channels, b)
  const topic = pick(topics, c)
  const ids = (await tx<{ id: number }[]>`select id from messages order by id`).map(row => row.id)
  const some = ids.filter((_, i) => (i * 7 + a) % 5 <= d % 3)
  switch (kind) {
    case 'send':
    case 'old':
      // Messages of the last two minutes are not settled.
      await tx`
        insert into messages (sender_id, channel_id, topic, content, rendered_content, renderer_version, date_sent, read_by_sender,
          read_by_all, wildcard_mentions)
        select ${user}, ${channel}, ${topic}, 'c', 'c', 1, now() - ${kind === 'old' ? '1 hour' : '1 second'}::interval, n % 2 = 0,
          n % 5 = 0, case when n % 3 = 0 then 1 else 0 end
        from generate_series(1, ${1 + (d % 6)}::int) n`
      break
    case 'direct':
      await tx`
        insert into messages (sender_id, conversation_id, content, rendered_content, renderer_version, read_by_sender)
        values (${user}, ${conversation?.id ?? 0}, 'c', 'c', 1, ${d % 2 === 0})`
      break
    case 'move':
      await tx`
        update messages set channel_id = ${channel}, topic = ${topic} where channel_id is not null and id = any(${some}::bigint[])`
      break
    case 'delete':
      await tx`delete from messages where id = any(${some.slice(0, 3)}::bigint[])`
      break
    case 'mention':
      await tx`
        insert into message_flags (user_id, message_id, flags) select ${user}, id, ${pick([4, 8, 64, 1], d)} from messages
        where id = any(${some}::bigint[]) on conflict do nothing`
      break
    case 'read':
      await read(tx, user, some)
      break
    case 'readAll':
      await readUpTo(tx, user, ids[ids.length >> 1] ?? 0)
      break
    case 'unread':
      await unread(tx, user, some)
      break
    case 'leave':
      await tx`
        update subscriptions set is_active = false, spans = spans * int8multirange(int8range(0, (select last_value + 1 from messages_id_seq)))
        where user_id = ${user} and channel_id = ${channel} and is_active`
      break
    case 'join':
      await tx`
        insert into subscriptions (user_id, channel_id, spans)
        select ${user}, ${channel}, int8multirange(int8range(last_value + 1, null)) from messages_id_seq
        on conflict (user_id, channel_id) do update set is_active = true, spans = subscriptions.spans + excluded.spans
          where not subscriptions.is_active`
      break
    case 'mute':
      await tx`update subscriptions set is_muted = not is_muted where user_id = ${user} and channel_id = ${channel}`
      break
    case 'policy':
      await tx`delete from user_topics where user_id = ${user} and channel_id = ${channel} and lower(topic) = lower(${topic})`
      await tx`
        insert into user_topics (user_id, channel_id, topic, visibility_policy, last_updated)
        values (${user}, ${channel}, ${topic}, ${1 + (d % 3)}, now())`
      break
    case 'jump':
      // The next messages are in another block of ids.
      await tx`select setval('messages_id_seq', (select last_value + ${idsPerBlock >> 1} from messages_id_seq))`
      break
    case 'history':
      // An import of messages that are older than all others.
      await tx`
        insert into messages (id, sender_id, channel_id, topic, content, rendered_content, renderer_version, date_sent) overriding system value
        select oldest - ${idsPerBlock + c} + n, ${user}, ${channel}, ${topic}, 'c', 'c', 1, now() - interval '1 year'
        from (select coalesce(min(id), ${2 ** 27}) as oldest from messages) messages, generate_series(1, ${1 + (d % 6)}::int) n`
      await tx`select channels_changed(array[${channel}::int])`
      break
  }
}

async function clear(): Promise<void> {
  await sql`truncate messages, read_state, message_flags, message_edits, submessages, reactions, user_topics restart identity cascade`
  await sql`delete from subscriptions`
  await sql`
    insert into subscriptions (user_id, channel_id, spans)
    select user_id, channel_id, '{[0,)}' from unnest(${users}::int[]) as user_id, unnest(${channels}::int[]) as channel_id`
}

const snapshot = <T>(work: (tx: Tx) => Promise<T>) => sql.begin('isolation level repeatable read read only', work)

t.test('after random changes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 25 }),
      fc.constantFrom(3, 10, 1000),
      async (steps, limit) => {
        await clear()
        const index = new ChannelIndex(new SettledIds(0))
        const small = new ChannelIndex(new SettledIds(), 40)
        for (const [at, next] of steps.entries()) {
          await sql.begin(tx => take(tx, next))
          const isLast = at === steps.length - 1
          await snapshot(async tx => {
            for (const user of isLast ? users : [pick(users, at)]) {
              const from = await expected(tx, user, limit)
              assert.deepEqual(await actual(index, tx, user, limit), from)
              assert.deepEqual(await actual(small, tx, user, limit), from)
              const all = await actual(index, tx, user, 100_000)
              const first = all.flatMap(place => (place.isMuted ? [] : place.ids)).sort((a, b) => a - b)[0]
              assert.equal(await firstUnread(tx, received(user)), first)
            }
          })
        }
      },
    ),
    { numRuns: 20 },
  )
})

t.test('in a snapshot from before a move, a deletion and new messages', async t => {
  await clear()
  const index = new ChannelIndex()
  const [reader = 0] = users
  const send = (kind: 'old' | 'send', b: number) => sql.begin(tx => take(tx, { kind, a: 1, b, c: 0, d: 5 }))
  await send('old', 0)
  await send('send', 0)
  await snapshot(async older => {
    const before = await expected(older, reader, 1000)
    await send('old', 1)
    await sql`update messages set channel_id = ${channels[1] as number} where id % 2 = 0`
    await sql`delete from messages where id = (select min(id) + 2 from messages)`
    await snapshot(async newer => t.same(await actual(index, newer, reader, 1000), await expected(newer, reader, 1000)))
    t.same(await actual(index, older, reader, 1000), before)
    await snapshot(async newer => t.same(await actual(index, newer, reader, 1000), await expected(newer, reader, 1000)))
  })
})

t.test('while a message is being stored', async t => {
  await clear()
  const index = new ChannelIndex(new SettledIds(0))
  const [reader = 0] = users
  const [channel = 0] = channels
  await sql.begin(tx => take(tx, { kind: 'old', a: 1, b: 0, c: 0, d: 5 }))
  await sql.begin(async tx => {
    // In the order of the server's statement: the lock of the channel, then the id.
    await tx`select from channels where id = ${channel} for share`
    await take(tx, { kind: 'send', a: 1, b: 0, c: 0, d: 0 })
    await snapshot(async other => t.same(await actual(index, other, reader, 1000), await expected(other, reader, 1000)))
  })
  await snapshot(async after => t.same(await actual(index, after, reader, 1000), await expected(after, reader, 1000)))
})

t.test('for many readers at once', async t => {
  await clear()
  const index = new ChannelIndex()
  for (let i = 0; i < 20; i++) {
    await sql.begin(tx => take(tx, { kind: i % 3 === 0 ? 'send' : 'old', a: i, b: i, c: i, d: 5 }))
    const found = await Promise.all(users.map(user => snapshot(tx => actual(index, tx, user, 1000))))
    const from = await snapshot(async tx => {
      const all: Place[][] = []
      for (const user of users) all.push(await expected(tx, user, 1000))
      return all
    })
    t.same(found, from)
  }
})
