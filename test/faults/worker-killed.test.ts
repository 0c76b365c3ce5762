// SIGKILL of workers at random moments while everybody sends and reads: nothing lost, nothing twice, nothing leaked.
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { anyOf, seeded, seedOf } from '../support/random.js'
import { spawnServer } from '../support/server.js'
import { Scene } from './support/scene.js'
import { eventually } from './support/wait.js'
import { listenersOn, signal, workersOf } from './support/workers.js'

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
  t.teardown(() => scene.stop())
  const port = Number(new URL(server.url).port)
  scene.send()
  for (let round = 0; round < rounds; round++) {
    await sleep(random(800))
    // On a slow machine they may fall faster than they start; the load shall never stop.
    await eventually('two that listen', () => listenersOn(port) >= 2)
    // Any of them: some fall while they start, and others take over what they have hardly begun with.
    signal(anyOf(workersOf(server.process.pid), random), 'SIGKILL')
  }
  await scene.settle(t)
  t.comment(scene.ledger.count('acknowledged'), 'acknowledged', scene.ledger.failures())
  t.ok(scene.ledger.count('acknowledged') > rounds, 'the load went on')
})
