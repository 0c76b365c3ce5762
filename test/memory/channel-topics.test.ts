// The cached topics of channels are those of the tables.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { ChannelTopics } from '../../server/memory/channel-topics.js'
import { SettledIds } from '../../server/memory/settled-ids.js'
import type { ISql } from '../../server/store/driver/db.js'
import type { ChannelTopic } from '../../server/store/topics/channel-topics.js'
import { testOrganization } from '../support/server.js'

const { sql } = await testOrganization(t, undefined, 8)

const [sender] = await sql<{ id: number }[]>`
  insert into users (delivery_email, full_name, role, api_key)
  values ('a@test.example', 'A', 400, repeat('a', 32)) returning id`
const channels = (await sql<{ id: number }[]>`insert into channels (name) values ('a'), ('b') returning id`).map(
  row => row.id,
)
const [channel = 0, otherChannel = 0] = channels
const topics = ['news', 'News', 'lunch', '', 'İstanbul', 'ISTANBUL', 'ß']

async function expected(of: number): Promise<ChannelTopic[]> {
  const rows = await sql<ChannelTopic[]>`
    select name, max_id from (
      select distinct on (lower(topic)) topic as name, id as max_id from messages where channel_id = ${of}
      order by lower(topic), id desc
    ) newest order by max_id desc`
  return [...rows]
}

/** In the order of the server's statement: the lock of the channel, then the ids. */
async function sendIn(tx: ISql, to: number, topic: string, count = 1): Promise<void> {
  await tx`select from channels where id = ${to} for share`
  await tx`
    insert into messages (sender_id, channel_id, topic, content, rendered_content, renderer_version, read_by_sender)
    select ${sender?.id ?? 0}, ${to}, ${topic}, 'c', 'c', 1, true from generate_series(1, ${count}::int)`
}

const send = (to: number, topic: string, count = 1) => sql.begin(tx => sendIn(tx, to, topic, count))

type End = (how: 'commit' | 'roll back') => Promise<void>
const rolledBack = new Error('rolled back')

/** Sends a message in a transaction that stays open; the function ends it. */
function sendOpenly(to: number, topic: string): Promise<End> {
  return new Promise((resolve, reject) => {
    const transaction = sql.begin(async tx => {
      await sendIn(tx, to, topic)
      const how = await new Promise<'commit' | 'roll back'>(end => {
        resolve(how => {
          end(how)
          return transaction.catch(error => assert.equal(error, rolledBack))
        })
      })
      if (how === 'roll back') throw rolledBack
    })
    transaction.catch(reject)
  })
}

const kinds = ['send', 'sendOpenly', 'commit', 'rollBack', 'move', 'moveAway', 'delete'] as const
const one = fc.nat({ max: 1000 })
const step = fc.record({ kind: fc.constantFrom(...kinds), a: one, b: one })
const pick = <T>(list: readonly T[], n: number): T => list[n % list.length] as T

t.test('after random changes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async steps => {
      await sql`truncate messages, reactions, message_flags, message_edits, submessages restart identity cascade`
      const open: End[] = []
      const eager = new ChannelTopics(new SettledIds(0))
      const caches = [eager, new ChannelTopics(), new ChannelTopics(new SettledIds(0), 4)]
      for (const { kind, a, b } of steps) {
        const to = pick(channels, a)
        const some = (await sql<{ id: number }[]>`select id from messages where channel_id = ${to} order by id`)
          .map(row => row.id)
          .filter(id => (id * 7 + a) % 5 <= b % 3)
        if (kind === 'send') await send(to, pick(topics, b), 1 + (a % 3))
        // At most a few, because each takes a connection.
        else if (kind === 'sendOpenly' && open.length < 4) open.push(await sendOpenly(to, pick(topics, b)))
        else if (kind === 'commit') await open.splice(a % (open.length || 1), 1)[0]?.('commit')
        else if (kind === 'rollBack') await open.splice(a % (open.length || 1), 1)[0]?.('roll back')
        else if (kind === 'move')
          await sql`update messages set topic = ${pick(topics, b)} where id = any(${some}::bigint[])`
        else if (kind === 'moveAway')
          await sql`update messages set channel_id = ${pick(channels, a + 1)} where id = any(${some}::bigint[])`
        else if (kind === 'delete') await sql`delete from messages where id = any(${some.slice(-3)}::bigint[])`
        for (const of of channels) {
          const from = await expected(of)
          for (const cache of caches) assert.deepEqual(await cache.list(sql, of), from)
        }
      }
      await Promise.all(open.map(end => end('roll back')))
    }),
    { numRuns: 30 },
  )
})

t.test('a message with a smaller id is stored later than one with a larger id', async t => {
  await sql`truncate messages restart identity cascade`
  const cache = new ChannelTopics(new SettledIds(0))
  const end = await sendOpenly(channel, 'slow')
  await send(channel, 'quick')
  await send(otherChannel, 'elsewhere')
  const [first] = await sql<{ id: number }[]>`select min(id) - 1 as id from messages`
  const slow = { name: 'slow', max_id: first?.id ?? 0 }
  const quick = { name: 'quick', max_id: (first?.id ?? 0) + 1 }
  for (let i = 0; i < 3; i++) t.same(await cache.list(sql, channel), [quick])
  await end('commit')
  for (let i = 0; i < 3; i++) t.same(await cache.list(sql, channel), [quick, slow])
})

t.test('many callers at once, while messages are stored', async t => {
  await sql`truncate messages restart identity cascade`
  const cache = new ChannelTopics(new SettledIds(0))
  let isDone = false
  const sending = (async () => {
    for (let i = 0; i < 100; i++) await send(channel, `topic ${i % 7}`)
    isDone = true
  })()
  while (!isDone) {
    const lists = await Promise.all(Array.from({ length: 10 }, () => cache.list(sql, channel)))
    for (const list of lists) {
      t.same(
        list,
        [...list].sort((a, b) => b.max_id - a.max_id),
      )
      t.equal(new Set(list.map(({ name }) => name)).size, list.length)
    }
  }
  await sending
  t.same(await cache.list(sql, channel), await expected(channel))
})
