// A worker is stopped for longer than its lease and then continues (SIGSTOP, SIGCONT): other workers have adopted its
// queues by then, and its outdated state must do no harm.
import { Redis } from 'ioredis'
import t from 'tap'
import { anyOf } from '../support/random.js'
import { begin } from './support/begin.js'
import { isBuried } from './support/buried.js'
import { ClientReader } from './support/client-reader.js'
import { eventually } from './support/wait.js'
import { signal, workersOf } from './support/workers.js'

t.test('a worker sleeps through the end of its lease', async t => {
  // Otherwise the supervisor would kill it.
  const settings = { HEARTBEAT_SECONDS: '1', WORKER_HANG_SECONDS: '600' }
  // A sender to the stopped worker must not wait until it continues: the load goes to other workers.
  const { random, server, scene } = await begin(t, { workers: 3, settings, patienceMs: 3000 })
  const redis = new Redis(server.organization.services.redisUrl)
  t.teardown(() => redis.disconnect())
  const movers: ClientReader[] = []
  for (const codec of ['json', 'msgpack'] as const) {
    for (let i = 0; i < 6; i++) {
      const { person, sees } = await scene.follower()
      // These clients detect the silence and reconnect; the scene's other readers wait for the stopped worker.
      const options = { silenceMs: 3000, timeoutMs: 3000 }
      movers.push(await ClientReader.start(`mover ${codec} ${i}`, sees, person, { codec, options }))
    }
  }
  scene.readers.push(...movers)
  scene.send()
  await scene.passes(50)
  const sleeper = anyOf(workersOf(server.process.pid), random)
  signal(sleeper, 'SIGSTOP')
  try {
    await eventually('that others bury it', () => isBuried(redis, server, sleeper))
    const before = scene.ledger.acknowledgedIn(new Set(['open'])).length
    await eventually('messages that went past it', () => {
      const sent = scene.ledger.acknowledgedIn(new Set(['open']))
      const fresh = sent.slice(before, before + 10)
      return fresh.length === 10 && movers.every(({ numbers }) => fresh.every(({ number }) => numbers.has(number)))
    })
  } finally {
    signal(sleeper, 'SIGCONT')
  }
  await scene.passes(100)
  await scene.settle(t)
  t.ok(workersOf(server.process.pid).includes(sleeper), 'it lives on')
})
