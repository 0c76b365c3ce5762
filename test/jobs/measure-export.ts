import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { pidsBelow } from '../../bench/lib/cpu.js'
import { readOptions } from '../../bench/lib/options.js'
import { exportsOf } from '../support/exports.js'
import { spawnServer } from '../support/server.js'

// What an export of many messages takes: `node dist/test/jobs/measure-export.js [--messages 1000000] [--receivers 31]`. Time, memory of the
// worker before and at most, and how long messages take meanwhile from the request of their sender to a waiting poll of a receiver, once in 100 ms.
const options = readOptions(process.argv.slice(2), { messages: 1_000_000, receivers: 31 })

const undo: (() => unknown)[] = []
const server = await spawnServer(
  { teardown: (clean: () => unknown) => void undo.push(clean) },
  { LOG_LEVEL: 'error', RATE_LIMIT_USER: '0' },
)
const { sql } = server
const owner = await server.person({ role: 100 })
const people = await Promise.all(Array.from({ length: options.receivers - 1 }, () => server.person()))
await owner.ok('POST', '/users/me/subscriptions', {
  subscriptions: [{ name: 'plans' }, { name: 'talk' }],
  principals: [owner.id, ...people.map(({ id }) => id)],
})
const { stream_id: channel } = await owner.ok('GET', '/get_stream_id', { stream: 'plans' })
await sql`
  insert into messages (sender_id, channel_id, topic, content, rendered_content, renderer_version)
  select ${owner.id}, ${channel}, 'topic ' || n % 97, repeat('message ' || n || ' ', 8), '<p>' || repeat('message ' || n || ' ', 8) || '</p>', 1
  from generate_series(1, ${options.messages}) as n`
// Otherwise PostgreSQL does it by itself, beside what is measured.
await sql`vacuum analyze`

const workerPid = pidsBelow(server.process.pid as number).find(
  pid => /main\.js/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')) && pid !== server.process.pid,
)
const statusOf = (field: string): number => {
  const found = new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${workerPid}/status`, 'utf8'))
  return Math.round(Number(found?.[1]) / 1024)
}

const [reader] = people
if (!reader) throw new Error('an export needs a reader')
const { queue_id } = await reader.ok('POST', '/register', { event_types: ['message'] })
let isOver = false
const sentAt = new Map<string, number>()
const delays: number[] = []
const listening = (async () => {
  for (let last_event_id = -1; !isOver; ) {
    const { events } = await reader.ok('GET', '/events', { queue_id, last_event_id })
    for (const event of events) {
      last_event_id = event.id
      const sent = event.type === 'message' && sentAt.get(event.message.content)
      if (sent) delays.push(performance.now() - sent)
    }
  }
})()
let sent = 0
async function sendFor(isDone: () => Promise<boolean>): Promise<number[]> {
  delays.length = 0
  while (!(await isDone())) {
    for (let i = 0; i < 10; i++) {
      const content = `talk ${++sent}`
      sentAt.set(content, performance.now())
      await owner.ok('POST', '/messages', { type: 'stream', to: 'talk', topic: 'now', content })
      await sleep(100)
    }
  }
  return [...delays].sort((a, b) => a - b)
}
const share = (sorted: readonly number[], part: number) =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0)

let rounds = 0
const alone = await sendFor(async () => rounds++ === 20)
const before = statusOf('VmRSS')
let most = 0
const timer = setInterval(() => (most = Math.max(most, statusOf('VmRSS'))), 50)
const began = performance.now()
await owner.ok('POST', '/export/realm', { export_type: 'full_without_consent' })
let seconds = 0
const during = await sendFor(async () => {
  const [found] = await exportsOf(owner)
  seconds = (performance.now() - began) / 1000
  return found?.pending === false
})
clearInterval(timer)
isOver = true
const [found] = await exportsOf(owner)
console.log(
  JSON.stringify({
    ...options,
    failed: found?.failed_timestamp !== null,
    seconds: Math.round(seconds),
    mebibytes: { before, most },
    ms: {
      alone: { p50: share(alone, 0.5), p99: share(alone, 0.99) },
      during: { p50: share(during, 0.5), p99: share(during, 0.99), messages: during.length },
    },
  }),
)
await owner.ok('POST', '/messages', { type: 'stream', to: 'talk', topic: 'now', content: 'end' })
await listening
for (const clean of undo.reverse()) await clean()
