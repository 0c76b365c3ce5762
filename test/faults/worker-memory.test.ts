// A worker approaches its memory limit under load: another one replaces it, and no client's request fails.
import t from 'tap'
import { begin } from './support/begin.js'
import { evaluate, inspectable } from './support/inspector.js'
import { readLog } from './support/log-lines.js'
import { PollReader } from './support/poll-reader.js'
import { eventually } from './support/wait.js'
import { workersOf } from './support/workers.js'

const token = 'a token for the tests of metrics'
// Of 512 MiB the heap may have 384; the threshold is 326. This count includes the young generation of 32 MiB, the
// worker's does not.
const grow = `
  globalThis.held = []
  globalThis.growing = setInterval(() => {
    if (process.memoryUsage().heapUsed > 366 * 2 ** 20) clearInterval(growing)
    else held.push(new Array(400_000).fill(1.5))
  }, 10)`

t.test('a worker near its memory limit drains when another one listens, and says what it was doing', async t => {
  const settings = { ...inspectable, WORKER_MEMORY: '512', METRICS_TOKEN: token, LOG_LEVEL: 'info' }
  const { server, scene } = await begin(t, { workers: 2, settings })
  const lines = readLog(server.process)
  const supervisor = server.process.pid
  scene.send()
  await scene.passes(50)
  const [victim, other] = workersOf(supervisor) as [number, number]
  await evaluate(server.process, victim, grow)
  await eventually('that it has gone', () => !workersOf(supervisor).includes(victim), {
    seconds: 120,
  })
  await scene.passes(50)
  await scene.settle(t)

  // On a busy machine a row can wait so long for its publication that the cleaning of the outbox publishes it.
  const said = lines.flatMap(({ pid, msg }) => (pid === victim && !msg.includes('outbox') ? [msg] : []))
  t.same(said, ['near the memory limit: asked for a replacement', 'draining'])
  const use = { heapUsed: Number, heapLimit: 384 * 2 ** 20, resident: Number, residentLimit: 512 * 2 ** 20 }
  t.match(
    lines.find(({ msg }) => msg.startsWith('near the memory limit')),
    { pid: victim, ...use, underWay: Array },
  )
  t.ok(workersOf(supervisor).includes(other), 'the other one stays')
  t.same(scene.ledger.failures(), {}, 'every message was answered')
  for (const reader of scene.readers)
    if (reader instanceof PollReader) t.same(reader.failures, {}, `${reader.name}: every poll was answered`)
  const answer = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  t.match(await answer.text(), /^parley_workers_replaced_total\{reason="memory"\} 1$/m)
})
