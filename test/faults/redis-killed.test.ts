// SIGKILL of Redis at random moments under load, and a restart with its append-only file: the whole file, or all but
// the last second, as after a power failure.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { rounds } from './support/amounts.js'
import { AppendOnlyFile, lostMs } from './support/append-only-file.js'
import { begin } from './support/begin.js'
import { startStores } from './support/stores.js'

t.test('Redis is killed and started again, with all of its file and without its last second', async t => {
  const stores = await startStores(t)
  const { random, scene } = await begin(t, { workers: 2, stores })
  const file = new AppendOnlyFile(join(stores.dataDir, 'redis', 'appendonlydir'))
  t.teardown(() => file.stop())
  scene.send()
  for (let round = 0; round < rounds; round++) {
    for (const loses of [false, true]) {
      await scene.passes(50)
      // Longer than the time that may be lost, so that some data of this round remains.
      await sleep(lostMs + random(lostMs))
      await stores.redis.kill()
      if (loses) file.loseSince(random(lostMs))
      await sleep(random(500))
      await stores.redis.start()
    }
  }
  await scene.settle(t)
  t.comment(scene.ledger.count('acknowledged'), 'acknowledged', scene.ledger.failures())
  t.same(scene.ledger.failures(), {}, 'senders notice nothing: what they send is in PostgreSQL')
})
