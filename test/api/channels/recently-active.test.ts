// Whether a channel was active lately, as a worker remembers it, is what the tables say.
import fc from 'fast-check'
import t from 'tap'
import { ActiveChannels } from '../../../server/memory/active-channels.js'
import { storedFacts, uncountedFacts } from '../../../server/store/channels/channel-facts.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const { sql } = server
const owner = await server.person({ role: 100 })
const names = ['one', 'two', 'three']
await owner.ok('POST', '/users/me/subscriptions', { subscriptions: names.map(name => ({ name })) })
await sql`delete from messages`
await sql`update channels set date_created = now() - interval '400 days'`
const ids = await Promise.all(
  names.map(async name => Number((await owner.ok('GET', '/get_stream_id', { stream: name })).stream_id)),
)

const send = async (channel: number) =>
  Number((await owner.ok('POST', '/messages', { type: 'stream', to: ids[channel], topic: 't', content: 'text' })).id)

async function remembered(): Promise<unknown[]> {
  const { streams } = await owner.ok('GET', '/streams')
  return ids.map(
    id => (streams as Record<string, unknown>[]).find(stream => stream.stream_id === id)?.is_recently_active,
  )
}

async function stored(): Promise<unknown[]> {
  const rows = await sql`select distinct channel_id from messages where date_sent > now() - interval '180 days'`
  return ids.map(id => rows.some(row => row.channel_id === id))
}

t.test('after messages were sent, moved and deleted in any order', async t => {
  const step = fc.record({
    does: fc.constantFrom('send', 'delete', 'move', 'ask' as const),
    channel: fc.nat(2),
    to: fc.nat(2),
  })
  let changes = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async steps => {
      for (const { does, channel, to } of steps) {
        const [newest] = await sql<{ id: number }[]>`
          select max(id) as id from messages where channel_id = ${ids[channel] ?? 0} having max(id) is not null`
        const before = await remembered()
        if (does === 'send') await send(channel)
        else if (does === 'delete' && newest) await owner.ok('DELETE', `/messages/${newest.id}`)
        else if (does === 'move' && newest && to !== channel) {
          const quiet = { send_notification_to_old_thread: false, send_notification_to_new_thread: false }
          await owner.ok('PATCH', `/messages/${newest.id}`, {
            stream_id: ids[to],
            propagate_mode: 'change_one',
            ...quiet,
          })
        }
        const now = await remembered()
        if (String(now) !== String(before)) changes++
        t.same(now, await stored())
      }
    }),
    { numRuns: 12 },
  )
  t.ok(changes > 3, 'channels became active and inactive')
})

t.test('another request notes another version of a channel while this one reads', async t => {
  await sql`delete from messages`
  const [one, two] = ids as [number, number, number]
  const active = new ActiveChannels()
  const [now, later] = [new Date(), 1_000_000]
  const version = async () => {
    const [row] = await sql<{ version: number }[]>`select version from channel_changes where channel_id = ${one}`
    return row?.version ?? 0
  }
  active.note(one, await version(), now)
  let statements = 0
  const noting = ((...args: Parameters<typeof sql>) => {
    if (++statements === 1) active.note(one, later, now)
    return sql(...args)
  }) as typeof sql
  const facts = await uncountedFacts(noting, await storedFacts(sql, [one, two]), active)
  t.equal(statements, 1)
  t.same(
    new Map(facts.map(row => [row.id, row.is_recently_active])),
    new Map([
      [one, true],
      [two, false],
    ]),
  )
})

t.test('a channel is remembered until its message is too old', async t => {
  const active = new ActiveChannels()
  const sent = new Date('2026-01-01T00:00:00Z')
  active.note(7, 3, sent)
  const after = (days: number) => new Date(sent.getTime() + days * 86_400_000)
  t.ok(active.has(7, 3, after(179)))
  t.notOk(active.has(7, 3, after(181)))
  t.notOk(active.has(7, 4, after(1)), 'another version')
  t.notOk(active.has(8, 3, after(1)), 'another channel')
})
