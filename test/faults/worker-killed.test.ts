// SIGKILL of workers at random moments while everybody sends and reads: nothing lost, nothing twice, nothing leaked.
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { anyOf, seeded, seedOf } from '../support/random.js'
import { spawnServer } from '../support/server.js'
import { Scene } from './support/scene.js'
import { eventually } from './support/wait.js'
import { signal, workersOf } from './support/workers.js'

const rounds = Number(process.env.FAULT_ROUNDS ?? 100)
const workers = 4

t.test('workers are killed at random moments', async t => {
  const seed = seedOf('FAULT_SEED')
  t.comment(`FAULT_SEED=${seed}`)
  const random = seeded(seed)
  const server = await spawnServer(t, {
    WORKERS: String(workers),
    LOG_LEVEL: process.env.FAULT_LOG ?? 'fatal',
    HEARTBEAT_SECONDS: '2',
  })
  const scene = await Scene.start(server, { random })
  scene.send()
  for (let round = 0; round < rounds; round++) {
    await sleep(random(1000))
    const living = workersOf(server.process.pid)
    // Some fall while others have just begun to start.
    if (living.length > 1) signal(anyOf(living, random), 'SIGKILL')
  }
  await eventually('all workers', () => workersOf(server.process.pid).length === workers)
  await scene.settle(t)
  t.comment(scene.ledger.count('acknowledged'), 'acknowledged', scene.ledger.failures())
  t.ok(scene.ledger.count('acknowledged') > rounds, 'the load went on')
})
