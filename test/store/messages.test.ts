// What a send is written by: one statement for many messages, and only what still holds.
import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { InsertedMessage, NewMessage } from '../../server/store/messages/messages.js'
import { insertMessages } from '../../server/store/sending/insert-messages.js'
import { MessageWriter, type OnInserted } from '../../server/store/sending/message-writer.js'
import { testOrganization } from '../support/server.js'

const { sql } = await testOrganization(t, undefined, 4)

const [channel] = await sql<{ id: number }[]>`insert into channels (name) values ('hall') returning id`
const channelId = channel?.id ?? 0

const message = (more: Partial<NewMessage> = {}): NewMessage => ({
  sender_id: 1,
  channel_id: channelId,
  conversation_id: null,
  topic: 'a "quoted" \\topic',
  content: 'hello, {world}',
  rendered_content: '<p>hello, {world}</p>',
  renderer_version: 1,
  search: "'hello':1",
  submessage_bytes: 0,
  date_sent: new Date(1_700_000_000_123),
  client: 'test',
  read_by_sender: false,
  read_by_all: false,
  is_me_message: false,
  has_link: false,
  has_image: true,
  has_attachment: false,
  wildcard_mentions: 0,
  flags: [],
  readerIds: [],
  attachmentIds: [],
  awaitsWebsites: false,
  entries: [Buffer.from([1, 2, 3])],
  organizationVersion: 1,
  channelVersion: 1,
  subscribersVersion: 1,
  asksForStart: false,
  ...more,
})

/** As `insertMessages`, for messages without `asksForStart`. */
const insert = async (...[to, messages]: Parameters<typeof insertMessages>) =>
  (await insertMessages(to, messages)).map(outcome => {
    if (outcome === 'starts') throw new Error('it did not ask for that')
    return outcome
  })

t.test('messages, their outbox rows and flags are stored together, ids in the order given', async t => {
  const inserted = await insert(sql, [
    message({ entries: [Buffer.from('first'), Buffer.from('second')], flags: [{ userId: 7, flags: 4 }] }),
    message({ channel_id: null, conversation_id: 5, topic: '', subscribersVersion: 0, entries: [] }),
    message({ content: 'third' }),
  ])
  const ids = inserted.map(one => one?.id ?? 0)
  t.same(
    ids,
    [...ids].sort((a, b) => a - b),
  )
  const rows = await sql`select id, topic, content, date_sent, has_image from messages order by id`
  t.equal(rows.length, 3)
  t.match(rows[0], { topic: 'a "quoted" \\topic', has_image: true })
  t.same(
    inserted.map(one => one?.outboxIds.length),
    [2, 0, 1],
  )
  t.equal(rows[0]?.date_sent.getTime(), 1_700_000_000_123)
  const outbox = await sql`select id, message_id, entry, xid::text as xid from outbox order by id`
  t.same(
    outbox.map(row => row.id),
    inserted.flatMap(one => one?.outboxIds ?? []),
  )
  t.same(
    outbox.map(row => row.entry.toString('latin1')),
    ['first', 'second', '\x01\x02\x03'],
  )
  t.same(
    outbox.map(row => row.message_id),
    [ids[0], ids[0], ids[2]],
  )
  t.equal(outbox[0]?.xid, inserted[0]?.xid)
  t.same(await sql`select user_id, message_id, flags from message_flags`, [
    { user_id: 7, message_id: ids[0], flags: 4 },
  ])
})

t.test('what was decided with another version of the organization or of the subscribers is not written', async t => {
  const [{ count: before } = { count: 0 }] = await sql`select count(*)::int as count from messages`
  const inserted = await insert(sql, [
    message({ organizationVersion: 2 }),
    message({ subscribersVersion: 9 }),
    message({ channelVersion: 3 }),
    message({ content: 'kept' }),
    message({ channel_id: 4711 }),
  ])
  t.same(
    inserted.map(one => one !== undefined),
    [false, false, false, true, false],
  )
  t.same(await sql`select count(*)::int as count from messages`, [{ count: before + 1 }])
})

for (const together of [1, 2]) {
  t.test(
    `${together} sent together wait for a subscription that is under way, and see that their audience is stale`,
    async t => {
      let inserting: ReturnType<typeof insert> | undefined
      await sql.begin(async tx => {
        await tx`update channels set subscribers_version = subscribers_version + 1 where id = ${channelId}`
        inserting = insert(
          sql,
          Array.from({ length: together }, () => message()),
        )
        // It is waiting for our lock: Postgres says so.
        for (;;) {
          const waiting =
            await sql`select from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'with (given|locked) as'`
          if (waiting.length > 0) break
        }
      })
      t.same(await inserting, Array(together).fill(undefined))
      await sql`update channels set subscribers_version = 1`
    },
  )
}

t.test('a message alone is stored as it is among others', async t => {
  const one = message({
    topic: 'alone',
    content: 'a "b" \\c {d} \u{1f600}\n',
    read_by_sender: true,
    has_link: true,
    wildcard_mentions: 1,
  })
  const rowOf = async ({ id, outboxIds }: Pick<InsertedMessage, 'id' | 'outboxIds'>) => {
    const [row] = await sql`
      select to_jsonb(messages) - 'id' as message, message_id = messages.id as is_named, entry, outbox.xid::text as xid
      from messages, outbox where messages.id = ${id} and outbox.id = ${outboxIds[0] ?? 0}`
    return row
  }
  const [alone] = await insert(sql, [one])
  const [first, second] = await insert(sql, [one, one])
  if (!alone || !first || !second) throw new Error('not stored')
  t.equal(first.id, alone.id + 1, 'no id is left out')
  const { id: _, outboxIds: __, xid, ...rest } = alone
  t.match(first, rest)
  const row = await rowOf(alone)
  t.match(row, { is_named: true, xid, message: { topic: 'alone' } })
  t.same(row, { ...(await rowOf(first)), xid })
})

t.test('a message alone is not stored with an outdated version, and takes no id', async t => {
  const [before] = await insert(sql, [message()])
  for (const stale of [
    { organizationVersion: 2 },
    { channelVersion: 2 },
    { subscribersVersion: 2 },
    { channel_id: 99 },
  ])
    t.same(await insert(sql, [message(stale)]), [undefined], JSON.stringify(stale))
  const [after] = await insert(sql, [message()])
  t.equal(after?.id, (before?.id ?? 0) + 1)
})

t.test(
  'a message that asks whether it starts its topic is not stored if it does, unless its transaction says so',
  async t => {
    const asking = (topic: string, more: Partial<NewMessage> = {}) => message({ topic, asksForStart: true, ...more })
    const kinds = (outcomes: Awaited<ReturnType<typeof insertMessages>>) =>
      outcomes.map(outcome =>
        typeof outcome === 'object' ? (outcome.isStart ? 'stored as start' : 'stored') : outcome,
      )
    const stored = async () => (await sql`select from messages where topic ilike 'start %'`).length
    t.same(kinds(await insertMessages(sql, [asking('Start A')])), ['starts'])
    t.same(
      kinds(
        await insertMessages(sql, [
          asking('Start A'),
          asking('start a'),
          message(),
          asking('start b', { channelVersion: 2 }),
        ]),
      ),
      ['starts', 'starts', 'stored', undefined],
    )
    const key = { requestKey: { key: randomUUID() } }
    t.same(kinds(await insertMessages(sql, [asking('start a', key)])), ['starts'], 'its key is not stored either')
    t.equal(await stored(), 0)
    t.same(kinds(await insertMessages(sql, [asking('START A', key)], true)), ['stored as start'])
    t.same(kinds(await insertMessages(sql, [asking('start a'), asking('start b')])), ['stored', 'starts'])
    t.match(await insertMessages(sql, [asking('start a', key), asking('start c')]), [{ isRepeat: true }, 'starts'])
    t.match(await insertMessages(sql, [asking('start c', key)], true), [{ isRepeat: true, isStart: false }])
    t.equal(await stored(), 2)
  },
)

t.test('a message that is due ends its job and deletes its row, or is not stored', async t => {
  const idOf = ([row]: readonly { id: number }[]): number => row?.id ?? 0
  await sql`insert into users (delivery_email, full_name, role, api_key) values ('ada@example.com', 'Ada', 400, repeat('0', 32))`
  const scheduled = async () =>
    idOf(
      await sql<{ id: number }[]>`
        insert into scheduled_messages (user_id, topic, recipients, content, rendered_content, file_ids, client, read_by_sender, due)
        select min(id), '', '{}', 'due', '', '{}', 'test', true, now() from users returning id`,
    )
  const reminder = async () =>
    idOf(
      await sql<{ id: number }[]>`
        insert into reminders (user_id, message_id, note, content, rendered_content, due)
        select min(id), 1, '', 'due', '', now() from users returning id`,
    )
  const job = async () => ({
    id: idOf(
      await sql<{ id: number }[]>`insert into jobs (kind, payload, attempts) values ('due', '{}', 3) returning id`,
    ),
    attempts: 3,
  })
  const due = (table: 'scheduled_messages' | 'reminders', id: number, ends: NewMessage['ends']) =>
    message({ content: `due ${table} ${id}`, ends, dueRow: { table, id } })
  const jobs = [await job(), await job(), await job(), await job(), await job()] as const
  const rows = { kept: await scheduled(), sent: await scheduled(), reminded: await reminder() }
  const lost = { ...jobs[0], attempts: 2 }
  const outcomes = await insert(sql, [
    due('scheduled_messages', rows.kept, lost),
    due('scheduled_messages', rows.sent, jobs[1]),
    due('reminders', rows.reminded, jobs[2]),
    due('reminders', 4711, jobs[3]),
    message({ content: 'due without a row', ends: jobs[4] }),
    message({ content: 'due never' }),
    due('scheduled_messages', rows.kept, { id: 0, attempts: 1 }),
    // A claim of the same job that has run out.
    due('scheduled_messages', rows.sent, { ...jobs[1], attempts: 2 }),
  ])
  const repeat = { id: 0, isRepeat: true, outboxIds: [] }
  const stored = { isRepeat: false, outboxIds: { length: 1 } }
  t.match(outcomes, [repeat, stored, stored, repeat, stored, stored, repeat, repeat])
  t.same(
    [...(await sql`select content from messages where content like 'due %' order by id`)],
    [
      { content: `due scheduled_messages ${rows.sent}` },
      { content: `due reminders ${rows.reminded}` },
      { content: 'due without a row' },
      { content: 'due never' },
    ],
  )
  t.same([...(await sql`select id from scheduled_messages`)], [{ id: rows.kept }])
  t.same([...(await sql`select id from reminders`)], [])
  t.same([...(await sql`select id from jobs where kind = 'due'`)], [{ id: jobs[0].id }], 'that of another worker')
  const [alone] = await insert(sql, [due('scheduled_messages', rows.kept, jobs[0])])
  t.match(alone, stored)
  t.same([...(await sql`select id from scheduled_messages`)], [])
})

t.test('the writer', async t => {
  const batches: number[] = []
  const order: string[] = []
  const onInserted: OnInserted = messages => {
    batches.push(messages.length)
    for (const { message } of messages) order.push(message.content)
  }
  const writer = new MessageWriter(sql, [sql, sql], onInserted, error => t.fail(String(error)))

  t.test('lets concurrent sends share statements, and keeps their order in a channel', async t => {
    const inserted = await Promise.all(
      Array.from({ length: 200 }, (_, i) => writer.write(message({ content: `${i}` }))),
    )
    const ids = inserted.map(one => one?.id ?? 0)
    t.same(
      ids,
      [...ids].sort((a, b) => a - b),
    )
    t.ok(batches.length <= 3, `${batches.length} statements`)
    t.same(
      order,
      Array.from({ length: 200 }, (_, i) => `${i}`),
    )
  })

  t.test('fails only the message that Postgres refuses', async t => {
    const results = await Promise.allSettled([
      writer.write(message()),
      writer.write(message({ topic: 'x'.repeat(61) })),
      writer.write(message()),
    ])
    t.same(
      results.map(result => result.status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
  })

  t.test("notes a channel's first message", async t => {
    const [other] = await sql<{ id: number }[]>`insert into channels (name) values ('cellar') returning id`
    const first = await writer.write(message({ channel_id: other?.id ?? 0 }))
    await writer.write(message({ channel_id: other?.id ?? 0 }))
    let noted: number | null = null
    while (noted === null) {
      const [row] = await sql`select first_message_id from channels where id = ${other?.id ?? 0}`
      noted = row?.first_message_id ?? null
    }
    t.equal(noted, first?.id)
  })

  t.test(
    'stores alone what needs a transaction of its own, and keeps the order of its sender and its channel',
    async t => {
      const under: string[] = []
      let most = 0
      const sent: Promise<InsertedMessage | undefined>[] = []
      const say = (content: string, more: Partial<NewMessage> = {}, isNeeded?: boolean) => {
        const one = message({ content, ...more })
        const run = async () => {
          under.push(content)
          most = Math.max(most, under.length)
          const [outcome] = await sql.begin(tx => insertMessages(tx, [one], true))
          under.splice(under.indexOf(content), 1)
          return outcome === 'starts' ? undefined : outcome
        }
        sent.push(writer.write(one, isNeeded === undefined ? undefined : { isNeeded, run }))
      }
      const [other] = await sql<{ id: number }[]>`insert into channels (name) values ('attic') returning id`
      const there = { channel_id: other?.id ?? 0, sender_id: 2 }
      order.length = 0
      say('a1', {}, true)
      say('a2')
      say('a3', { topic: 'never seen', asksForStart: true }, false)
      say('a4')
      say('b1', { ...there, topic: 'new' }, true)
      say('a5', {}, true)
      say('b2', there)
      say('a6', { topic: 'never seen', asksForStart: true }, false)
      const ids = (await Promise.all(sent)).map(one => one?.id ?? 0)
      const of = (name: string) => order.filter(content => content.startsWith(name))
      t.same(
        [of('a'), of('b')],
        [
          ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'],
          ['b1', 'b2'],
        ],
      )
      for (const places of [
        [0, 1, 2, 3, 5, 7],
        [4, 6],
      ]) {
        const own = places.map(place => ids[place] ?? 0)
        t.same(
          own,
          own.toSorted((a, b) => a - b),
        )
      }
      t.equal(most, 2, 'another channel does not wait')
    },
  )

  t.test('fails only the message whose transaction fails, and goes on with its channel', async t => {
    const run = async () => Promise.reject(new Error('refused'))
    const results = await Promise.allSettled([
      writer.write(message(), { isNeeded: true, run }),
      writer.write(message({ topic: 'also new', asksForStart: true }), { isNeeded: false, run }),
      writer.write(message({ topic: 'also new', asksForStart: true })),
      writer.write(message()),
    ])
    t.same(
      results.map(result => result.status),
      ['rejected', 'rejected', 'rejected', 'fulfilled'],
    )
    t.equal(writer.waiting, 0)
  })
})
