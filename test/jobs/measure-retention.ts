import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { Bystanders, type Stalls } from '../../bench/lib/bystanders.js'
import { usageBelow } from '../../bench/lib/cpu.js'
import { measured } from '../../bench/lib/measured.js'
import { readOptions } from '../../bench/lib/options.js'
import { makeAccounts, makeChannel } from '../../bench/lib/people.js'
import { RealServer } from '../../bench/lib/real-server.js'
import { type Undo, undone } from '../../bench/lib/undo.js'

// What others notice while the messages of a channel expire: `node dist/test/jobs/measure-retention.js [--messages 100000] [--subscribers 30]`. Bystanders,
// one of whom sends a message every 20 ms in another channel, wait at rest for some seconds, and then as long as the messages take.
const options = readOptions(process.argv.slice(2), { messages: 100_000, subscribers: 30, workers: 2 })
const restMs = 5_000

const waits = ({ medianDelivery, p99Delivery, longestDelivery }: Stalls): string =>
  `p50 ${medianDelivery.toFixed(1)}, p99 ${p99Delivery.toFixed(1)}, longest ${longestDelivery.toFixed(1)}`

await undone(async (undo: Undo) => {
  const server = await RealServer.started(undo, { WORKERS: String(options.workers) })
  const sql = postgres(server.setting('DATABASE_URL'), { max: 1, connection: { search_path: 'parley' } })
  undo.push(() => sql.end())
  const [owner, ...people] = await makeAccounts(server, options.subscribers + 10)
  if (!owner) throw new Error('the organization has no owner')
  const bystanders = await Bystanders.start(undo, server, [owner, ...people.splice(-9)])
  const channel = await makeChannel(server, owner, 'old', people)
  await sql`
    insert into messages (sender_id, channel_id, topic, content, rendered_content, renderer_version, date_sent)
    select ${people[0]?.id ?? 0}, ${channel}, 'topic ' || n % 97, 'message ' || n, '<p>message ' || n || '</p>', 1, now() - interval '10 days'
    from generate_series(1, ${options.messages}::int) as n`
  // Otherwise PostgreSQL does it by itself, beside what is measured.
  await sql`vacuum analyze`
  await server.api.call(owner, 'PATCH', `/streams/${channel}`, { message_retention_days: 7 })
  // As if the day had passed by which a shorter time waits.
  await sql`
    insert into retention_terms (channel_id, days) values (${channel}, 7)
    on conflict (channel_id) do update set days = 7, waiting_days = null, applies_at = null`
  const isLeft = async () => (await sql`select from messages where channel_id = ${channel} limit 1`).length > 0
  await bystanders.stalls()
  await sleep(restMs)
  const rest = await bystanders.stalls()
  const { usage, elapsedMs, othersShare } = await measured(
    { used: () => usageBelow(server.pid), loads: [bystanders.pid] },
    async () => {
      await sql`update jobs set due = now() where kind = 'remove-expired-messages'`
      while (await isLeft()) await sleep(500)
    },
  )
  const during = await bystanders.stalls()
  const perMessage = (us: number) => `${Math.round(us / options.messages)} µs`
  console.log(
    `${options.messages} messages: ${(elapsedMs / 1000).toFixed(1)} s; of each server ${perMessage(usage.server)}, postgres ${perMessage(usage.postgres)}, redis ${perMessage(usage.redis)}; others ${(othersShare * 100).toFixed(1)} %`,
  )
  console.log(`deliveries in ms: at rest ${waits(rest)}; meanwhile ${waits(during)}`)
})
