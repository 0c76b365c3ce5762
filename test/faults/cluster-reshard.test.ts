// Moves slots of a Redis Cluster to other nodes under load, including that of the feed: no event is lost and no request
// fails.
import t from 'tap'
import { type Keys, keysOf } from '../../server/redis/keys.js'
import { type RedisCluster, redisCluster } from '../support/redis-cluster.js'
import { services } from '../support/services.js'
import { begin } from './support/begin.js'

t.test('slots move to other nodes under load', async t => {
  const cluster = await redisCluster(t, 0)
  const stores = { ...(await services(t)), redisUrl: cluster.url }
  const { organization, server, scene } = await begin(t, { workers: 2, stores })
  const [row] = await server.sql<{ uuid: string }[]>`select uuid from organization`
  const keys = keysOf(organization.schema, row?.uuid ?? '')
  scene.send()
  await scene.passes(50)
  // The slots of some readers' queues, and that of the feed.
  const slots = new Set<number>([await cluster.slotOf(keys.feed)])
  for (const queue of (await queueIds(cluster, keys)).slice(0, 4)) slots.add(await cluster.slotOf(keys.meta(queue)))
  for (const node of cluster.nodes) {
    for (const slot of slots) await cluster.moveSlot(slot, node)
    await scene.passes(50)
  }
  await scene.settle(t)
  t.same(scene.ledger.failures(), {}, 'senders notice nothing')
})

/** The queues of all workers, read from their sets. */
async function queueIds(cluster: RedisCluster, keys: Keys): Promise<string[]> {
  const home = await cluster.masterOf(await cluster.slotOf(keys.checkpoints))
  const workers = (await home?.command('HKEYS', keys.checkpoints))?.split('\n') ?? []
  const sets = await Promise.all(workers.map(worker => home?.command('SMEMBERS', keys.queuesOf(worker))))
  return sets.flatMap(set => set?.split('\n').filter(Boolean) ?? [])
}
