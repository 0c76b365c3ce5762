// Every way to find the ids of a page has the same result.
import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { Condition, Narrow } from '../../server/narrow/sql/narrow-sql.js'
import { openDatabase } from '../../server/store/driver/open-database.js'
import { firstUnread, messageIds } from '../../server/store/pages/message-pages.js'
import type { Stretch } from '../../server/store/pages/stretches.js'
import { migrate } from '../../server/store/schema/migrate.js'
import { parseSearch } from '../../server/text/search/query.js'
import { stemsIn } from '../../server/text/search/stems.js'
import { services } from '../support/services.js'

const { databaseUrl } = await services(t)
const schema = `t${randomUUID().replaceAll('-', '').slice(0, 16)}`
await migrate(databaseUrl, schema)
const sql = openDatabase(databaseUrl, schema, 2)
t.teardown(async () => {
  await sql.unsafe(`drop schema ${schema} cascade`)
  await sql.end()
})

await sql`
  insert into users (delivery_email, full_name, role, api_key)
  select n || '@test.example', 'N', 400, md5(n::text) from generate_series(1, 9) n`
await sql`insert into channels (name) select 'channel ' || n from generate_series(1, 6) n`
await sql`
  insert into subscriptions (user_id, channel_id, is_active, is_muted, spans) values
  (1, 1, true, false, '{[0,)}'), (1, 2, true, true, '{[100,)}'), (1, 3, false, false, '{[50,300)}'), (1, 4, true, false, '{[10,90),[200,)}')`
await sql`select setval('messages_id_seq', 1, false)`
await sql`insert into conversations (user_ids) values ('{1,2}'), ('{1,2,3}'), ('{2,3}')`
await sql`
  insert into messages (sender_id, channel_id, conversation_id, topic, content, rendered_content, renderer_version,
    has_link, wildcard_mentions, read_by_sender)
  select 1 + n % 4, case when n % 3 > 0 then 1 + n * 7 % 6 end, case when n % 3 = 0 then 1 + n / 3 % 3 end,
    case when n % 3 > 0 then (array['A', 'a', '✔ b', ''])[1 + n % 4] else '' end, 'word' || n % 11 || ' and words', 'c', 1,
    n % 5 = 0, case when n % 3 > 0 and n % 17 = 0 then 1 else 0 end, n % 2 = 0
  from generate_series(1, 600) n`
await sql`insert into message_flags (user_id, message_id, flags) select 1, n, 1 + n % 3 * 4 from generate_series(1, 600, 13) n`
await sql`insert into read_state (user_id, block, ranges) values (1, 0, '{[0,120),[140,150),[151,400)}')`
await sql`
  insert into reactions (message_id, user_id, reaction_type, emoji_code, emoji_name)
  select n, 2, 'unicode_emoji', 'x', 'x' from generate_series(1, 600, 29) n`

const stems = stemsIn(['de', 'en'])
const search = (text: string): Condition => ({ kind: 'search', query: parseSearch(text, stems), negated: false })
const plain: Condition[] = [
  { kind: 'channels', channelIds: [1, 2], negated: false },
  { kind: 'topic', topic: 'a', negated: false },
  { kind: 'conversationsOf', userIds: [1, 2], groupsOnly: false, negated: false },
  { kind: 'conversationsOf', userIds: [1, 2], groupsOnly: true, negated: false },
  { kind: 'sender', userId: 2, negated: false },
  { kind: 'mentions', userId: 1, negated: false },
  { kind: 'direct', negated: false },
  { kind: 'resolved', negated: false },
  { kind: 'starred', negated: false },
  { kind: 'mentioned', negated: false },
  { kind: 'alerted', negated: false },
  { kind: 'unread', negated: false },
  { kind: 'nothing', negated: false },
  { kind: 'has', what: 'link', negated: false },
  { kind: 'has', what: 'reaction', negated: false },
  { kind: 'muted', negated: false },
  search('word3'),
  search('"word3 and" words'),
  search('and'),
  search('wor'),
  search('word3 and -word5 or wor'),
]
const conditions = plain.flatMap(one => [one, { ...one, negated: true }])
const sets: Condition[][] = [[], ...conditions.map(one => [one])]
for (const one of plain) for (const other of conditions) if (one !== other) sets.push([one, other])

const stretches: Stretch[] = [
  { limit: 20, newestFirst: true },
  { to: 333, limit: 7, newestFirst: true },
  { from: 120, to: 500, limit: 9, newestFirst: false },
  { limit: 1000, newestFirst: false },
]

t.test('place by place as in the order of ids, for every narrow', async t => {
  const scopes: Narrow['scope'][] = ['received', [1, 5]]
  for (const scope of scopes) {
    for (const set of sets) {
      const narrow: Narrow = { userId: 1, receivable: [1, 2, 3, 4], scope, conditions: set }
      // Pairs take long: one page of each.
      for (const stretch of set.length > 1 ? stretches.slice(0, 1) : stretches) {
        const [byPlace, inOrder] = await Promise.all([
          messageIds(sql, narrow, [stretch], { inOrderFirst: 0 }),
          messageIds(sql, narrow, [stretch], { inOrderFirst: 1_000_000, few: null }),
        ])
        if (String(byPlace) !== String(inOrder)) t.same(byPlace, inOrder, JSON.stringify({ scope, set, stretch }))
      }
    }
  }
  t.ok(sets.length > 500)
})

t.test('what was received: while it was, and nothing of others', async t => {
  const narrow: Narrow = { userId: 1, receivable: [1, 2, 4], scope: 'received', conditions: [] }
  const expected = await sql<{ id: number }[]>`
    select id from messages where conversation_id in (1, 2) or channel_id = 1 or (channel_id = 2 and id >= 100)
      or (channel_id = 4 and (id between 10 and 89 or id >= 200)) order by id`
  const all: Stretch = { limit: 1000, newestFirst: false }
  for (const first of [0, 1_000_000])
    t.same(
      await messageIds(sql, narrow, [all], { inOrderFirst: first, few: null }),
      expected.map(row => row.id),
    )
})

t.test('searches in many blocks of ids: from the index as in the order of ids', async t => {
  await sql`
    insert into messages (id, sender_id, channel_id, topic, content, rendered_content, renderer_version, has_link)
      overriding system value
    select 1000 + n * 997, 1 + n % 4, 1 + n % 6, 'A', 'word' || n % 11 || case when n % 40 = 0 then ' seldom' else '' end || ' and words', 'c', 1,
      n % 5 = 0
    from generate_series(1, 1000) n`
  await sql`analyze messages`
  const texts = [
    'word3',
    'words',
    '"word3 and" words',
    'seldom',
    'word3 word4',
    'and',
    'nowhere',
    'wor',
    'wo -word3',
    'sel',
    'seldom wor',
    '-word3',
  ]
  const more: Condition[][] = [
    [],
    [{ kind: 'has', what: 'link', negated: false }],
    [{ kind: 'sender', userId: 2, negated: true }],
    [{ kind: 'unread', negated: false }],
  ]
  const places: Stretch[] = [
    ...stretches,
    { to: 500_000, limit: 30, newestFirst: true },
    { from: 200_000, limit: 30, newestFirst: false },
    { from: 970_000, to: 981_000, limit: 30, newestFirst: false },
    { from: 5_000_000, limit: 30, newestFirst: false },
    { to: 5_000_000, limit: 30, newestFirst: true },
  ]
  let found = 0
  for (const text of texts)
    for (const others of more)
      for (const receivable of [[1, 2, 3, 4], [4]]) {
        const narrow: Narrow = { userId: 1, receivable, scope: 'received', conditions: [...others, search(text)] }
        const reference = await messageIds(sql, narrow, places, { inOrderFirst: 10_000_000, few: null })
        found += reference.length
        for (const few of [0, 10, 200, 2_000])
          t.same(
            await messageIds(sql, narrow, places, { inOrderFirst: 0, few }),
            reference,
            JSON.stringify({ text, others, receivable, few }),
          )
        for (const place of places)
          t.same(
            await messageIds(sql, narrow, [place], { inOrderFirst: 0, few: 10 }),
            await messageIds(sql, narrow, [place], { inOrderFirst: 10_000_000, few: null }),
            JSON.stringify({ text, others, place }),
          )
      }
  t.ok(found > 1000)
})

t.test('unread messages in few and in many gaps of the read state', async t => {
  const all: Stretch = { limit: 5000, newestFirst: false }
  const ids = (conditions: Condition[], stretch: Stretch, first?: number) =>
    messageIds(sql, { userId: 1, receivable: [1, 2, 3, 4], scope: 'received', conditions }, [stretch], {
      inOrderFirst: first,
      few: null,
    })
  const many = Array.from({ length: 20 }, (_, i) => `[${i * 31},${i * 31 + 11 + i})`)
  for (const ranges of [
    '',
    '[0,)',
    '[0,400)',
    '[7,120),[140,150),[151,700)',
    ...[3, 8, 9, 20].map(n => many.slice(0, n).join()),
  ]) {
    await sql`update read_state set ranges = ${`{${ranges}}`}::int8multirange where user_id = 1 and block = 0`
    const read = new Set(await ids([{ kind: 'unread', negated: true }], all))
    const unread = (await ids([], all)).filter(id => !read.has(id))
    for (const stretch of [...stretches, all]) {
      const { from = 0, to = Number.POSITIVE_INFINITY, limit, newestFirst } = stretch
      const own = unread.filter(id => id >= from && id <= to)
      const wanted = newestFirst ? own.slice(-limit) : own.slice(0, limit)
      for (const first of [0, 50, 1_000_000])
        t.same(
          await ids([{ kind: 'unread', negated: false }], stretch, first),
          wanted,
          JSON.stringify({ ranges, stretch, first }),
        )
    }
  }
})

t.test('the first unread message, near the end of the read ones and far from it', async t => {
  const unread: Condition = { kind: 'unread', negated: false }
  const notMuted: Condition = { kind: 'muted', negated: true }
  const all = [{ limit: 1, newestFirst: false }]
  const found = new Set<number | undefined>()
  for (const upTo of [0, 1, 100, 300, 590, 601, 700, 40_000, 500_500, 997_000, 2_000_000]) {
    await sql`update read_state set ranges = ${`{[0,${upTo})}`}::int8multirange where user_id = 1`
    for (const conditions of [[], ...plain.map(one => [one])]) {
      const narrow: Narrow = { userId: 1, receivable: [1, 2, 3, 4], scope: 'received', conditions }
      // Who names a topic looks for its messages even if it is muted.
      const asksTopic = conditions.some(({ kind, negated }) => kind === 'topic' && !negated)
      const both = { ...narrow, conditions: [...conditions, unread, ...(asksTopic ? [] : [notMuted])] }
      const [first] = await messageIds(sql, both, all, { inOrderFirst: 10_000_000, few: null })
      t.equal(await firstUnread(sql, narrow), first, JSON.stringify({ upTo, conditions }))
      found.add(first)
    }
  }
  t.ok(found.size > 6 && found.has(undefined))
})
