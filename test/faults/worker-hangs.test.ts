// The event loop of a worker is blocked: the supervisor kills and replaces the worker, and logs its stack.
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { begin } from './support/begin.js'
import { evaluate, inspectable } from './support/inspector.js'
import { readLog } from './support/log-lines.js'
import { eventually } from './support/wait.js'
import { signal, workersOf } from './support/workers.js'

const connections = 4
const token = 'a token for the tests of metrics'

async function atWork(t: Test, others: Record<string, string> = {}) {
  const settings = {
    DATABASE_CONNECTIONS: String(connections),
    WORKER_HANG_SECONDS: '5',
    METRICS_TOKEN: token,
    LOG_LEVEL: 'info',
    ...others,
  }
  // A client of the hanging worker gives up before the worker is killed.
  const { server, scene, organization } = await begin(t, { workers: 2, settings, patienceMs: 3000 })
  const lines = readLog(server.process)
  scene.send()
  await scene.passes(50)
  const [victim] = workersOf(server.process.pid) as [number]
  const replaced = async () => {
    await eventually('that it is gone', () => !workersOf(server.process.pid).includes(victim))
    await eventually('another in its place', () => lines.filter(({ msg }) => msg === 'listening').length === 1)
    t.match(
      lines.filter(({ msg }) => msg === 'a worker hangs: ending it'),
      [{ worker: victim, ms: Number }],
    )
    await scene.passes(50)
    const answer = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
    t.match(await answer.text(), /^parley_workers_replaced_total\{reason="hang"\} 1$/m)
    await scene.settle(t)
  }
  return { server, lines, victim, replaced, organization }
}

t.test('a worker that is stopped is ended and replaced', async t => {
  const { victim, replaced } = await atWork(t)
  signal(victim, 'SIGSTOP')
  await replaced()
})

t.test('a worker that loops is ended and replaced, and logs the requests that it had under way', async t => {
  const { server, lines, victim, replaced, organization } = await atWork(t, inspectable)
  const person = await server.person()
  const held = await organization.sql.reserve()
  t.teardown(() => held.release())
  // More waiting requests than one worker has database connections, so that each worker has some.
  await held`begin`
  await held`lock table saved_snippets`
  const content = 'a secret that is not logged'
  const waiting = Array.from({ length: 24 }, () => person.get('/saved_snippets', { content }))
  const settled = Promise.allSettled(waiting)
  await eventually('that they wait', async () => {
    const [row] = await held<{ count: number }[]>`
      select count(*)::int as count from pg_locks where not granted and relation = 'saved_snippets'::regclass`
    return (row?.count ?? 0) > connections
  })
  const looped = evaluate(server.process, victim, 'for (;;);')
  const hangs = () => lines.filter(({ msg }) => msg === 'the event loop hangs')
  await eventually('that the hang is logged', () => hangs().length > 0)
  await held`rollback`
  await settled
  await replaced()
  await looped
  t.match(hangs(), [{ pid: victim, ms: Number, underWay: Array }])
  const underWay = hangs()[0]?.underWay as { operation: string; bytes: number; ms: number }[]
  const own = underWay.filter(({ operation }) => operation === 'get_saved_snippets')
  t.ok(own.length > 0, JSON.stringify(underWay))
  for (const { bytes, ms } of own) t.ok(bytes > content.length && ms > 0, 'sizes and times')
  t.notMatch(JSON.stringify(lines), content)
})

t.test('a supervisor that was stopped itself ends no worker', async t => {
  const { server, scene } = await begin(t, { workers: 2, settings: { WORKER_HANG_SECONDS: '5', LOG_LEVEL: 'info' } })
  const lines = readLog(server.process)
  const workers = workersOf(server.process.pid)
  scene.send()
  await scene.passes(10)
  signal(server.process.pid as number, 'SIGSTOP')
  await sleep(8000)
  signal(server.process.pid as number, 'SIGCONT')
  await scene.passes(200)
  await sleep(3000)
  t.same(workersOf(server.process.pid), workers)
  t.same(
    lines.filter(({ msg }) => msg === 'a worker hangs: ending it'),
    [],
  )
  await scene.settle(t)
})
