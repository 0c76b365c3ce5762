import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { Bystanders, type Stalls } from '../../bench/lib/bystanders.js'
import { usageBelow } from '../../bench/lib/cpu.js'
import { measured } from '../../bench/lib/measured.js'
import { readOptions } from '../../bench/lib/options.js'
import { makeAccounts, makeChannel } from '../../bench/lib/people.js'
import { RealServer } from '../../bench/lib/real-server.js'
import { type Undo, undone } from '../../bench/lib/undo.js'

// What others notice while jobs are due in the same second: `node dist/test/jobs/measure-due-jobs.js [--jobs 10000] [--workers 2] [--rounds 3]`.
// Bystanders, one of whom sends a message every 20 ms, wait as long at rest as the jobs take.
const options = readOptions(process.argv.slice(2), { jobs: 10_000, workers: 2, rounds: 3, only: '' })
// So that each worker, which looks every 5 s, knows of them before.
const aheadSeconds = 6
const channels = 100
const subscribers = 10

interface Due {
  readonly kind: string
  readonly key: string | null
  readonly payload: object
}

const text = (figures: Record<string, number | string>): string =>
  Object.entries(figures)
    .map(([name, value]) => `${name} ${typeof value === 'number' ? value.toFixed(1) : value}`)
    .join(', ')
const waits = ({ medianDelivery, p99Delivery, longestDelivery }: Stalls) => ({
  p50: medianDelivery,
  p99: p99Delivery,
  longest: longestDelivery,
})

await undone(async (undo: Undo) => {
  const server = await RealServer.started(undo, { WORKERS: String(options.workers) })
  const sql = postgres(server.setting('DATABASE_URL'), { max: 1, connection: { search_path: 'parley' } })
  undo.push(() => sql.end())
  const [owner, ...people] = await makeAccounts(server, channels * subscribers + 10)
  if (!owner) throw new Error('the organization has no owner')
  const bystanders = await Bystanders.start(undo, server, [owner, ...people.splice(-9)])
  const channelIds: number[] = []
  for (let n = 0; n < channels; n++) {
    const own = people.slice(n * subscribers, (n + 1) * subscribers)
    channelIds.push(await makeChannel(server, owner, `channel ${n}`, own))
  }
  // What is sent at a time has a row beside its job, which is due in the same second.
  const schedule = async (count: number): Promise<Due[]> => {
    const given = Array.from({ length: count }, (_, n) => {
      const place = n % channels
      const sender = people[place * subscribers + (Math.floor(n / channels) % subscribers)] as { id: number }
      return { user_id: sender.id, channel_id: channelIds[place], content: `scheduled ${n}` }
    })
    const rows = await sql<{ id: number }[]>`
      insert into scheduled_messages (user_id, read_by_sender, channel_id, topic, recipients, content, rendered_content, file_ids, client, due)
      select user_id, true, channel_id, 'at a time', '{}', content, '', '{}', 'website', now() + make_interval(secs => ${aheadSeconds})
      from json_to_recordset(${JSON.stringify(given)}::text::json) as given (user_id int, channel_id int, content text)
      returning id::int`
    return rows.map(({ id }) => ({ kind: 'scheduled-message', key: `scheduled message ${id}`, payload: { id } }))
  }
  const each = (one: (n: number) => Due) => (count: number) => Array.from({ length: count }, (_, n) => one(n))
  const kinds: Readonly<Record<string, (count: number) => Due[] | Promise<Due[]>>> = {
    'scheduled messages': schedule,
    'notices to channels': each(n => {
      const channel = channelIds[n % channels] as number
      const to = { channel, topic: 'channel events' }
      return { kind: 'notice', key: `channel ${channel}`, payload: { to, content: `notice ${n}` } }
    }),
    'notices to people': each(n => {
      const { id } = people[n % people.length] as { id: number }
      return { kind: 'notice', key: `people ${id}`, payload: { to: { people: [id] }, content: `notice ${n}` } }
    }),
    mails: each(n => ({
      kind: 'mail',
      key: null,
      payload: { to: `person${n}@bench.example`, subject: `mail ${n}`, text: 'A text.\n\nOf a mail.' },
    })),
  }
  // Other jobs follow from what these send, some of them minutes later.
  const left = async (kind: string): Promise<number> => {
    const [row] = await sql<
      [{ n: number }]
    >`select count(*)::int as n from jobs where kind = ${kind} and not is_periodic and state <> 'dead'`
    return row.n
  }
  const run = async (name: string, count: number): Promise<void> => {
    const rows = (await kinds[name]?.(count)) ?? []
    const kind = rows[0]?.kind ?? ''
    await sql`
      insert into jobs (kind, key, payload, state, due)
      select kind, key, payload,
        case when key is null or row_number() over (partition by key order by n) = 1 then 'due' else 'behind' end,
        now() + make_interval(secs => ${aheadSeconds})
      from rows from (json_to_recordset(${JSON.stringify(rows)}::text::json) as (kind text, key text, payload json))
        with ordinality as given (kind, key, payload, n) order by n`
    await bystanders.stalls()
    await sleep(aheadSeconds * 1000 - 500)
    const rest = await bystanders.stalls()
    await sleep(500)
    const { usage, elapsedMs, othersShare } = await measured(
      { used: () => usageBelow(server.pid), loads: [bystanders.pid] },
      async () => {
        while ((await left(kind)) > 0) await sleep(50)
      },
    )
    const during = await bystanders.stalls()
    const perJob = (us: number) => `${(us / count) | 0} µs`
    console.log(
      `${name}: ${text({ seconds: elapsedMs / 1000, server: perJob(usage.server), postgres: perJob(usage.postgres), redis: perJob(usage.redis), others: othersShare * 100 })} %`,
    )
    console.log(`  deliveries in ms: at rest ${text(waits(rest))}; meanwhile ${text(waits(during))}`)
  }
  for (const name of Object.keys(kinds).filter(kind => kind.includes(options.only))) {
    await run(name, Math.min(1000, options.jobs))
    for (let round = 0; round < options.rounds; round++) await run(name, options.jobs)
  }
})
