// SIGTERM under load: all workers are replaced one by one, and no client meets with a failure.
import t from 'tap'
import { seeded, seedOf } from '../support/random.js'
import { spawnServer } from '../support/server.js'
import { ClientReader } from './support/client-reader.js'
import { PlainReader } from './support/plain-reader.js'
import { PollReader } from './support/poll-reader.js'
import { Scene } from './support/scene.js'
import { eventually } from './support/wait.js'
import { listenersOn, signal, workersOf } from './support/workers.js'

const count = 2

t.test('the supervisor replaces its workers one by one, and then each of them is told to stop', async t => {
  const seed = seedOf('FAULT_SEED')
  t.comment(`FAULT_SEED=${seed}`)
  const server = await spawnServer(t, {
    WORKERS: String(count),
    LOG_LEVEL: process.env.FAULT_LOG ?? 'fatal',
    HEARTBEAT_SECONDS: '2',
  })
  const supervisor = server.process.pid as number
  const scene = await Scene.start(server, { random: seeded(seed) })
  t.teardown(() => scene.stop())
  scene.send()
  await scene.passes(50)

  const old = workersOf(supervisor)
  signal(supervisor, 'SIGUSR2')
  await eventually('new workers alone', () => {
    const now = workersOf(supervisor)
    return now.length === count && now.every(worker => !old.includes(worker))
  })
  await scene.passes(50)

  for (const worker of workersOf(supervisor)) {
    signal(worker, 'SIGTERM')
    await eventually('that it has gone', () => !workersOf(supervisor).includes(worker))
    await eventually('another in its place', () => listenersOn(Number(new URL(server.url).port)) === count)
    await scene.passes(50)
  }

  await scene.settle(t)
  t.same(
    scene.ledger.failures(),
    {},
    `${scene.ledger.sends.length} messages, none of them refused or without an answer`,
  )
  for (const reader of scene.readers) {
    if (reader instanceof PollReader) t.same(reader.failures, {}, `${reader.name}: every poll was answered`)
    if (reader instanceof ClientReader || reader instanceof PlainReader) {
      t.match(Object.keys(reader.closings).join(), /^(1012)?$/, `${reader.name}: its sockets were closed with 1012`)
    }
  }
})
