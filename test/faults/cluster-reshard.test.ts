// Slots of a Redis Cluster move to other nodes under load, that of the feed too: nothing is lost, and nobody notices.
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
  // Beside the feed's those of some readers' queues.
  const slots = new Set<number>([await cluster.slotOf(keys.feed)])
  for (const queue of (await queueIds(cluster, keys)).slice(0, 4)) slots.add(await cluster.slotOf(keys.meta(queue)))
  for (const node of cluster.nodes) {
    for (const slot of slots) await cluster.moveSlot(slot, node)
    await scene.passes(50)
  }
  await scene.settle(t)
  t.same(scene.ledger.failures(), {}, 'senders notice nothing')
})

/** What the workers have, read where their sets lie. */
async function queueIds(cluster: RedisCluster, keys: Keys): Promise<string[]> {
  const home = await cluster.masterOf(await cluster.slotOf(keys.checkpoints))
  const workers = (await home?.command('HKEYS', keys.checkpoints))?.split('\n') ?? []
  const sets = await Promise.all(workers.map(worker => home?.command('SMEMBERS', keys.queuesOf(worker))))
  return sets.flatMap(set => set?.split('\n').filter(Boolean) ?? [])
}
