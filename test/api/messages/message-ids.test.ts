// Message ids of a new organization begin at 2^27, and the ids below cost nothing.
import t from 'tap'
import { statementsOf } from '../../support/queries.js'
import { startServer } from '../../support/server.js'
import { channelOf, people, say } from './scene.js'

const server = await startServer(t)
const [writer, reader] = await people(server, 2)
const firstId = 2 ** 27
const { id: channelId } = await channelOf([writer, reader])
const sent: number[] = []
for (let i = 0; i < 6; i++) sent.push(await say(writer, channelId, `message ${i}`))
// Only messages of some time ago are marked as read by their range of ids.
await server.sql`update messages set date_sent = date_sent - interval '1 hour'`

// The statements that find ids, not the one that reads the state of the page.
const isSearch = /^(?!with page).*from messages m/

const idsOf = (body: Record<string, unknown>): number[] => (body.messages as { id: number }[]).map(({ id }) => id)
const unreadOf = async () => {
  const { unread_msgs } = await reader.ok('POST', '/register', {
    fetch_event_types: ['message', 'update_message_flags'],
  })
  return unread_msgs.streams.flatMap((place: { unread_message_ids: number[] }) => place.unread_message_ids)
}

t.test('the first message of a new organization has the id 2^27', async t => {
  t.equal((await server.sql`select min(id) as id from messages`)[0]?.id, firstId)
  t.ok(sent.every(id => id >= firstId && id < firstId + 100))
})

t.test('the oldest messages are found with one statement, as the newest ones are', async t => {
  const pages = { 1: { num_after: 50, include_anchor: false }, newest: { num_before: 50 } }
  for (const narrow of [[], [['is', 'unread']]])
    for (const [anchor, size] of Object.entries(pages)) {
      const page = () => reader.ok('GET', '/messages', { anchor, ...size, narrow })
      t.same(idsOf(await page()), sent, anchor)
      const searches = (await statementsOf(server, page)).filter(text => isSearch.test(text))
      t.equal(searches.length, 1, `${anchor} of ${JSON.stringify(narrow)}: ${searches.join('\n')}`)
    }
})

t.test('messages that are all read take one row, and registering then reads one block of ids', async t => {
  t.same(await unreadOf(), sent)
  await reader.ok('POST', '/mark_all_as_read')
  const rows = await server.sql`select block from read_state where user_id = ${reader.id}`
  t.same(
    rows.map(row => row.block),
    [firstId / 2 ** 16],
  )
  const fresh = await startServer(t, {}, server.organization)
  const register = () =>
    fresh.api(reader.who).ok('POST', '/register', { fetch_event_types: ['message', 'update_message_flags'] })
  const blocks = (await statementsOf(fresh, register)).filter(text => text.includes('as "readFrom"'))
  t.equal(blocks.length, 1)
})

t.test('history that is stored below is found by date, on pages and as unread', async t => {
  const old = [firstId - 70_000, firstId - 69_999, firstId - 1]
  await server.sql`
    insert into messages (id, sender_id, channel_id, topic, content, rendered_content, renderer_version, date_sent) overriding system value
    select id, ${writer.id}, ${channelId}, 'talk', 'old', '<p>old</p>', 1, '2020-01-01'::timestamptz + id * interval '1 second'
    from unnest(${old}::bigint[]) as id`
  await server.sql`update subscriptions set spans = '{[0,)}' where user_id = ${reader.id}`
  await server.sql`select channels_changed(array[${channelId}::int])`
  const page = async (anchor: string, more: object = {}) =>
    idsOf(await reader.ok('GET', '/messages', { anchor, num_before: 0, num_after: 50, ...more }))
  t.same(await page('oldest'), [...old, ...sent])
  t.same(await page('date', { anchor_date: '2020-01-01T00:00:00Z' }), [...old, ...sent])
  t.same(await page('date', { anchor_date: '2025-01-01T00:00:00Z' }), sent)
  t.same(await page('first_unread'), [...old, ...sent])
  t.same(await unreadOf(), old, 'those below were never marked')
  await reader.ok('POST', '/mark_all_as_read')
  t.same(await unreadOf(), [])
  const [rows] = await server.sql`select count(*)::int as count from read_state where user_id = ${reader.id}`
  t.equal(rows?.count, 3)
})
