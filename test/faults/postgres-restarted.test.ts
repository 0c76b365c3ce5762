// PostgreSQL is stopped, killed, or hangs under load. Each sender learns the result for its message, or that it is
// unknown; acknowledged messages are stored and delivered once, refused ones are never stored.
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { rounds } from './support/amounts.js'
import { begin } from './support/begin.js'
import { startStores } from './support/stores.js'
import { workersOf } from './support/workers.js'

// Longer than a sender waits here, shorter than a worker's statement timeout.
const hangMs = 6000
const patienceMs = 4000

t.test('PostgreSQL is stopped, killed, and hangs', async t => {
  const stores = await startStores(t)
  const { random, server, scene } = await begin(t, { workers: 2, stores, patienceMs })
  const workers = workersOf(server.process.pid)
  scene.send()
  for (let round = 0; round < rounds; round++) {
    for (const how of ['stop', 'kill'] as const) {
      await scene.passes(30)
      await sleep(random(500))
      await stores.postgres[how]()
      await sleep(random(1000))
      await stores.postgres.start()
    }
  }
  await scene.passes(30)
  stores.postgres.freeze()
  await sleep(hangMs)
  stores.postgres.thaw()
  await scene.passes(50)
  await scene.settle(t)
  t.comment(scene.ledger.count('acknowledged'), 'acknowledged', scene.ledger.failures())
  const told = Object.keys(scene.ledger.failures())
  const allowed = /^(unknown: (503 SERVER_NOT_READY|TIMEOUT)|refused: 503 SERVER_NOT_READY)$/
  t.same(
    told.filter(failure => !allowed.test(failure)),
    [],
    'senders were told nothing else',
  )
  t.same(workersOf(server.process.pid), workers, 'every worker lives on')
})
