// The read state stays exact although it is compacted.
import t from 'tap'
import type { Narrow } from '../../server/narrow/sql/narrow-sql.js'
import { condense } from '../../server/store/reading/condense.js'
import { newestSettled, unreadIds } from '../../server/store/reading/read-state.js'
import * as state from '../support/read-state.js'
import { testOrganization } from '../support/server.js'

const { sql } = await testOrganization(t)

const [user] = await sql<{ id: number }[]>`
  insert into users (delivery_email, full_name, role, api_key) values ('a@test.example', 'A', 400, ${'a'.repeat(32)}) returning id`
const userId = user?.id ?? 0
const channels = await sql<{ id: number }[]>`insert into channels (name) values ('mine'), ('other') returning id`
const [mine, other] = channels.map(channel => channel.id) as [number, number]
await sql`insert into subscriptions (user_id, channel_id, spans) values (${userId}, ${mine}, '{[0,)}')`

/** Every other message is in a channel that the user does not receive. */
async function sendMany(count: number, age: string): Promise<number[]> {
  const rows = await sql<{ id: number; channel_id: number }[]>`
    insert into messages (sender_id, channel_id, topic, content, rendered_content, renderer_version, date_sent)
    select 99, case when n % 2 = 0 then ${mine}::int else ${other}::int end, 't', 'c', 'c', 1, now() - ${age}::interval
    from generate_series(1, ${count}::int) n order by n returning id, channel_id`
  return rows.filter(row => row.channel_id === mine).map(row => row.id)
}

const narrow: Narrow = { userId, receivable: [mine], scope: 'received', conditions: [] }
const unread = () => unreadIds(sql, narrow, 0, 100_000)
const ranges = async () =>
  (await sql<{ count: number }[]>`select count(*)::int as count from read_state, unnest(ranges)`)[0]?.count
const read = (ids: number[]) =>
  sql.begin(async tx => {
    const marked = await state.read(tx, userId, ids)
    for (const block of marked?.crowded ?? []) await condense(tx, narrow, block)
  })

t.test('messages read one by one do not add up to a range each', async t => {
  const ids = await sendMany(4000, '1 hour')
  t.same(await unread(), ids)
  const kept = new Set([ids[10], ids[500], ids[1500]])
  const toRead = ids.filter(id => !kept.has(id))
  for (let i = 0; i < toRead.length; i += 100) await read(toRead.slice(i, i + 100))
  t.same(await unread(), [...kept])
  t.ok(((await ranges()) ?? 0) < 600, `${await ranges()} ranges instead of ${toRead.length}`)
})

t.test('what arrives in a gap later than it was condensed is not read by that', async t => {
  await sql`select setval('messages_id_seq', (select max(id) + 10 from messages))`
  const late = (await sql<{ id: number }[]>`select max(id) + 5 as id from messages`)[0]?.id ?? 0
  const ids = await sendMany(2000, '1 second')
  await read(ids)
  // Its id is older: another worker's statement took longer.
  await sql`
    insert into messages (id, sender_id, channel_id, topic, content, rendered_content, renderer_version)
    overriding system value values (${late}, 99, ${mine}, 't', 'c', 'c', 1)`
  t.ok((await unread()).includes(late))
  await read([late])
  t.equal((await unread()).length, 3)
})

t.test('a message that becomes unread while its block is condensed stays unread', async t => {
  const before = await unread()
  const [id = 0] = await sendMany(8000, '1 hour')
  const ids = (await unread()).filter(one => !before.includes(one))
  const marked = await sql.begin(tx => state.read(tx, userId, ids))
  const [block = 0] = marked?.crowded ?? []
  t.ok(block > 0, 'it has to be condensed')
  let condensed: Promise<unknown> | undefined
  await sql.begin(async tx => {
    await state.unread(tx, userId, [id])
    condensed = sql.begin(other => condense(other, narrow, block))
    const waiting = () => sql`
      select from pg_stat_activity where query like '%read_state%for update%' and wait_event_type = 'Lock'`
    while ((await waiting()).length === 0) await new Promise(resolve => setTimeout(resolve, 5))
  })
  await condensed
  t.same(
    await unread(),
    [...before, id].sort((a, b) => a - b),
  )
})

t.test('unread again, and everything up to a message', async t => {
  const before = await unread()
  const [first] = await sql<{ id: number }[]>`select min(id) as id from messages where channel_id = ${mine}`
  await sql.begin(tx => state.unread(tx, userId, [first?.id ?? 0]))
  t.same(await unread(), [first?.id, ...before])
  const settled = await newestSettled(sql)
  await sql.begin(tx => state.readUpTo(tx, userId, settled))
  t.same(await unread(), [])
  t.ok(settled > (before.at(-1) ?? 0))
})

t.test('blocks of ids', async t => {
  await sql`select setval('messages_id_seq', (((last_value >> 16) + 3) << 16) - 5) from messages_id_seq`
  const ids = await sendMany(20, '1 hour')
  t.same(await unread(), ids, 'on both sides of a boundary')
  await read(ids.slice(0, -1))
  t.same(await unread(), ids.slice(-1))
  await sql.begin(tx => state.readUpTo(tx, userId, ids.at(-1) ?? 0))
  t.same(await unread(), [])
  t.equal(await ranges(), 4)
})
