// A database is unavailable under load: each worker logs one line at the start and one at the end.
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { TestServer } from '../support/server.js'
import { begin } from './support/begin.js'
import { readLog } from './support/log-lines.js'
import { startStores } from './support/stores.js'
import { eventually } from './support/wait.js'
import { workersOf } from './support/workers.js'

const awayMs = 3000
const warning = 40

/** Sends requests that need Redis, or PostgreSQL, until it is stopped: each fails while that database is unavailable. */
async function keepAsking(t: Test, server: TestServer): Promise<() => void> {
  const person = await server.person()
  const unknown = { queue_id: '6cd9c1cc-43ab-4cf5-9a85-8fb5dd8e0ad7', last_event_id: -1, dont_block: true }
  let isAsking = true
  const ask = async () => {
    while (isAsking) {
      await Promise.all([
        person.post('/register', { event_types: ['message'] }),
        person.post('/users/me/presence', { status: 'active' }),
        person.get('/events', unknown),
        sleep(20),
      ])
    }
  }
  const asking = ask()
  t.teardown(() => asking)
  return () => {
    isAsking = false
  }
}

t.test('each worker logs an outage of Redis and one of PostgreSQL in two lines each', async t => {
  const stores = await startStores(t)
  const { server, scene } = await begin(t, { workers: 2, stores, settings: { LOG_LEVEL: 'info' } })
  const lines = readLog(server.process)
  const stopAsking = await keepAsking(t, server)
  scene.send()
  for (const [name, store] of [['Redis', stores.redis] as const, ['PostgreSQL', stores.postgres] as const]) {
    await scene.passes(20)
    await store.stop()
    await sleep(awayMs)
    await store.start()
    const said = (pid: number, words: string) => lines.filter(line => line.pid === pid && line.msg === words).length
    const workers = workersOf(server.process.pid)
    await eventually(`that ${name} is back`, () => workers.every(pid => said(pid, `${name} is back`) > 0))
    for (const pid of workers) {
      t.equal(said(pid, `${name} is away`), 1, `${name} is away`)
      t.equal(said(pid, `${name} is back`), 1, `${name} is back`)
    }
  }
  await scene.passes(20)
  stopAsking()
  await scene.settle(t)
  const expected = [
    'Redis is away',
    'PostgreSQL is away',
    'Redis restarted or failed over: checking which entries it lost',
  ]
  const others = lines.filter(({ level, msg }) => level >= warning && !expected.includes(msg))
  t.same(others, [], 'nothing else is worth a warning')
})
