// The disk of Redis's append-only file is full, while PostgreSQL has room: messages are accepted and delivered when
// there is room again; requests that have to write to Redis are refused with SERVER_NOT_READY.
import t from 'tap'
import { rounds } from './support/amounts.js'
import { beginRefusals } from './support/refused-writes.js'
import { smallDisk } from './support/small-disk.js'
import { startStores } from './support/stores.js'

t.test('the disk under its append-only file is full', async t => {
  const disk = await smallDisk(t, 48)
  if (!disk) return void t.pass('a disk that is full', { skip: 'no small file system may be mounted here' })
  const stores = await startStores(t, [], disk.path)
  const { scene, isRefused } = await beginRefusals(t, stores)
  for (let round = 0; round < rounds; round++) {
    disk.fill()
    await isRefused('MISCONF')
    disk.empty()
    await scene.arrives()
  }
  await scene.settle(t)
  t.same(scene.ledger.failures(), {}, 'no sender noticed')
})
