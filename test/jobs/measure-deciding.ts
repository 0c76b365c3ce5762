import { usageBelow } from '../../bench/lib/cpu.js'
import { medianOf } from '../../bench/lib/figures.js'
import { readOptions } from '../../bench/lib/options.js'
import type { Sending } from '../../server/actions/messages/prepare.js'
import { sendMessage } from '../../server/actions/messages/send.js'
import { changeDirectory } from '../support/organization.js'
import { startServer } from '../support/server.js'

// What it costs to decide who is notified, next to a send without its request: `node dist/test/jobs/measure-deciding.js [--messages 4000]
// [--subscribers 1000] [--together 16] [--rounds 5]`. CPU of the worker and of PostgreSQL, in microseconds for each message. Messages to a channel notify
// no subscriber; direct ones notify their receiver, who is away.
const options = readOptions(process.argv.slice(2), { messages: 4_000, subscribers: 1_000, together: 16, rounds: 5 })

const undo: (() => unknown)[] = []
const server = await startServer({ teardown: (clean: () => unknown) => void undo.push(clean) }, { LOG_LEVEL: 'fatal' })
const { sql, ctx, jobs } = server
const people = await Promise.all(Array.from({ length: options.together }, () => server.person({ role: 100 })))
const [owner] = people
if (!owner) throw new Error('there is no sender')
const principals = people.map(one => one.id)
await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'measured' }], principals })
const { stream_id: channel } = await owner.ok('GET', '/get_stream_id', { stream: 'measured' })
await changeDirectory(sql, async (tx, version) => {
  await tx`
    with made as (
      insert into users (delivery_email, full_name, role, api_key, version)
      select 'crowd' || n || '@test.example', 'Crowd ' || n, 400, lpad('x' || n, 32, '0'), ${version}
      from generate_series(1, ${options.subscribers}::int) as n returning id
    )
    insert into subscriptions (user_id, channel_id, spans) select id, ${channel}, int8multirange(int8range(1, null)) from made`
  await tx`update channels set subscribers_version = subscribers_version + 1 where id = ${channel}`
})

const message = (i: number, to: Sending['to']): Sending => ({
  senderId: people[i]?.id ?? 0,
  client: 'measure',
  to,
  content: 'Whether it costs much to decide who is notified of this.',
  readBySender: true,
})
const kinds: Readonly<Record<string, (i: number) => Sending>> = {
  'to a channel': i => message(i, { channel, topic: `topic ${i}` }),
  direct: i => message(i, { people: [people[i]?.id ?? 0, people[(i + 1) % people.length]?.id ?? 0] }),
}
const cpu = () => {
  const { user, system } = process.cpuUsage()
  return { worker: user + system, postgres: usageBelow(process.pid).postgres }
}
const undecided = async () => {
  const [row] = await sql<{ count: number }[]>`
    select (last_value - message_id)::int as count from messages_id_seq, notification_progress`
  return row?.count ?? 0
}

const wake = jobs.wake.bind(jobs)

async function measure(sending: (i: number) => Sending, decides: boolean) {
  const holder = await sql.reserve()
  if (!decides) {
    await holder`begin`
    await holder`select from notification_progress for update`
    jobs.wake = () => {}
  }
  const before = cpu()
  let n = 0
  const caller = async (_: unknown, i: number) => {
    while (n++ < options.messages) await sendMessage(ctx, sending(i))
  }
  await Promise.all(Array.from({ length: options.together }, caller))
  if (decides) while ((await undecided()) > 0);
  const after = cpu()
  if (!decides) {
    await holder`
      update notification_progress set message_id = (select last_value from messages_id_seq)`
    await holder`commit`
    jobs.wake = wake
  }
  holder.release()
  return {
    worker: (after.worker - before.worker) / options.messages,
    postgres: (after.postgres - before.postgres) / options.messages,
  }
}

for (const [name, sending] of Object.entries(kinds)) {
  const found: Record<'alone' | 'decided', Awaited<ReturnType<typeof measure>>[]> = { alone: [], decided: [] }
  for (let round = -1; round < options.rounds; round++) {
    for (const [how, decides] of [
      ['alone', false],
      ['decided', true],
    ] as const) {
      const figures = await measure(sending, decides)
      if (round >= 0) found[how].push(figures)
    }
  }
  const of = (how: keyof typeof found) => [
    medianOf(found[how], one => one.worker),
    medianOf(found[how], one => one.postgres),
  ]
  const [alone, decided] = [of('alone'), of('decided')]
  const sum = ([worker = 0, postgres = 0]: number[]) => worker + postgres
  const rounded = (figures: number[]) => figures.map(Math.round).join(' + ')
  const more = sum(decided) - sum(alone)
  console.log(
    `${name}: a send ${rounded(alone)} µs (worker + PostgreSQL), with the decision ${rounded(decided)} µs: ${Math.round(more)} µs more, ${((100 * more) / sum(alone)).toFixed(1)} %`,
  )
}
for (const clean of undo.reverse()) await clean()
process.exit(0)
