// Kills each master of a Redis Cluster under load and lets its replica take over: the master of the feed, and those
// with queues only. The replica has all data or lacks the newest: the workers restore it, or it comes from the outbox.
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { keysOf } from '../../server/redis/keys.js'
import { redisCluster } from '../support/redis-cluster.js'
import { services } from '../support/services.js'
import { rounds } from './support/amounts.js'
import { begin } from './support/begin.js'
import { eventually } from './support/wait.js'

const slots = 16_384

// The largest loss by asynchronous replication that the server is designed for, in ms.
const longestLossMs = 1000
/** Index of the killed master: that of the feed (0) or another one (1, 2); and the data in ms that its replica lacks. */
const kills = [
  { master: 0, lostMs: 0 },
  { master: 1, lostMs: longestLossMs },
  { master: 0, lostMs: longestLossMs },
  { master: 2, lostMs: 0 },
]

t.test('each master of a Redis Cluster is killed in turn, and its replica takes its place', async t => {
  const cluster = await redisCluster(t)
  const stores = { ...(await services(t)), redisUrl: cluster.url }
  const { random, organization, server, scene } = await begin(t, { workers: 3, stores })
  const [row] = await server.sql<{ uuid: string }[]>`select uuid from organization`
  const feedSlot = await cluster.slotOf(keysOf(organization.schema, row?.uuid ?? '').feed)
  scene.send()
  for (const { master: number, lostMs } of Array.from({ length: rounds }, () => kills).flat()) {
    const slot = (feedSlot + number * Math.floor(slots / 3)) % slots
    const master = await cluster.masterOf(slot)
    if (!master) throw new Error(`nobody serves slot ${slot}`)
    const replicas = lostMs > 0 ? await cluster.replicasOf(master) : []
    await scene.passes(50)
    await sleep(random(1000))
    await Promise.all(replicas.map(replica => replica.stopCopying()))
    if (lostMs > 0) await sleep(random(lostMs))
    await master.kill()
    await eventually('a promoted replica', async () => (await cluster.masterOf(slot)) !== undefined)
    await Promise.all(replicas.map(replica => replica.copyAgain()))
    await sleep(random(1000))
    await master.start()
    await eventually('a cluster that is whole', () => cluster.isWhole())
  }
  await scene.settle(t)
  t.comment(scene.ledger.count('acknowledged'), 'acknowledged', scene.ledger.failures())
  for (const reader of scene.readers) {
    const { closings, failures } = reader as { closings?: object; failures?: object }
    t.comment(reader.name, closings ?? failures)
  }
  t.same(scene.ledger.failures(), {}, 'senders notice nothing: what they send is in PostgreSQL')
})
